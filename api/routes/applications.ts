import type Router from '@koa/router'
import { submit } from '../../core/commands/application-submissions.ts'
import {
  Application,
  ApplicationForm,
  ApplicationListQuery,
  type ApplicationReceipt,
  NewApplication,
} from '../../core/contract/applications.ts'
import { namedConsent } from '../../core/contract/consent.ts'
import { IdempotencyKey } from '../../core/contract/forms.ts'
import type { Ledger } from '../../core/contract/jobs.ts'
import { PATH_AFTER_APPLICATION } from '../../core/contract/page.ts'
import { RowParams } from '../../core/contract/rows.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { heldReason } from '../../core/rules/automation.ts'
import { maskLedger, maskPerson } from '../../core/rules/masking.ts'
import * as applications from '../../core/stores/applications.ts'
import * as auditLog from '../../core/stores/audit-log.ts'
import * as jobs from '../../core/stores/jobs.ts'
import { isApplicantBeyondCap } from '../../core/stores/recent-forms.ts'
import * as suppressions from '../../core/stores/suppressions.ts'
import { answerCsv } from '../csv-answer.ts'
import { mailCaps } from '../intake.ts'
import { plainForm } from '../middleware/plain-form.ts'
import { formLimit } from '../middleware/rate-limit.ts'
import { visitOf } from '../middleware/security.ts'
import { seesContacts, staffOnly } from '../middleware/session.ts'
import type { Pages } from '../pages.ts'
import { parse } from '../parse.ts'
import type { Services } from '../services.ts'

const COLUMNS = Application.keyof().options

export function applicationRoutes(router: Router, services: Services, pages: Pages): void {
  const { db, env, log, readings, relay } = services
  const caps = mailCaps(env)
  const chainKey = deriveKey(env.DATA_KEY, 'consent-chain')
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')
  const asPlainForm = plainForm({
    pages,
    log,
    formPages: /^\/clinics$/,
    shape: ApplicationForm,
    home: '/clinics',
    next: () => PATH_AFTER_APPLICATION,
  })

  router.post('/api/provider-applications', asPlainForm, formLimit(env), async (ctx) => {
    const idempotencyKey = parse(IdempotencyKey, ctx.get('idempotency-key') || undefined)
    const application = parse(NewApplication, ctx.request.body)
    const visit = visitOf(ctx, env)

    const isSuppressed = await suppressions.isSuppressed(db, personKey, application)
    const isBeyondCap = await isApplicantBeyondCap(db, application.email, caps)
    const looksOdd = heldReason(application, [application.name, application.practice_name], {
      isFromAnotherSite: visit.isFromAnotherSite,
      isWordingKnown: namedConsent('application', application) !== null,
    })
    const reason = isSuppressed ? 'do_not_contact' : (looksOdd ?? (isBeyondCap ? 'many_to_visitor' : null))
    const { receipt } = await submit(db, { application, idempotencyKey, heldReason: reason, visit }, chainKey)
    relay.wake()

    ctx.status = 201
    ctx.body = receipt satisfies ApplicationReceipt
  })

  router.get('/api/provider-applications', staffOnly(services), async (ctx) => {
    const { page, limit, ...filter } = parse(ApplicationListQuery, ctx.query)
    const list = await applications.list(db, { page, limit, ...filter })
    await readings.note(ctx, {
      entity: 'application',
      ids: list.applications.map(({ id }) => id),
      filter,
    })
    ctx.body = seesContacts(ctx) ? list : { ...list, applications: list.applications.map(maskPerson) }
  })

  router.get('/api/provider-applications.csv', staffOnly(services), async (ctx) => {
    const exported = { name: 'provider-applications', entity: 'application', details: {} } as const
    await answerCsv(ctx, services, exported, { columns: COLUMNS, rows: applications.readAll(db) })
  })

  router.get('/api/provider-applications/:id/jobs', staffOnly(services), async (ctx) => {
    const { id } = parse(RowParams, ctx.params)
    if (!(await applications.find(db, id))) throw applications.notFound()

    await readings.note(ctx, { entity: 'application', ids: [id] })
    const [list, acts] = await Promise.all([
      jobs.list(db, { applicationId: id }),
      auditLog.listActs(db, 'application', id),
    ])
    const ledger: Ledger = { jobs: list, acts }
    ctx.body = seesContacts(ctx) ? ledger : maskLedger(ledger)
  })
}
