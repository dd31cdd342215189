import { CrmPurpose } from '../contract/jobs.ts'
import { HOUR, SECOND } from '../time.ts'
import { defineJob } from './define-job.ts'

/** Tells the CRM about a lead: that it exists, or that a provider was found for it later. */
export const syncCrm = defineJob({
  name: 'sync-crm',
  purpose: CrmPurpose,
  retry: { attempts: 20, firstDelay: 10 * SECOND, maxDelay: 6 * HOUR },
  concurrency: 10,
})
