import { submitApplication } from '../../core/commands/applications/submit-application.ts'
import * as calls from '../../core/contract/applications.ts'
import { Application, ApplicationForm } from '../../core/contract/applications.ts'
import { namedConsent } from '../../core/contract/consent.ts'
import { PATH_AFTER_APPLICATION } from '../../core/contract/page.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { heldReason } from '../../core/rules/automation.ts'
import { practiceKey } from '../../core/rules/duplicates.ts'
import { withoutSearch } from '../../core/rules/logged-query.ts'
import { maskLedger, maskPerson } from '../../core/rules/masking.ts'
import * as applications from '../../core/stores/applications.ts'
import * as auditLog from '../../core/stores/audit-log.ts'
import * as jobs from '../../core/stores/jobs.ts'
import { isApplicantBeyondCap } from '../../core/stores/recent-forms.ts'
import * as suppressions from '../../core/stores/suppressions.ts'
import { answerCsv } from '../csv-answer.ts'
import type { Handle } from '../handle.ts'
import { mailCaps } from '../intake.ts'
import { plainForm } from '../middleware/plain-form.ts'
import { visitOf } from '../middleware/security.ts'
import { seesContacts } from '../middleware/session.ts'
import type { Pages } from '../pages.ts'
import type { Services } from '../services.ts'

const COLUMNS = Application.keyof().options

export function applicationRoutes(handle: Handle, services: Services, pages: Pages): void {
  const { db, env, log, readings, relay } = services
  const caps = mailCaps(env)
  const chainKey = deriveKey(env.DATA_KEY, 'consent-chain')
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')
  const asPlainForm = plainForm({
    pages,
    log,
    form: 'application',
    shape: ApplicationForm,
    next: () => PATH_AFTER_APPLICATION,
  })

  handle(calls.createApplication, asPlainForm, async ({ ctx, idempotencyKey, body: application }) => {
    const visit = visitOf(ctx, env)

    const isSuppressed = await suppressions.isSuppressed(db, personKey, application)
    const repeated = { email: application.email, practiceKey: practiceKey(application), idempotencyKey }
    const isBeyondCap = await isApplicantBeyondCap(db, repeated, caps)
    const looksOdd = heldReason(application, [application.name, application.practice_name], {
      isFromAnotherSite: visit.isFromAnotherSite,
      isWordingKnown: namedConsent('application', application) !== null,
    })
    const reason = isSuppressed ? 'do_not_contact' : (looksOdd ?? (isBeyondCap ? 'many_to_visitor' : null))
    const { receipt } = await submitApplication(
      db,
      { application, idempotencyKey, heldReason: reason, visit },
      chainKey,
    )
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
