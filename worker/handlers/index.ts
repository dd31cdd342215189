import type { JobName } from '../../core/contract/jobs.ts'
import type { AccountJob, ApplicationJob, SyncJob } from '../../core/stores/attempts.ts'
import { emailAboutAccount } from './email-about-account.ts'
import { emailAboutApplication } from './email-about-application.ts'
import { emailAboutLead } from './email-about-lead.ts'
import { emailAboutSync } from './email-about-sync.ts'
import type { AccountHandler, ApplicationHandler, LeadHandler, SyncHandler } from './handler.ts'
import { matchLead } from './match-lead.ts'

/** The handlers of leads' jobs, one at a time. A missing one is a compile error. `sync-crm` runs in batches. */
export const leadHandlers = {
  'match-lead': matchLead,
  'send-email': emailAboutLead,
} satisfies Record<Exclude<JobName, 'sync-crm'>, LeadHandler>

/** The handlers of applications' jobs. */
export const applicationHandlers = {
  'send-email': emailAboutApplication,
} satisfies Record<ApplicationJob['name'], ApplicationHandler>

/** The handlers of staff accounts' jobs. */
export const accountHandlers = {
  'send-email': emailAboutAccount,
} satisfies Record<AccountJob['name'], AccountHandler>

/** The handlers of sync runs' jobs. */
export const syncHandlers = {
  'send-email': emailAboutSync,
} satisfies Record<SyncJob['name'], SyncHandler>
