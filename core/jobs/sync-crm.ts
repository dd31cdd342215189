import { CrmPurpose } from '../contract/jobs.ts'
import { HOUR, SECOND } from '../time.ts'
import { defineJob } from './define-job.ts'

/** Tells the CRM that a lead was created, was matched later, or was deleted for good. */
export const syncCrm = defineJob({
  name: 'sync-crm',
  purpose: CrmPurpose,
  retry: { attempts: 20, firstDelay: 10 * SECOND, maxDelay: 6 * HOUR },
  // Used while no CRM is connected. A sender brings its own concurrency and batch size.
  concurrency: 10,
})
