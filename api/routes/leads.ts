import type Router from '@koa/router'
import { IdempotencyKey } from '../../core/contract/forms.ts'
import type { Ledger } from '../../core/contract/jobs.ts'
import {
  type LeadDetails,
  LeadExportQuery,
  LeadForm,
  type LeadList,
  LeadListQuery,
  type LeadReceipt,
  NewLead,
  NewLeadQuery,
} from '../../core/contract/leads.ts'
import { pathAfterLead } from '../../core/contract/page.ts'
import { RowParams } from '../../core/contract/rows.ts'
import { AppError } from '../../core/errors.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { traceParent } from '../../core/platform/trace.ts'
import { maskDetails, maskLedger, maskPerson } from '../../core/rules/masking.ts'
import * as auditLog from '../../core/stores/audit-log.ts'
import * as exports from '../../core/stores/exports.ts'
import * as jobs from '../../core/stores/jobs.ts'
import * as leadLists from '../../core/stores/lead-lists.ts'
import * as leads from '../../core/stores/leads.ts'
import * as suppressions from '../../core/stores/suppressions.ts'
import { answerCsv } from '../csv-answer.ts'
import { createIntake } from '../intake.ts'
import { plainForm } from '../middleware/plain-form.ts'
import { formLimit } from '../middleware/rate-limit.ts'
import { visitOf } from '../middleware/security.ts'
import { seesContacts, staffOnly } from '../middleware/session.ts'
import type { Pages } from '../pages.ts'
import { parse } from '../parse.ts'
import type { Services } from '../services.ts'

/** The pages that have a lead form. */
const FORM_PAGES = /^\/(start|homev2|microsite)?$/

export function leadRoutes(router: Router, services: Services, pages: Pages): void {
  const { db, env, log, readings, relay } = services
  const timeZone = env.NETWORK_TIME_ZONE
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')
  const takeLead = createIntake(services)

  const asPlainForm = plainForm<LeadReceipt>({
    pages,
    log,
    formPages: FORM_PAGES,
    shape: LeadForm,
    home: '/',
    next: (receipt, { query }) => pathAfterLead(receipt, parse(NewLeadQuery, query).providerId),
  })

  router.post('/api/leads', asPlainForm, formLimit(env), async (ctx) => {
    const { providerId } = parse(NewLeadQuery, ctx.query)
    const idempotencyKey = parse(IdempotencyKey, ctx.get('idempotency-key') || undefined)
    const lead = parse(NewLead, ctx.request.body)

    const { leadId, receipt } = await takeLead({
      lead,
      chosenProviderId: providerId,
      idempotencyKey,
      visit: visitOf(ctx, env),
      requestId: ctx.state.requestId,
      traceParent: traceParent(),
    })
    ctx.state.leadId = leadId
    relay.wake()

    ctx.status = 201
    ctx.body = receipt satisfies LeadReceipt
  })

  router.get('/api/leads', staffOnly(services), async (ctx) => {
    const query = parse(LeadListQuery, ctx.query)
    if (!seesContacts(ctx)) refuseContactSearch(query.q)
    const { total, leads: found } = await leadLists.list(db, { ...query, timeZone })
    const list: LeadList = { leads: await suppressions.mark(db, personKey, found), total }
    await readings.note(ctx, { entity: 'lead', ids: list.leads.map(({ id }) => id), filter: withoutSearch(query) })
    ctx.body = seesContacts(ctx) ? list : { ...list, leads: list.leads.map(maskPerson) }
  })

  router.get('/api/leads.csv', staffOnly(services), async (ctx) => {
    const query = parse(LeadExportQuery, ctx.query)
    const { sort, ...filter } = withoutSearch(query)
    const details = { filter, sort }
    await answerCsv(
      ctx,
      services,
      { name: 'leads', entity: 'lead', details },
      exports.leads(db, { ...query, timeZone }, personKey),
    )
  })

  router.get('/api/leads/:id', staffOnly(services), async (ctx) => {
    const { id } = parse(RowParams, ctx.params)
    const lead = await leads.findDetails(db, id)
    if (!lead) throw noSuchLead()

    await readings.note(ctx, { entity: 'lead', ids: [id] })
    const [marked = lead] = await suppressions.mark(db, personKey, [lead])
    const details = { ...marked, samePerson: await leadLists.listSamePerson(db, lead) }
    ctx.body = (seesContacts(ctx) ? details : maskDetails(details)) satisfies LeadDetails
  })

  router.get('/api/leads/:id/jobs', staffOnly(services), async (ctx) => {
    const { id } = parse(RowParams, ctx.params)
    if (!(await leads.find(db, id))) throw noSuchLead()

    await readings.note(ctx, { entity: 'lead', ids: [id] })
    const [list, acts] = await Promise.all([jobs.list(db, { leadId: id }), auditLog.listActs(db, 'lead', id)])
    const ledger: Ledger = { jobs: list, acts }
    ctx.body = seesContacts(ctx) ? ledger : maskLedger(ledger)
  })
}

const noSuchLead = () => new AppError('not_found', 'There is no such lead. It may have been deleted.')

/** The filter as the logs may have it: a search is for a visitor's name, e-mail or phone. */
function withoutSearch<Query extends { q?: string; page?: number; limit?: number }>({
  q,
  page,
  limit,
  ...filter
}: Query) {
  return { ...filter, ...(q !== undefined && { search: true }) }
}

/** A search for an e-mail or a phone number would tell a viewer, digit by digit, what the list masks. */
function refuseContactSearch(q = ''): void {
  if (!q.includes('@') && q.replace(/\D/g, '').length <= 5) return
  const message = 'You can search by name or zip code. Agents and managers can also search by e-mail and phone.'
  throw new AppError('invalid', message, { fields: { q: message } })
}
