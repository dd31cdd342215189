import type { Application } from '../../core/applications/contract/applications.ts'
import { leadSearch } from '../../core/conditions/condition.ts'
import { alertOfLead } from '../../core/conditions/leads.ts'
import * as alerts from '../../core/conditions/stores/alerts.ts'
import { CONTACTS } from '../../core/deliveries/rules/deliveries.ts'
import type { Lead } from '../../core/leads/contract/leads.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { ASKED_TO_STOP } from '../../core/privacy/stop-contact.ts'
import * as suppressions from '../../core/privacy/stores/suppressions.ts'
import * as providers from '../../core/providers/stores/providers.ts'
import { DeliveryError, NotNeeded } from '../delivery-error.ts'
import type { Known } from '../emails/email.ts'
import { type Composed, compose, findEmail } from '../emails/emails.ts'
import { withoutSecrets } from '../emails/links.ts'
import { asTest } from '../emails/test.tsx'
import type { Handler, Outcome, Task, TaskAbout, WorkerServices } from './handler.ts'

/** Sends one email per task. */
export const sendEmail: Handler = (tasks, services) => {
  const reading = readKnown(tasks, services)
  return tasks.map(async (task) => send(task, await reading, services))
}

async function readKnown(tasks: Task[], { db, env }: WorkerServices): Promise<Known> {
  const ids = tasks.flatMap((task) => {
    const { providerId, previousProviderId } = task.job.payload
    return [providerId, previousProviderId, task.of === 'lead' ? task.row.provider_id : null].filter((id) => id != null)
  })
  const people = tasks.flatMap((task) => (task.of === 'lead' || task.of === 'application' ? task.row : []))
  const [found, suppressed] = await Promise.all([
    ids.length > 0 ? providers.findMany(db, [...new Set(ids)]) : [],
    people.length > 0 ? suppressions.ways(db, deriveKey(env.DATA_KEY, 'person-hash'), people) : new Map(),
  ])
  const providerOf = new Map(found.map((provider) => [provider.id, provider]))
  return { provider: (id) => (id === null ? null : (providerOf.get(id) ?? null)), suppressed }
}

async function send(task: Task, known: Known, services: WorkerServices): Promise<Outcome> {
  const { job } = task
  const definition = findEmail(task.of, job.purpose)
  if (!definition) throw new NotNeeded('There is no such email.')

  const person = task.of === 'lead' || task.of === 'application' ? task.row : null
  if (task.of === 'lead' || task.of === 'application') refuseUnwanted(task.of, job.purpose, task.row, known)
  const later = task.of === 'lead' ? await leftToSummary(task, services) : null
  if (later) return later

  const draft = await definition.prepare(task, { ...services, known })
  const email = compose(task.of === 'lead' && task.row.is_test ? asTest(draft, task.row) : draft)
  const also = person?.held_reason ? { heldReason: person.held_reason } : {}
  const delivered = await deliver(job.id, email, services, also)
  return task.of === 'lead' ? { ...delivered, sent: { email: copyOf(email, services.env) } } : delivered
}

/** Returns an email as staff may see it: as it was sent, but without its secrets. */
function copyOf({ to, subject, html, text }: Composed, { PUBLIC_URL }: WorkerServices['env']) {
  return { to, subject, html: withoutSecrets(html, PUBLIC_URL), text: withoutSecrets(text, PUBLIC_URL) }
}

/**
 * Leaves a lead to the next summary to the team, if an email about such a lead was sent within the last hour. What
 * staff resend is always sent. Returns null for a lead that gets an email of its own.
 */
async function leftToSummary(
  { job, row: lead }: TaskAbout<'lead'>,
  { db, env }: WorkerServices,
): Promise<Outcome | null> {
  const isHeld = lead.held_reason !== null
  const isNews = job.purpose === 'team' && (isHeld || lead.provider_id === null)
  if (!isNews || lead.is_test || job.generation > 1) return null
  const event: alerts.NamedEvent = isHeld ? 'held' : 'unmatched'
  const about = { title: alertOfLead(event, lead.id), path: `/admin${leadSearch(lead.id)}` }
  const finding = { event, subject: String(lead.id), ...about }
  const rhythm = (await alerts.teamRhythm(db)) === 'daily' ? 'daily' : 'hourly'
  if (!(await alerts.hasToldTeam(db, event, job.id))) return null
  return {
    result: { summary: rhythm, ...(isHeld && { heldReason: lead.held_reason }) },
    commit: (trx) => alerts.nameInSummary(trx, finding, { rhythm, timeZone: env.NETWORK_TIME_ZONE }),
  }
}

type Person = Lead | Application

/**
 * Refuses emails about a held form, and those to or about a person who asked for no contact, except the confirmation to
 * the sender of a form that is held because its phone number is on the list. It is the same as for any other form: the
 * number may be somebody else's, and the sender must not learn that it is listed.
 * @throws NotNeeded
 */
function refuseUnwanted(of: 'lead' | 'application', purpose: string, person: Person, { suppressed }: Known): void {
  const isConfirmation = purpose === 'visitor' || purpose === 'applicant'
  if (isConfirmation && person.held_reason === 'do_not_contact' && !suppressed.get(person)?.has('email')) return
  if (person.held_reason !== null && purpose !== 'team') {
    throw new NotNeeded(`The ${of} is held. This is sent when staff release it.`)
  }
  if (CONTACTS.includes(purpose) && suppressed.has(person)) throw new NotNeeded(ASKED_TO_STOP)
}

/** Sends the email of a job. The Message-ID comes from the job's row, so every attempt is the same message. */
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
