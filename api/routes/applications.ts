import * as calls from '../../core/contract/applications.ts'
import { Application, ApplicationForm } from '../../core/contract/applications.ts'
import { PATH_AFTER_APPLICATION } from '../../core/contract/page.ts'
import { withoutSearch } from '../../core/rules/logged-query.ts'
import { maskLedger, maskPerson } from '../../core/rules/masking.ts'
import * as applications from '../../core/stores/applications.ts'
import * as auditLog from '../../core/stores/audit-log.ts'
import * as jobs from '../../core/stores/jobs.ts'
import { createApplicationIntake } from '../application-intake.ts'
import { answerCsv } from '../csv-answer.ts'
import type { FormCounts } from '../form-counts.ts'
import type { Handle } from '../handle.ts'
import { plainForm } from '../middleware/plain-form.ts'
import { visitOf } from '../middleware/security.ts'
import { seesContacts } from '../middleware/session.ts'
import type { Pages } from '../pages.ts'
import type { Services } from '../services.ts'

const COLUMNS = Application.keyof().options

export function applicationRoutes(handle: Handle, services: Services, pages: Pages, counts: FormCounts): void {
  const { db, env, log, readings, relay } = services
  const takeApplication = createApplicationIntake(services, counts)
  const asPlainForm = plainForm({
    pages,
    log,
    form: 'application',
    shape: ApplicationForm,
    next: () => PATH_AFTER_APPLICATION,
  })

  handle(calls.createApplication, asPlainForm, async ({ ctx, idempotencyKey, body: application }) => {
    const { receipt } = await takeApplication({ application, idempotencyKey, visit: visitOf(ctx, env) })
    relay.wake()
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

  handle(calls.listApplicationJobs, async ({ ctx, staff, params: { id } }) => {
    if (!(await applications.find(db, id))) throw applications.notFound()

    await readings.note(ctx, { entity: 'application', ids: [id] })
    const [list, acts] = await Promise.all([
      jobs.list(db, { applicationId: id }),
      auditLog.listActs(db, 'application', id),
    ])
    const ledger = { jobs: list, acts, outcomes: [], edits: [], notes: [] }
    return seesContacts(staff) ? ledger : maskLedger(ledger)
  })
}
