import type { ErasureReason } from '../../privacy/contract/privacy.ts'
import type { CrmPurpose, JobName, JobState } from '../contract/jobs.ts'
import {
  type EMAILS,
  type EmailAbout,
  type EmailPurpose,
  emailsWith,
  type JobPayload,
  type PayloadOf,
  type SubjectKind,
} from '../emails.ts'

type NewEmail<About extends EmailAbout> = {
  [Of in About]: {
    [Purpose in EmailPurpose<Of>]: { name: 'send-email'; purpose: Purpose } & ((typeof EMAILS)[Of][Purpose] extends {
      payload: string
    }
      ? { payload: PayloadOf<Of, Purpose> }
      : { payload?: undefined })
  }[EmailPurpose<Of>]
}[About]

type Others = {
  lead:
    | { name: 'match-lead'; purpose: 'nearest'; payload?: undefined }
    | { name: 'sync-crm'; purpose: CrmPurpose; payload?: undefined }
    | NewEmail<'erased lead'>
  sync: { name: 'sync-providers'; purpose: 'run'; payload?: undefined }
}
/** A new job of a subject. */
export type NewJob<Kind extends SubjectKind> = JobAgain &
  (NewEmail<Kind> | (Kind extends keyof Others ? Others[Kind] : never))
export type NewLeadJob = NewJob<'lead'>

/** A job of the ledger, to run once more. */
export type JobAgain = { name: JobName; purpose: string; payload?: JobPayload }
/** The newest generation of one of the jobs of a lead or an application. */
export type LatestJob = JobAgain & { state: JobState }

/**
 * An email of a lead, of any generation. `isSent` also where it may be on its way at this moment; `isCurrent` where it was
 * made for the provider that the lead has now.
 */
export type EmailOfLead = {
  purpose: string
  previousProviderId: number | null
  isSent: boolean
  isCurrent: boolean
}

const email = <const Purpose>(purpose: Purpose) => ({ name: 'send-email' as const, purpose })
const crm = (purpose: CrmPurpose): NewLeadJob => ({ name: 'sync-crm', purpose })

/**
 * `quiet`: the sender must not learn of the hold, because the phone number, which may be somebody else's, is on the list of
 * people who must not be contacted.
 */
type Hold = { held?: boolean; quiet?: boolean }

/**
 * Returns the jobs of a new or released lead. Without a provider, the emails depend on the result of matching. For a
 * held lead only the team gets one, so that a person looks at it; for a quiet hold the visitor as well.
 */
export function jobsForNewLead({ matched, held = false, quiet = false }: { matched: boolean } & Hold): NewLeadJob[] {
  if (held) return quiet ? [email('team'), email('visitor')] : [email('team')]
  return matched
    ? [email('provider'), email('visitor'), crm('created')]
    : [{ name: 'match-lead', purpose: 'nearest' }, crm('created')]
}

/** Returns the jobs after a provider was found for a lead that had none. */
export function jobsForLaterMatch(): NewLeadJob[] {
  return [email('provider'), email('visitor'), crm('matched')]
}

/**
 * Returns the jobs after a lead moved `from` one provider `to` another: the old provider, if it knows of the lead, is asked
 * not to call; the visitor, if they were notified of a provider, learns of the change.
 * @param mails all emails of the lead, the newest first
 */
export function jobsForPassingOn(mails: EmailOfLead[], { from, to }: { from: number; to: number }): NewLeadJob[] {
  return [
    email('provider'),
    ...(knowsOfLead(mails, from) ? [{ ...email('passed_on'), payload: { previousProviderId: from } }] : []),
    ...mailToVisitor(providerKnownToVisitor(mails, from), to),
    crm('matched'),
  ]
}

function knowsOfLead(mails: EmailOfLead[], provider: number): boolean {
  if (mails.some(({ purpose, isCurrent, isSent }) => purpose === 'provider' && isCurrent && isSent)) return true
  // The new provider had the lead before, and was not yet notified that it moved away.
  const goodbye = mails.find(
    ({ purpose, previousProviderId }) => purpose === 'passed_on' && previousProviderId === provider,
  )
  return goodbye !== undefined && !goodbye.isSent
}

function providerKnownToVisitor(mails: EmailOfLead[], current: number): number | null {
  const ofCurrent = mails.filter(
    ({ purpose, isCurrent }) => isCurrent && (purpose === 'visitor' || purpose === 'new_clinic'),
  )
  // The visitor needs no email when the provider got the lead back before they heard of another one.
  if (ofCurrent.length === 0 || ofCurrent.some(({ isSent }) => isSent)) return current
  return ofCurrent.find(({ purpose }) => purpose === 'new_clinic')?.previousProviderId ?? null
}

function mailToVisitor(known: number | null, to: number): NewLeadJob[] {
  if (known === null) return [email('visitor')]
  return known === to ? [] : [{ ...email('new_clinic'), payload: { previousProviderId: known } }]
}

/**
 * Returns the jobs after no provider was found in reach: the team looks for one, and the visitor learns of it. Once per
 * lead, decided by the visitor's email, because the team may have had one while the lead was held.
 */
export function jobsForNoMatch(latest: LatestJob[]): NewLeadJob[] {
  const isNotified = latest.some(({ purpose }) => purpose === 'visitor')
  return isNotified ? [] : [email('team'), email('visitor')]
}

/**
 * Returns the jobs of "Resend Email": every email that has not arrived, and always the important one: the provider's, or
 * the team's while there is no provider.
 */
export function emailsToResend(latest: LatestJob[], { matched }: { matched: boolean }): JobAgain[] {
  const [always, never] = matched ? (['provider', 'team'] as const) : (['team', 'provider'] as const)
  const missing = latest.filter(
    ({ name, purpose, state }) =>
      name === 'send-email' && state !== 'done' && purpose !== always && purpose !== never && !isOver(purpose, state),
  )
  return [email(always), ...missing.map(({ state: _, ...job }) => job)]
}

/** Returns whether an email was about an answer that is no longer awaited. */
const isOver = (purpose: string, state: JobState) => state === 'cancelled' && ABOUT_ANSWER.includes(purpose)

/**
 * Returns the providers that know of a lead: the one that has it, and those that had it before and were asked not to call.
 * @param mails all emails of the lead, the newest first
 */
export function providersThatKnow(mails: EmailOfLead[], current: number | null): number[] {
  const previous = mails.flatMap(({ purpose, previousProviderId }) =>
    purpose === 'passed_on' && previousProviderId !== null ? [previousProviderId] : [],
  )
  const now = current !== null && knowsOfLead(mails, current) ? [current] : []
  return [...new Set([...now, ...previous])]
}

/** Returns the jobs after a person asked for no contact: these providers stop, and the CRM learns of it. */
export function jobsForOptOut({ clinics, knownToCrm }: { clinics: number[]; knownToCrm: boolean }): NewLeadJob[] {
  return [
    ...clinics.map((providerId) => ({ ...email('opted_out'), payload: { providerId } })),
    ...(knownToCrm ? [crm('opted_out')] : []),
  ]
}

/** Emails that wait for the answer of one provider. They end when another provider gets the lead. */
export const ABOUT_ANSWER: string[] = emailsWith(({ awaitsAnswer }) => awaitsAnswer)

/** Purposes that must not be sent to or about a person who asked for no contact. */
export const CONTACTS: string[] = emailsWith(({ isContact, awaitsAnswer }) => isContact || awaitsAnswer)

/**
 * Returns the jobs of a lead that is permanently deleted: the CRM and every provider that knows of it are asked to delete it
 * too. At the end of the retention time providers are not asked, because their own retention rules apply to their
 * patients' records.
 * Of a test lead no provider knows.
 * @param mails all emails of the lead, the newest first; `clinic` is the one that has it
 */
export function jobsForPurgedLead(
  mails: EmailOfLead[],
  { clinic, knownToCrm, reason, isTest = false }: Purged,
): NewLeadJob[] {
  const clinics = reason === 'retention' || isTest ? [] : providersThatKnow(mails, clinic)
  return [
    ...(knownToCrm ? [crm('deleted')] : []),
    ...clinics.map((previousProviderId) => ({ ...email('erased'), payload: { previousProviderId } })),
  ]
}

type Purged = { clinic: number | null; knownToCrm: boolean; reason: ErasureReason; isTest?: boolean }

/**
 * Returns the jobs of "Retry CRM Sync": every event that the CRM has not accepted, or the newest once more if it
 * accepted all.
 */
export function crmEventsToRetry(latest: LatestJob[]): NewLeadJob[] {
  const events = latest.filter(({ name }) => name === 'sync-crm')
  const missing = events.filter(({ state }) => state !== 'done').map(({ purpose }) => crm(purpose as CrmPurpose))
  if (missing.length > 0) return missing
  return [crm(events.some(({ purpose }) => purpose === 'matched') ? 'matched' : 'created')]
}

/**
 * Returns the jobs of a new application. For a held one only the team gets an email, so that a person looks at it; for a
 * quiet hold the applicant as well.
 */
export function jobsForNewApplication({ held = false, quiet = false }: Hold = {}): NewJob<'application'>[] {
  return held && !quiet ? [email('team')] : [email('team'), email('applicant')]
}

/** Returns the jobs of a released application: the team already knows of it. */
export function jobsForReleasedApplication(): NewJob<'application'>[] {
  return [email('applicant')]
}

/**
 * Returns the jobs of "Resend Email" for an application: always the confirmation, and the team's email if it has not
 * arrived.
 */
export function applicationEmailsToResend(latest: LatestJob[]): NewJob<'application'>[] {
  const hasTeam = latest.some(({ purpose, state }) => purpose === 'team' && state === 'done')
  return hasTeam ? [email('applicant')] : jobsForNewApplication()
}
