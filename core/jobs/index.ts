import type { JobName } from '../contract/jobs.ts'
import type { JobDefinition } from './define-job.ts'
import { matchLead } from './match-lead.ts'
import { sendEmail } from './send-email.ts'
import { syncCrm } from './sync-crm.ts'

/** Every job of the product, by name. */
export const JOBS = {
  'match-lead': matchLead,
  'send-email': sendEmail,
  'sync-crm': syncCrm,
} as const satisfies { [Name in JobName]: JobDefinition<Name> }
