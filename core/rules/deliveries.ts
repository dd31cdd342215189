import type {
  AccountEmailPurpose,
  ApplicationEmailPurpose,
  CrmPurpose,
  ErasureEmailPurpose,
  JobName,
  JobState,
  LeadEmailPurpose,
  SyncEmailPurpose,
} from '../contract/jobs.ts'
import type { ErasureReason } from '../contract/privacy.ts'

type Email<Purpose> = { name: 'send-email'; purpose: Purpose }
/** E-mails about a clinic that had the lead before: that another one has it now, or that the lead is deleted for good. */
type AboutPrevious = 'passed_on' | 'new_clinic' | ErasureEmailPurpose
/** What one clinic is told, whichever has the lead by then. */
type ToClinic = 'opted_out'

/** A job to be made for a lead. */
export type NewLeadJob =
  | { name: 'match-lead'; purpose: 'nearest' }
  | Email<Exclude<LeadEmailPurpose, AboutPrevious | ToClinic>>
  | (Email<AboutPrevious> & { previousProviderId: number })
  | (Email<ToClinic> & { toldProviderId: number })
  | { name: 'sync-crm'; purpose: CrmPurpose }

/** A job to be made for an application. */
export type NewApplicationJob = Email<ApplicationEmailPurpose>

/** A job to be made for a staff account. */
export type NewAccountJob = Email<AccountEmailPurpose>

/** A job to be made for a run of the provider sync. `toldProviderId` is the clinic that is told; null: the team. */
export type NewSyncJob = Email<SyncEmailPurpose> & { toldProviderId: number | null }

/** The newest generation of one of the jobs of a lead or an application. */
export type LatestJob = {
  name: JobName
  purpose: string
  state: JobState
  previousProviderId: number | null
  toldProviderId: number | null
}

/**
 * An e-mail of a lead, of any generation. `isSent` also where it may be on its way at this moment; `isCurrent` where it was
 * made for the clinic that the lead has now.
 */
export type EmailOfLead = {
  purpose: string
  previousProviderId: number | null
  isSent: boolean
  isCurrent: boolean
}

const email = <Purpose>(purpose: Purpose): Email<Purpose> => ({ name: 'send-email', purpose })
const crm = (purpose: CrmPurpose): NewLeadJob => ({ name: 'sync-crm', purpose })

/**
 * What we owe once a lead is stored, or released. Without a provider, who is told what waits for the outcome of the
 * matching. For a held lead only the team is told, so that a person looks at it.
 */
export function jobsForNewLead({ matched, held = false }: { matched: boolean; held?: boolean }): NewLeadJob[] {
  if (held) return [email('team')]
  return matched
    ? [email('provider'), email('visitor'), crm('created')]
    : [{ name: 'match-lead', purpose: 'nearest' }, crm('created')]
}

/** What we owe once a provider is found for a lead that had none. */
export function jobsForLaterMatch(): NewLeadJob[] {
  return [email('provider'), email('visitor'), crm('matched')]
}

/**
 * What we owe once a lead goes `from` one clinic `to` another: the old one, if it knows of the lead, is asked not to
 * call; and the visitor, if they were told of a clinic, learns of the change.
 * @param mails all e-mails of the lead, the newest first
 */
export function jobsForPassingOn(mails: EmailOfLead[], { from, to }: { from: number; to: number }): NewLeadJob[] {
  return [
    email('provider'),
    ...(knowsOfLead(mails, from) ? [{ ...email('passed_on' as const), previousProviderId: from }] : []),
    ...mailToVisitor(clinicKnownToVisitor(mails, from), to),
    crm('matched'),
  ]
}

function knowsOfLead(mails: EmailOfLead[], clinic: number): boolean {
  if (mails.some(({ purpose, isCurrent, isSent }) => purpose === 'provider' && isCurrent && isSent)) return true
  // It had the lead once before, and has not learned yet that it went to another one.
  const goodbye = mails.find(
    ({ purpose, previousProviderId }) => purpose === 'passed_on' && previousProviderId === clinic,
  )
  return goodbye !== undefined && !goodbye.isSent
}

function clinicKnownToVisitor(mails: EmailOfLead[], current: number): number | null {
  const ofCurrent = mails.filter(
    ({ purpose, isCurrent }) => isCurrent && (purpose === 'visitor' || purpose === 'new_clinic'),
  )
  // None is owed to a visitor whose clinic got the lead back before they heard of another one.
  if (ofCurrent.length === 0 || ofCurrent.some(({ isSent }) => isSent)) return current
  return ofCurrent.find(({ purpose }) => purpose === 'new_clinic')?.previousProviderId ?? null
}

function mailToVisitor(known: number | null, to: number): NewLeadJob[] {
  if (known === null) return [email('visitor')]
  return known === to ? [] : [{ ...email('new_clinic'), previousProviderId: known }]
}

/**
 * What we owe once nobody is in reach: the team looks for a clinic, and the visitor knows that we do. Once per lead,
 * which the visitor's mail tells: the team may have had one before, while the lead was held.
 */
export function jobsForNoMatch(latest: LatestJob[]): NewLeadJob[] {
  const isTold = latest.some(({ name, purpose }) => name === 'send-email' && purpose === 'visitor')
  return isTold ? [] : [email('team'), email('visitor')]
}

/**
 * What "Resend Email" sends: everything that has not arrived, and in any case the mail that makes something happen: the
 * clinic's, or the team's while there is no clinic.
 */
export function emailsToResend(latest: LatestJob[], { matched }: { matched: boolean }): NewLeadJob[] {
  const [always, never] = matched ? ['provider', 'team'] : ['team', 'provider']
  const missing = latest.filter(
    ({ name, purpose, state }) => name === 'send-email' && state !== 'done' && purpose !== always && purpose !== never,
  )
  return [{ name: 'send-email', purpose: always }, ...missing.map(again)] as NewLeadJob[]
}

const again = ({ name, purpose, previousProviderId, toldProviderId }: LatestJob) => ({
  ...{ name, purpose },
  ...(previousProviderId !== null && { previousProviderId }),
  ...(toldProviderId !== null && { toldProviderId }),
})

/**
 * Returns the clinics that know of a lead: the one that has it, and those that had it before and were asked not to call.
 * @param mails all e-mails of the lead, the newest first
 */
export function clinicsThatKnow(mails: EmailOfLead[], current: number | null): number[] {
  const previous = mails.flatMap(({ purpose, previousProviderId }) =>
    purpose === 'passed_on' && previousProviderId !== null ? [previousProviderId] : [],
  )
  const now = current !== null && knowsOfLead(mails, current) ? [current] : []
  return [...new Set([...now, ...previous])]
}

/** What we owe once a person wants no more contact: these clinics stop, and the CRM learns of it. */
export function jobsForOptOut({ clinics, knownToCrm }: { clinics: number[]; knownToCrm: boolean }): NewLeadJob[] {
  return [
    ...clinics.map((toldProviderId) => ({ ...email('opted_out' as const), toldProviderId })),
    ...(knownToCrm ? [crm('opted_out')] : []),
  ]
}

/** What must not be sent to or about a person who wants no more contact. */
export const CONTACTS: string[] = ['provider', 'visitor', 'new_clinic', 'applicant']

/**
 * Returns the jobs of a lead that is deleted for good: the CRM and every clinic that knows of it are asked to delete it as
 * well. Not the clinics of a lead at the end of its time: their own retention rules decide about their patients' records.
 * @param mails all e-mails of the lead, the newest first; `clinic` is the one that it has
 */
export function jobsForPurgedLead(
  mails: EmailOfLead[],
  { clinic, knownToCrm, reason }: { clinic: number | null; knownToCrm: boolean; reason: ErasureReason },
): NewLeadJob[] {
  const clinics = reason === 'retention' ? [] : clinicsThatKnow(mails, clinic)
  return [
    ...(knownToCrm ? [crm('deleted')] : []),
    ...clinics.map((previousProviderId) => ({ ...email('erased' as const), previousProviderId })),
  ]
}

/** What "Retry CRM Sync" sends: every event that the CRM has not taken; if it took all, the newest once more. */
export function crmEventsToRetry(latest: LatestJob[]): NewLeadJob[] {
  const events = latest.filter(({ name }) => name === 'sync-crm')
  const missing = events.filter(({ state }) => state !== 'done').map(({ purpose }) => crm(purpose as CrmPurpose))
  if (missing.length > 0) return missing
  return [crm(events.some(({ purpose }) => purpose === 'matched') ? 'matched' : 'created')]
}

/** What we owe once an application is stored. For a held one only the team is told, so that a person looks at it. */
export function jobsForNewApplication({ held = false }: { held?: boolean } = {}): NewApplicationJob[] {
  return held ? [email('team')] : [email('team'), email('applicant')]
}

/** What we owe once a held application is released: the team knows of it. */
export function jobsForReleasedApplication(): NewApplicationJob[] {
  return [email('applicant')]
}

/**
 * What "Resend Email" sends for an application: the confirmation in any case, and the team's mail if it has not
 * arrived.
 */
export function applicationEmailsToResend(latest: LatestJob[]): NewApplicationJob[] {
  const hasTeam = latest.some(({ purpose, state }) => purpose === 'team' && state === 'done')
  return hasTeam ? [email('applicant')] : jobsForNewApplication()
}
