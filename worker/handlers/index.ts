import type { JobName } from '../../core/contract/jobs.ts'
import type { AccountJob, ApplicationJob, SyncJob } from '../../core/stores/attempts.ts'
import { emailAboutAccount } from './email-about-account.ts'
import { emailAboutApplication } from './email-about-application.ts'
import { emailAboutLead } from './email-about-lead.ts'
import { emailAboutSync } from './email-about-sync.ts'
import type { AccountHandler, ApplicationHandler, LeadHandler, SyncHandler } from './handler.ts'
import { matchLead } from './match-lead.ts'

/** Who does which job for a lead, one at a time. It does not compile while one is missing. `sync-crm` goes in batches. */
export const leadHandlers = {
  'match-lead': matchLead,
  'send-email': emailAboutLead,
} satisfies Record<Exclude<JobName, 'sync-crm'>, LeadHandler>

/** The same for an application. */
export const applicationHandlers = {
  'send-email': emailAboutApplication,
} satisfies Record<ApplicationJob['name'], ApplicationHandler>

/** The same for an account of the staff. */
export const accountHandlers = {
  'send-email': emailAboutAccount,
} satisfies Record<AccountJob['name'], AccountHandler>

/** The same for a run of the provider sync. */
export const syncHandlers = {
  'send-email': emailAboutSync,
} satisfies Record<SyncJob['name'], SyncHandler>
