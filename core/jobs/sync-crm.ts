import { CrmPurpose } from '../contract/jobs.ts'
import { HOUR, SECOND } from '../time.ts'
import { defineJob } from './define-job.ts'

/** Tells the CRM about a lead: that it exists, that a provider was found for it later, or that it was deleted for good. */
export const syncCrm = defineJob({
  name: 'sync-crm',
  purpose: CrmPurpose,
  retry: { attempts: 20, firstDelay: 10 * SECOND, maxDelay: 6 * HOUR },
  // While no CRM is connected. A sender says for itself how many calls it makes at once, and of how many leads.
  concurrency: 10,
})
