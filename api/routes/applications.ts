import {
  addApplicationNote,
  certifyApplication,
  changeApplication,
  deleteApplication,
  deleteApplicationNote,
  releaseApplication,
  type SubmittedApplication,
  submitApplication,
} from '../../core/applications/applications.ts'
import * as calls from '../../core/applications/contract/applications.ts'
import { Application, ApplicationForm, type NewApplication } from '../../core/applications/contract/applications.ts'
import * as applications from '../../core/applications/stores/applications.ts'
import { NOTIFIED_HOURLY } from '../../core/contract/forms.ts'
import { PATH_AFTER_APPLICATION } from '../../core/contract/page.ts'
import { retryAll } from '../../core/deliveries/retry-deliveries.ts'
import { practiceKey, storedKey } from '../../core/leads/rules/duplicates.ts'
import { exceededCap, heldReason, mailCaps } from '../../core/leads/rules/holds.ts'
import { isRepeated, isTeamNotified, type RecentRow, recentFormsQuery } from '../../core/leads/stores/repeats.ts'
import type { FormCounts } from '../../core/leads/submit-lead.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { only, queryRows } from '../../core/platform/db.ts'
import { maskApplication, maskPerson } from '../../core/privacy/rules/masking.ts'
import type { Visit } from '../../core/privacy/stores/consents.ts'
import * as suppressions from '../../core/privacy/stores/suppressions.ts'
import { withoutSearch } from '../../core/staff/rules/exports.ts'
import type { Row } from '../../core/tables/table.ts'
import { answerCsv, retryAnswer } from '../answers.ts'
import type { Handle } from '../handle.ts'
import { plainForm } from '../middleware/plain-form.ts'
import { networkOf } from '../middleware/proxy.ts'
import { visitOf } from '../middleware/security.ts'
import { seesContacts } from '../middleware/session.ts'
import type { Pages } from '../pages.ts'
import type { Services } from '../services.ts'

type Intake = { application: NewApplication; idempotencyKey?: string; visit: Visit }

/**
 * Takes an application; run in turn, so that the caps hold. Holds one of a person who asked not to be contacted, one that
 * looks automated, and one that is too many within an hour, with leads: of one mailbox, of one network or in all.
 * @throws AppError `invalid` when the idempotency key was used for another form
 */
async function takeApplication(
  { db, env }: Pick<Services, 'db' | 'env'>,
  counts: FormCounts,
  { application, idempotencyKey, visit }: Intake,
): Promise<SubmittedApplication> {
  const { email, name, practice_name } = application
  const caps = mailCaps(env)
  const [suppressed, { hour, day, all }] = await Promise.all([
    suppressions.ways(db, deriveKey(env.DATA_KEY, 'person-hash'), [application]),
    queryRows<RecentRow>(db, ...recentFormsQuery([email], caps)).then(only),
  ])
  const ways = suppressed.get(application)
  const held = { held: ways && ('wish' as const) }
  const marks = { form: practiceKey(application, held), key: storedKey(idempotencyKey, held) }
  const network = networkOf(visit.ip)
  const ofItself = heldReason(application, [name, practice_name], visit)
  const beyond = ofItself
    ? null
    : exceededCap({ visitor: { hour, day }, address: counts.read(network), clinic: 0, all }, caps)
  const isRepeat = beyond !== null && (await isRepeated(db, 'provider_applications', marks))
  const ofForm = (ofItself ?? (isRepeat ? null : beyond)) as Row<'provider_applications'>['held_reason']
  const reason = ofForm ?? (ways ? 'do_not_contact' : null)

  const submission = {
    ...{ application, idempotencyKey, visit, heldReason: reason },
    isQuiet: reason === 'do_not_contact' && !ways?.has('email'),
    isNotified: reason !== null && NOTIFIED_HOURLY.includes(reason) && (await isTeamNotified(db, reason)),
  }
  const stored = await submitApplication(db, submission, deriveKey(env.DATA_KEY, 'consent-chain'))
  if (ofForm === null && stored.isNew) counts.add(network)
  return stored
}

const COLUMNS = Application.keyof().options

export function applicationRoutes(handle: Handle, services: Services, pages: Pages, counts: FormCounts): void {
  const { db, env, log, readings } = services
  const asPlainForm = plainForm({
    pages,
    log,
    form: 'application',
    shape: ApplicationForm,
    next: () => PATH_AFTER_APPLICATION,
  })

  handle(calls.createApplication, asPlainForm, async ({ ctx, idempotencyKey, body: application }) => {
    const intake = { application, idempotencyKey, visit: visitOf(ctx, env) }
    const { receipt } = await counts.inTurn('applications', () => takeApplication(services, counts, intake))
    return receipt
  })

  handle(calls.listApplications, async ({ ctx, staff, query }) => {
    const { page, limit, ...filter } = withoutSearch(query)
    const list = await applications.list(db, query)
    await readings.note(ctx, { entity: 'application', ids: list.applications.map(({ id }) => id), filter })
    return seesContacts(staff) ? list : { ...list, applications: list.applications.map(maskPerson) }
  })

  handle(calls.exportApplications, async ({ ctx }) => {
    const exported = { name: 'provider-applications', entity: 'application', details: {} } as const
    await answerCsv(ctx, services, exported, { columns: COLUMNS, rows: applications.readAll(db) })
  })
}

export function applicationActionRoutes(handle: Handle, services: Services): void {
  const { db, env, readings } = services
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')

  handle(calls.updateApplication, ({ params: { id }, body, actor }) => changeApplication(db, id, body, actor))

  handle(calls.retryApplicationEmail, async ({ params: { id }, query: { wait }, actor }) => {
    const jobs = await retryAll(db, `application:${id}`, 'send-email', actor)
    return retryAnswer(services, jobs, wait)
  })

  handle(calls.releaseApplication, ({ params: { id }, actor }) =>
    releaseApplication(db, id, { ...actor, liftKey: personKey }),
  )

  handle(calls.deleteApplication, ({ params: { id }, actor }) => deleteApplication(db, id, { ...actor, personKey }))

  handle(calls.getApplication, async ({ ctx, staff, params: { id } }) => {
    const application = await applications.find(db, id)
    if (!application) throw applications.notFound()

    await readings.note(ctx, { entity: 'application', ids: [id] })
    const found = await applications.read(db, application)
    return seesContacts(staff) ? found : maskApplication(found)
  })

  handle(calls.certifyApplication, async ({ params: { id }, body, actor }) => {
    await certifyApplication(db, id, body, actor)
  })

  handle(calls.addApplicationNote, ({ params: { id }, body, actor }) =>
    addApplicationNote(db, id, body.text.trim(), actor),
  )

  handle(calls.deleteApplicationNote, ({ staff, params: { id, noteId }, actor }) =>
    deleteApplicationNote(db, id, noteId, { ...actor, mayDeleteAll: staff.role === 'manager' }),
  )
}
