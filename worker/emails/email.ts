import type { ReactElement } from 'react'
import type { Application } from '../../core/contract/applications.ts'
import type { AuditLine } from '../../core/contract/audit-log.ts'
import type { Lead } from '../../core/contract/leads.ts'
import type { SyncRunDetails } from '../../core/contract/sync.ts'
import type { Env } from '../../core/env.ts'
import type { ErasedLead } from '../../core/stores/erasures.ts'
import type { NearProvider, Provider } from '../../core/stores/providers.ts'
import type { Recipient } from '../../core/stores/staff-accounts.ts'
import type { MadeLink } from '../../core/stores/staff-links.ts'
import type { Device } from '../../core/stores/staff-sessions.ts'
import type { Mail } from '../senders/mailer.ts'

type Settings = { env: Pick<Env, 'PUBLIC_URL' | 'TEAM_EMAIL' | 'NETWORK_TIME_ZONE' | 'MATCH_RADIUS_MILES'> }

/**
 * What every template about a lead gets. Who has been matched since the job was made is the one who is named. `nearest`
 * are the active providers around the zip, nearest first, for the team that looks for one; empty for anybody else.
 * `previous` is the clinic that had the lead before, for the e-mails about that. `optOutUrl` is where the visitor stops contact;
 * `stopped` is for the clinic that is told of it: where it confirms, and by when (ISO 8601).
 */
export type LeadEmailContext = Settings & {
  lead: Lead
  provider: Provider | null
  previous: Provider | null
  nearest: NearProvider[]
  optOutUrl: string
  stopped?: { url: string; dueAt: string } | null
}
/** What the template to a clinic about a lead that was deleted for good gets. */
export type ErasureEmailContext = Settings & { erased: ErasedLead; clinic: Provider }
/**
 * What every template to the owner of a staff account gets. `link` is there for the e-mails that bring one, `session` for
 * a sign-in, unless it has ended meanwhile. `act` is what was done to the second factors. `at` is when it happened (ISO
 * 8601).
 */
export type AccountEmailContext = Settings & {
  account: Recipient
  at: string
  link: (MadeLink & { url: string }) | null
  session: Device | null
  act: Pick<AuditLine, 'actor' | 'action' | 'details'> | null
}
export type ApplicationEmailContext = Settings & { application: Application; optOutUrl: string }

/**
 * What a template about a run of the provider sync gets. `provider` is the clinic that is told, null: the team; `token` is
 * for the link that confirms its new address, null: there is nothing to confirm.
 */
export type SyncEmailContext = Settings & { run: SyncRunDetails; provider: Provider | null; token: string | null }

/** One e-mail before it is rendered; each template makes one. */
export type EmailDraft = Pick<Mail, 'to' | 'replyTo' | 'subject' | 'optOut'> & { body: ReactElement }
export type LeadEmail = (context: LeadEmailContext) => EmailDraft
export type ErasureEmail = (context: ErasureEmailContext) => EmailDraft
export type AccountEmail = (context: AccountEmailContext) => EmailDraft
export type ApplicationEmail = (context: ApplicationEmailContext) => EmailDraft
export type SyncEmail = (context: SyncEmailContext) => EmailDraft
