import type { JobName } from '../../core/contract/jobs.ts'
import type { Handler } from './handler.ts'
import { matchLead } from './match-lead.ts'
import { sendEmail } from './send-email.ts'
import { syncCrm } from './sync-crm.ts'

/** Who does which job. It does not compile while one is missing. */
export const handlers = {
  'match-lead': matchLead,
  'send-email': sendEmail,
  'sync-crm': syncCrm,
} satisfies Record<JobName, Handler>
