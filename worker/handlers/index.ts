import type { JobName } from '../../core/deliveries/contract/jobs.ts'
import { bulk } from './bulk.ts'
import type { Handler } from './handler.ts'
import { matchLead } from './match-lead.ts'
import { purge } from './purge.ts'
import { sendAlert } from './send-alert.ts'
import { sendEmail } from './send-email.ts'
import { syncCrm } from './sync-crm.ts'
import { syncProviders } from './sync-providers.ts'

/** The handler of each kind of job. A missing one is a compile error. */
export const HANDLERS = {
  'match-lead': matchLead,
  'send-email': sendEmail,
  'sync-crm': syncCrm,
  bulk,
  'send-alert': sendAlert,
  'sync-providers': syncProviders,
  purge,
} satisfies Record<JobName, Handler>
