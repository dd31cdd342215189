import {
  addApplicationNote,
  assignApplication,
  certifyApplication,
  deleteApplication,
  deleteApplicationNote,
  releaseApplication,
  setApplicationStatus,
} from '../../core/applications/change-application.ts'
import * as applicationDetailsCalls from '../../core/applications/contract/applications.ts'
import { Application, ApplicationForm } from '../../core/applications/contract/applications.ts'
import * as applications from '../../core/applications/stores/applications.ts'
import { PATH_AFTER_APPLICATION } from '../../core/contract/page.ts'
import { retryAll } from '../../core/deliveries/retry-deliveries.ts'
import type { FormCounts } from '../../core/leads/form-counts.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { maskApplication, maskPerson } from '../../core/privacy/rules/masking.ts'
import { withoutSearch } from '../../core/staff/rules/logged-query.ts'
import { takeApplication } from '../application-intake.ts'
import { answerCsv } from '../csv-answer.ts'
import type { Handle } from '../handle.ts'
import { plainForm } from '../middleware/plain-form.ts'
import { visitOf } from '../middleware/security.ts'
import { seesContacts } from '../middleware/session.ts'
import type { Pages } from '../pages.ts'
import { retryAnswer } from '../retry-answer.ts'
import type { Services } from '../services.ts'

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

  handle(applicationDetailsCalls.createApplication, asPlainForm, async ({ ctx, idempotencyKey, body: application }) => {
    const { receipt } = await takeApplication(services, counts, {
      application,
      idempotencyKey,
      visit: visitOf(ctx, env),
    })
    return receipt
  })

  handle(applicationDetailsCalls.listApplications, async ({ ctx, staff, query }) => {
    const { page, limit, ...filter } = withoutSearch(query)
    const list = await applications.list(db, query)
    await readings.note(ctx, { entity: 'application', ids: list.applications.map(({ id }) => id), filter })
    return seesContacts(staff) ? list : { ...list, applications: list.applications.map(maskPerson) }
  })

  handle(applicationDetailsCalls.exportApplications, async ({ ctx }) => {
    const exported = { name: 'provider-applications', entity: 'application', details: {} } as const
    await answerCsv(ctx, services, exported, { columns: COLUMNS, rows: applications.readAll(db) })
  })
}

export function applicationActionRoutes(handle: Handle, services: Services): void {
  const { db, env } = services
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')

  handle(applicationDetailsCalls.updateApplication, async ({ params: { id }, body: { status, owner_id }, actor }) => {
    if (owner_id !== undefined) await assignApplication(db, id, owner_id, actor)
    if (status !== undefined) await setApplicationStatus(db, id, status, actor)
    const application = await applications.find(db, id)
    if (!application) throw applications.notFound()
    return application
  })

  handle(applicationDetailsCalls.retryApplicationEmail, async ({ params: { id }, query: { wait }, actor }) => {
    const jobs = await retryAll(db, `application:${id}`, 'send-email', actor)
    return retryAnswer(services, jobs, wait)
  })

  handle(applicationDetailsCalls.releaseApplication, async ({ params: { id }, actor }) => {
    await releaseApplication(db, id, { ...actor, liftKey: personKey })
    return { success: true }
  })

  handle(applicationDetailsCalls.deleteApplication, async ({ params: { id }, actor }) => {
    await deleteApplication(db, id, { ...actor, personKey })
    return { success: true }
  })
}

export function applicationDetailsRoutes(handle: Handle, { db, readings }: Services): void {
  handle(applicationDetailsCalls.getApplication, async ({ ctx, staff, params: { id } }) => {
    const application = await applications.find(db, id)
    if (!application) throw applications.notFound()

    await readings.note(ctx, { entity: 'application', ids: [id] })
    const found = await applications.read(db, application)
    return seesContacts(staff) ? found : maskApplication(found)
  })

  handle(applicationDetailsCalls.certifyApplication, async ({ params: { id }, body, actor }) => {
    await certifyApplication(db, id, body, actor)
    return { success: true }
  })

  handle(applicationDetailsCalls.addApplicationNote, async ({ params: { id }, body, actor }) => {
    await addApplicationNote(db, id, body.text.trim(), actor)
    return { success: true }
  })

  handle(applicationDetailsCalls.deleteApplicationNote, async ({ staff, params: { id, noteId }, actor }) => {
    await deleteApplicationNote(db, id, noteId, { ...actor, mayDeleteAll: staff.role === 'manager' })
    return { success: true }
  })
}
