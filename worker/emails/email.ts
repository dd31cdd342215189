import type { ReactElement } from 'react'
import type { Application } from '../../core/contract/applications.ts'
import type { AuditLine } from '../../core/contract/audit-log.ts'
import type { Calling } from '../../core/contract/calling-hours.ts'
import type { Funnel } from '../../core/contract/funnel.ts'
import type { Lead } from '../../core/contract/leads.ts'
import type { AnswerKind } from '../../core/contract/outcomes.ts'
import type { Overview } from '../../core/contract/overview.ts'
import type { SyncRunDetails } from '../../core/contract/sync.ts'
import type { Env } from '../../core/env.ts'
import type { Delivery } from '../../core/stores/alerts.ts'
import type { ErasedLead } from '../../core/stores/erasures.ts'
import type { NearProvider, Provider } from '../../core/stores/providers.ts'
import type { Recipient } from '../../core/stores/staff-accounts.ts'
import type { MadeLink } from '../../core/stores/staff-links.ts'
import type { Device } from '../../core/stores/staff-sessions.ts'
import type { Mail } from '../senders/mailer.ts'

export type Settings = { env: Pick<Env, 'PUBLIC_URL' | 'TEAM_EMAIL' | 'NETWORK_TIME_ZONE' | 'MATCH_RADIUS_MILES'> }

/**
 * The context of every template about a lead. The provider is the one matched at the time of sending. `nearest` lists
 * the active providers around the zip code, nearest first, for e-mails to the team; otherwise it is empty. `previous`
 * is the clinic that had the lead before. `optOutUrl` is the visitor's link to stop contact. `stopped` is for a clinic
 * that must confirm an opt-out: its link and deadline (ISO 8601). `requestUrl` is the clinic's link to its page for the
 * request. `earlier` is the person's earlier request at the same clinic. `formerPhone` is the
 * number that the clinic had before a correction. `callBy` (ISO 8601) is the
 * moment by which the clinic should have answered, and `timeZone` that of the clinic to which the email goes (IANA). `calling`
 * says when one may call where the visitor is; null if that is not known.
 */
export type LeadEmailContext = Settings & {
  lead: Lead
  provider: Provider | null
  previous: Provider | null
  nearest: NearProvider[]
  optOutUrl: string
  stopped?: { url: string; dueAt: string } | null
  requestUrl?: string | null
  answer?: AnswerContext | null
  earlier?: Pick<Lead, 'id' | 'created_at'> | null
  formerPhone?: string | null
  callBy?: string | null
  calling?: Calling | null
  timeZone?: string
}

/**
 * The context of e-mails about a clinic's answer. `requestUrl` and `questionUrl` are the pages of the clinic and of the
 * visitor, who is asked there whether the clinic called, or for the right phone number. `dueAt` is in ISO 8601; null before it is worked out.
 */
export type AnswerContext = {
  dueAt: string | null
  requestUrl: string
  questionUrl: string
  /** The clinic's address that is told of late answers. */
  secondEmail: string | null
  /** Whether the request has arrived at the clinic. */
  hasArrived: boolean
  /** Whether the visitor's last word is that nobody has called. */
  isUncalled: boolean
  /** The clinic's last answer, if it gave one. */
  clinicSaid: AnswerKind | null
}
/** The context of the e-mail to a clinic about a permanently deleted lead. */
export type ErasureEmailContext = Settings & { erased: ErasedLead; clinic: Provider; timeZone?: string }
/**
 * The context of every template to the owner of a staff account. `link` is set for e-mails with a link, `session` for a
 * sign-in whose session still exists. `act` is the change to the second factors. `at` is the time of the event (ISO
 * 8601).
 */
export type AccountEmailContext = Settings & {
  account: Recipient
  at: string
  link: (MadeLink & { url: string }) | null
  session: Device | null
  act: Pick<AuditLine, 'actor' | 'action' | 'details'> | null
}
/**
 * The context of templates to a clinic that are about no lead. `to` is one of its addresses, and `at` the time of the event
 * (ISO 8601). `link` signs in; `invitedBy` has added its address. `act` changed who gets or sees the requests.
 */
export type ClinicEmailContext = Settings & {
  /** The clinic's (IANA). */
  timeZone?: string
  clinic: Provider
  to: string
  at: string
  link?: { url: string; expiresAt: string; invitedBy: string | null }
  act?: Pick<AuditLine, 'actor' | 'action' | 'details'>
}
/**
 * The context of the weekly report to the team. `totals` are those of the overview for the week and the week before,
 * `deliveries` the present states of the week's deliveries, and `late` the requests whose answer is late now.
 */
export type WeeklyReportContext = Settings & {
  funnel: Funnel
  totals: { now: Overview['totals']; before: Overview['totals'] }
  deliveries: Overview['deliveries']
  late: number
}
/** The context of an alert. `isTeam`: it goes to the address of the settings. */
export type AlertContext = Settings & { delivery: Delivery; to: string; isTeam: boolean }
export type ApplicationEmailContext = Settings & { application: Application; optOutUrl: string }

/**
 * The context of templates about a run of the provider sync. `provider` is the recipient; null for the team. `link`
 * signs in to the clinic's pages, where its address is confirmed; null if there is nothing to confirm.
 */
export type SyncEmailContext = Settings & { run: SyncRunDetails; provider: Provider | null; link: string | null }

/** An e-mail before rendering, as a template returns it. */
export type EmailDraft = Pick<Mail, 'to' | 'replyTo' | 'subject' | 'optOut' | 'isTest'> & { body: ReactElement }
export type LeadEmail = (context: LeadEmailContext) => EmailDraft
export type ErasureEmail = (context: ErasureEmailContext) => EmailDraft
export type AccountEmail = (context: AccountEmailContext) => EmailDraft
export type ClinicEmail = (context: ClinicEmailContext) => EmailDraft
export type ApplicationEmail = (context: ApplicationEmailContext) => EmailDraft
export type SyncEmail = (context: SyncEmailContext) => EmailDraft
