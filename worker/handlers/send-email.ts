import { ASKED_TO_STOP } from '../../core/commands/opt-outs/stop-contact.ts'
import { callingAt } from '../../core/contract/calling-hours.ts'
import {
  AccountEmailPurpose,
  ApplicationEmailPurpose,
  ErasureEmailPurpose,
  LeadEmailPurpose,
  ProviderEmailPurpose,
  SyncEmailPurpose,
} from '../../core/contract/jobs.ts'
import type { Lead } from '../../core/contract/leads.ts'
import { clinicSignInUrl, staffLinkUrl } from '../../core/contract/page.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { answerTimes } from '../../core/rules/answer-times.ts'
import { CONTACTS } from '../../core/rules/deliveries.ts'
import type { PersonHash } from '../../core/rules/person-hash.ts'
import { withoutSecrets } from '../../core/rules/sent-emails.ts'
import { calledPlace } from '../../core/rules/time-zone-of.ts'
import { leadFinding } from '../../core/stores/alert-findings.ts'
import * as alerts from '../../core/stores/alerts.ts'
import * as answerClocks from '../../core/stores/answer-clocks.ts'
import * as auditLog from '../../core/stores/audit-log.ts'
import * as calendars from '../../core/stores/calendars.ts'
import * as clinicLinks from '../../core/stores/clinic-links.ts'
import * as clinicOptOuts from '../../core/stores/clinic-opt-outs.ts'
import * as clinicPeople from '../../core/stores/clinic-people.ts'
import { findEarlier } from '../../core/stores/earlier-requests.ts'
import * as leadEdits from '../../core/stores/lead-edits.ts'
import * as leads from '../../core/stores/leads.ts'
import * as providerEmails from '../../core/stores/provider-emails.ts'
import * as providers from '../../core/stores/providers.ts'
import * as links from '../../core/stores/staff-links.ts'
import * as staffSessions from '../../core/stores/staff-sessions.ts'
import * as suppressions from '../../core/stores/suppressions.ts'
import * as zipCodes from '../../core/stores/zip-codes.ts'
import { DeliveryError, NotNeeded } from '../delivery-error.ts'
import {
  type Composed,
  composeAccountEmail,
  composeApplicationEmail,
  composeCheck,
  composeClinicEmail,
  composeErasureEmail,
  composeLeadEmail,
  composeSyncEmail,
} from '../emails/compose.ts'
import { type Filled, joined } from '../emails/render.tsx'
import { changeOf } from '../emails/sync-changes.tsx'
import { isAboutAnswer, readAnswer } from './answer-emails.ts'
import type {
  AccountTask,
  ApplicationTask,
  CheckTask,
  ErasedLeadTask,
  Handler,
  LeadTask,
  Outcome,
  ProviderTask,
  SyncTask,
  Task,
  WorkerServices,
} from './handler.ts'
import { clinicsLink, personsLink } from './opt-out-links.ts'
import { readReport } from './report-emails.ts'
import { requestLink } from './request-links.ts'

/** Providers named in the team's e-mail when none is in reach. */
const NEAREST_SHOWN = 5

/** E-mails to the clinic of a lead, whose times are the clinic's. */
const IN_CLINICS_TIME: LeadEmailPurpose[] = ['provider', 'reminder', 'late_clinic', 'withdrawn', 'opted_out']

/** Sends one e-mail per task. */
export const sendEmail: Handler = (tasks, services) => {
  const reading = readKnown(tasks, services)
  return tasks.map(async (task) => {
    const known = await reading
    switch (task.of) {
      case 'lead':
        return aboutLead(task, known, services)
      case 'erased lead':
        return aboutErasure(task, known, services)
      case 'application':
        return aboutApplication(task, known, services)
      case 'account':
        return aboutAccount(task, services)
      case 'provider':
        return toClinic(task, services)
      case 'report':
        return deliver(task.job.id, await readReport(task, services), services)
      case 'sync':
        return aboutSync(task, known, services)
      case 'check':
        return aboutCheck(task, services)
      case 'bulk':
      case 'purge':
      case 'alert':
        throw new NotNeeded('Bulk actions, purges and alerts are no such e-mails.')
    }
  })
}

/** The rows that a batch of e-mails is about, read together. */
type Known = {
  /** Finds a provider. Returns null for null, and for a provider that is gone. */
  provider(id: number | null): providers.Provider | null
  /** The leads and applications whose person asked for no contact, by what of them is on the list. */
  suppressed: Map<object, Set<PersonHash['kind']>>
}

async function readKnown(tasks: Task[], { db, env }: WorkerServices): Promise<Known> {
  const ids = tasks.flatMap((task) => {
    if (task.of === 'sync') return task.job.toldProviderId ?? []
    if (task.of === 'erased lead') return task.job.previousProviderId ?? []
    if (task.of !== 'lead') return []
    return [task.job.toldProviderId ?? task.row.provider_id ?? [], task.job.previousProviderId ?? []].flat()
  })
  const people = tasks.flatMap((task) => (task.of === 'lead' || task.of === 'application' ? task.row : []))
  const [found, suppressed] = await Promise.all([
    ids.length > 0 ? providers.findMany(db, [...new Set(ids)]) : [],
    people.length > 0 ? suppressions.ways(db, deriveKey(env.DATA_KEY, 'person-hash'), people) : new Map(),
  ])
  const providerOf = new Map(found.map((provider) => [provider.id, provider]))
  return { provider: (id) => (id === null ? null : (providerOf.get(id) ?? null)), suppressed }
}

async function aboutLead({ job, row: lead }: LeadTask, known: Known, services: WorkerServices): Promise<Outcome> {
  const { db, env } = services
  const purpose = LeadEmailPurpose.parse(job.purpose)
  const isHeld = lead.held_reason !== null
  if (isHeld && purpose !== 'team' && !isQuiet(purpose, lead, known))
    throw new NotNeeded('The lead is held. This is sent when staff release it.')
  refuseUnwanted(purpose, lead, known)
  if (!isHeld && purpose === 'team' && lead.provider_id !== null) throw new NotNeeded('The lead has a provider by now.')

  const later = purpose === 'team' && !lead.is_test ? await leftToSummary({ job, lead, isHeld }, services) : null
  if (later) return later

  const provider = known.provider(job.toldProviderId ?? lead.provider_id)
  if (purpose === 'provider' && !provider) {
    throw new DeliveryError('The lead has no provider to write to.', { cause: 'no_provider', retry: 'never' })
  }
  const previous = known.provider(job.previousProviderId)
  if (job.previousProviderId !== null && (!previous || !provider || previous.id === provider.id)) {
    throw new NotNeeded('The lead has not gone to another clinic.')
  }

  const isSearch = purpose === 'team' && !isHeld
  const nearest = isSearch ? await providers.listNearest(db, lead.zip_code, NEAREST_SHOWN) : []
  const optOutUrl = personsLink(env, lead.email, lead.id)
  const stopped = purpose === 'opted_out' && provider ? await findStopped(lead.id, provider.id, services) : null
  const isTheirs = provider !== null && provider.id === lead.provider_id
  const mailed = isTheirs && { of: 'clinic' as const, mailedAt: job.createdAt, to: provider.requestEmail }
  const requestUrl = mailed ? requestLink(env, lead, mailed) : null
  const answer = isAboutAnswer(purpose) ? await readAnswer(purpose, { job, lead, provider }, services) : null
  const earlier = purpose === 'provider' ? await findEarlierAtSameClinic(lead, services) : null
  const formerPhone = purpose === 'provider' ? await leadEdits.findFormerPhone(db, lead) : null
  const clocks = await readTimes(purpose, { lead, provider, previous }, services)
  const about = { lead, provider, previous, nearest, optOutUrl, stopped, requestUrl, answer, earlier, formerPhone }
  const context = { ...about, ...clocks, env }
  const email = composeLeadEmail(purpose, context)
  const delivered = await deliver(job.id, email, services, isHeld ? { heldReason: lead.held_reason } : {})
  return { ...delivered, sent: { email: copyOf(email, env) } }
}

/** Returns an e-mail as staff may see it: as it was sent, but without its secrets. */
function copyOf({ to, subject, html, text }: Composed, { PUBLIC_URL }: WorkerServices['env']) {
  const inert = (part: Filled) => withoutSecrets(joined(part), PUBLIC_URL)
  return { to, subject, html: inert(html), text: inert(text) }
}

/**
 * Leaves a lead to the next summary to the team, if an e-mail about such a lead was sent within the last hour. What
 * staff resend is always sent. Returns null for a lead that gets an e-mail of its own.
 */
async function leftToSummary(
  { job, lead, isHeld }: { job: LeadTask['job']; lead: Lead; isHeld: boolean },
  { db, env }: WorkerServices,
): Promise<Outcome | null> {
  const finding = leadFinding({ id: lead.id, isHeld })
  const rhythm = (await alerts.teamRhythm(db)) === 'daily' ? 'daily' : 'hourly'
  if (job.generation > 1 || !(await alerts.hasToldTeam(db, finding.event, job.id))) return null
  return {
    result: { summary: rhythm, ...(isHeld && { heldReason: lead.held_reason }) },
    commit: (trx) => alerts.nameInSummary(trx, finding, { rhythm, timeZone: env.NETWORK_TIME_ZONE }),
  }
}

/** Finds the earlier request of the same mailbox, if the clinic of the lead has that one too. Anybody can type a phone. */
async function findEarlierAtSameClinic(lead: Lead, { db }: WorkerServices): Promise<Lead | null> {
  const [earlier = []] = lead.repeat_of === null ? [] : await findEarlier(db, [lead])
  const same = earlier.find(({ isSameEmail }) => isSameEmail)
  const found = same ? await leads.find(db, same.id) : null
  return found && found.provider_id === lead.provider_id && found.held_reason === null ? found : null
}

type Parties = { lead: Lead; provider: providers.Provider | null; previous: providers.Provider | null }

/** Reads what an email to a clinic needs to tell times: nothing for other emails. */
async function readTimes(purpose: LeadEmailPurpose, { lead, provider, previous }: Parties, services: WorkerServices) {
  if (purpose === 'passed_on' && previous) return { timeZone: await timeZoneOf(previous.id, services) }
  if (!provider || !IN_CLINICS_TIME.includes(purpose)) return {}
  const place = purpose === 'provider' ? calledPlace(await zipCodes.find(services.db, lead.zip_code)) : null
  return { ...(await readClocks(lead, provider.id, services)), calling: place && callingAt(place, Date.now()) }
}

const timeZoneOf = (providerId: number, { db, env }: WorkerServices) =>
  calendars.findTimeZone(db, providerId, env.NETWORK_TIME_ZONE)

/**
 * Returns the time zone of a clinic, and the moment by which it should have answered a lead: what its answer clock says, or will say.
 * Null once that has passed, and for a clinic that does not open for a year.
 */
async function readClocks(lead: Lead, providerId: number, { db, env }: WorkerServices) {
  const since = new Date(lead.matched_at ?? lead.created_at)
  const usual = { hours: env.CLINIC_HOURS, timeZone: env.NETWORK_TIME_ZONE, answerHours: env.ANSWER_HOURS }
  const [{ calendar, answerHours }, clocks] = await Promise.all([
    calendars.findOfClinic(db, providerId, since, usual),
    answerClocks.findMany(db, [lead.id]),
  ])
  const kept = lead.provider_id === providerId ? clocks.get(lead.id)?.due_at : null
  const due = kept ? Date.parse(kept) : answerTimes(since.getTime(), answerHours, calendar)?.late
  const callBy = due === undefined || due <= Date.now() ? null : new Date(due).toISOString()
  return { callBy, timeZone: calendar.timeZone }
}

/** Returns the opt-out that the clinic has still to confirm, if there is one. */
async function findStopped(leadId: number, providerId: number, { db, env }: WorkerServices) {
  const [asked] = await clinicOptOuts.find(db, { lead_id: leadId, provider_id: providerId })
  if (!asked) throw new NotNeeded('This person may be contacted again.')
  if (asked.confirmed_at) throw new NotNeeded('The clinic has confirmed already that it stopped.')
  return { url: clinicsLink(env, asked.id), dueAt: asked.due_at }
}

/** Asks a clinic to delete its data of a lead that was deleted for good. */
async function aboutErasure({ job, row: erased }: ErasedLeadTask, known: Known, services: WorkerServices) {
  const purpose = ErasureEmailPurpose.parse(job.purpose)
  const clinic = known.provider(job.previousProviderId)
  if (!clinic) throw new NotNeeded('The clinic is gone.')
  if (!erased) throw new NotNeeded('No record of the deletion is left.')
  const timeZone = await timeZoneOf(clinic.id, services)
  return deliver(job.id, composeErasureEmail(purpose, { erased, clinic, timeZone, env: services.env }), services)
}

async function aboutApplication({ job, row: application }: ApplicationTask, known: Known, services: WorkerServices) {
  const { env } = services
  const purpose = ApplicationEmailPurpose.parse(job.purpose)
  const isHeld = application.held_reason !== null
  if (isHeld && purpose !== 'team' && !isQuiet(purpose, application, known))
    throw new NotNeeded('The application is held. This is sent when staff release it.')
  refuseUnwanted(purpose, application, known)

  const optOutUrl = personsLink(env, application.email, null)
  const email = composeApplicationEmail(purpose, { application, optOutUrl, env })
  return deliver(job.id, email, services, isHeld ? { heldReason: application.held_reason } : {})
}

/**
 * Writes to the owner of a staff account. Each attempt to send a link makes a new token, because only hashes are
 * stored.
 */
async function aboutAccount({ job, row: account }: AccountTask, services: WorkerServices): Promise<Outcome> {
  const { db, env } = services
  const purpose = AccountEmailPurpose.parse(job.purpose)
  const brings = purpose === 'invitation' || purpose === 'reset' ? purpose : null
  const made = brings && (await links.makeToken(db, account.id, brings, job.id))
  if (brings && !made) throw new NotNeeded('The link is not needed any more.')

  const link = made && { ...made, url: staffLinkUrl(env.PUBLIC_URL, made.token) }
  const session = purpose === 'new_browser' ? await staffSessions.findDevice(db, job.id) : null
  const isAboutFactor = purpose === 'new_factor' || purpose === 'factor_removed'
  const act = isAboutFactor ? await auditLog.findActOf(db, job.id) : null
  return deliver(
    job.id,
    composeAccountEmail(purpose, { account, at: job.createdAt, link, session, act, env }),
    services,
  )
}

/** Writes to a clinic about nothing but itself. Each attempt to send a link makes a new token. */
async function toClinic({ job, row: clinic }: ProviderTask, services: WorkerServices): Promise<Outcome> {
  const { db, env } = services
  const purpose = ProviderEmailPurpose.parse(job.purpose)
  const common = { clinic, at: job.createdAt, timeZone: await timeZoneOf(clinic.id, services), env }
  if (purpose === 'clinic_link') {
    const link = await clinicLinks.makeToken(db, job.id)
    if (!link) throw new NotNeeded('The link is not needed any more.')
    const url = clinicSignInUrl(env.PUBLIC_URL, link.token, link.page)
    const { email, expiresAt, invitedBy } = link
    const context = { ...common, to: email, link: { url, expiresAt, invitedBy } }
    return deliver(job.id, composeClinicEmail(purpose, context), services)
  }
  if (purpose === 'test')
    return deliver(job.id, composeClinicEmail(purpose, { ...common, to: clinic.requestEmail }), services)
  const act = await auditLog.findActOf(db, job.id)
  if (!act) throw new NotNeeded('No record of the change is left.')
  const { told, from } = act.details
  const to = (await clinicPeople.isCopy(db, job.id)) ? clinic.email : String(told ?? from)
  return deliver(job.id, composeClinicEmail(purpose, { ...common, to, act }), services)
}

/** Writes to an address that staff have typed, to show whether e-mails are sent. */
async function aboutCheck({ job, row: { to, at } }: CheckTask, services: WorkerServices): Promise<Outcome> {
  if (to === null) throw new NotNeeded('This is a test of the CRM.')
  return deliver(job.id, composeCheck({ to, at, env: services.env }), services)
}

async function aboutSync({ job, row: run }: SyncTask, known: Known, services: WorkerServices): Promise<Outcome> {
  const { db, env } = services
  const purpose = SyncEmailPurpose.parse(job.purpose)
  const provider = known.provider(job.toldProviderId)
  const change = provider && changeOf(run, provider)
  if (purpose === 'provider_changed' && !change) throw new NotNeeded('The provider or the change is gone.')

  // Each attempt has its own link: whether an earlier e-mail arrived is unknown, and its token is not stored.
  const isWaiting = provider?.activation === 'waiting'
  if (change?.kind === 'create' && !isWaiting) throw new NotNeeded('The provider no longer waits for its activation.')
  const newEmail = change?.fields.find(({ field }) => field === 'email')?.to
  const isAsked = provider && newEmail && (await providerEmails.findAsked(db, provider.id)) === newEmail
  const told = { jobId: job.id, providerId: provider?.id ?? 0, email: change?.told ?? '' }
  const token = isWaiting || isAsked ? await clinicLinks.makeTokenFor(db, told) : null
  const link = token && clinicSignInUrl(env.PUBLIC_URL, token, isWaiting ? 'requests' : 'people')
  return deliver(job.id, composeSyncEmail(purpose, { run, provider, link, env }), services)
}

/** Refuses e-mails to a person who asked for no contact, and to a clinic about that person. @throws NotNeeded */
function refuseUnwanted(purpose: string, person: LeadTask['row'] | ApplicationTask['row'], known: Known): void {
  if (isQuiet(purpose, person, known)) return
  if (CONTACTS.includes(purpose) && known.suppressed.has(person)) throw new NotNeeded(ASKED_TO_STOP)
}

/**
 * Returns whether this is the confirmation to the sender of a form that is held because its phone number is on the list. It
 * is the same as for any other form: the number may be somebody else's, and the sender must not learn that it is listed.
 */
function isQuiet(purpose: string, person: LeadTask['row'] | ApplicationTask['row'], { suppressed }: Known): boolean {
  const isConfirmation = purpose === 'visitor' || purpose === 'applicant'
  return isConfirmation && person.held_reason === 'do_not_contact' && !suppressed.get(person)?.has('email')
}

/** Sends the e-mail of a job. The Message-ID comes from the job's row, so every attempt is the same message. */
export async function deliver(
  jobId: string,
  email: Composed,
  { env, mailer }: WorkerServices,
  also: Record<string, unknown> = {},
): Promise<Outcome> {
  const messageId = `<${jobId}@${new URL(env.PUBLIC_URL).hostname}>`
  const { to } = email
  const { response } = await mailer.send({ ...email, messageId }).catch((error) => {
    if (error instanceof DeliveryError) error.to = to
    throw error
  })
  const status = Number(/^\d{3}/.exec(response)?.[0])
  return { result: { messageId, to, response, ...(status && { status }), ...also } }
}
