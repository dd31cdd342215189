import type { Context } from 'koa'
import { createLead, LeadForm, type LeadReceipt, NewLeadQuery } from '../../core/contract/forms.ts'
import { pathAfterLead } from '../../core/contract/page.ts'
import { asciiDigits } from '../../core/contract/texts.ts'
import { getSentEmail, getSentPayload, showSentEmail } from '../../core/deliveries/contract/jobs.ts'
import * as jobs from '../../core/deliveries/stores/jobs.ts'
import * as sentMessages from '../../core/deliveries/stores/sent-messages.ts'
import { AppError } from '../../core/errors.ts'
import { enterLead } from '../../core/leads/contract/lead-changes.ts'
import * as calls from '../../core/leads/contract/leads.ts'
import * as leadChanges from '../../core/leads/stores/lead-changes.ts'
import * as leadLists from '../../core/leads/stores/lead-lists.ts'
import * as leads from '../../core/leads/stores/leads.ts'
import * as outcomes from '../../core/leads/stores/outcomes.ts'
import * as repeats from '../../core/leads/stores/repeats.ts'
import type { Intake } from '../../core/leads/submit-lead.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { type Db, only } from '../../core/platform/db.ts'
import { maskDetails, maskLedger, maskPerson } from '../../core/privacy/rules/masking.ts'
import * as suppressions from '../../core/privacy/stores/suppressions.ts'
import { exportName, loggedQuery, withoutSearch } from '../../core/staff/rules/exports.ts'
import * as auditLog from '../../core/staff/stores/audit-log.ts'
import * as bulk from '../../core/staff/stores/bulk.ts'
import { answerCsv } from '../answers.ts'
import type { Handle } from '../handle.ts'
import { plainForm } from '../middleware/plain-form.ts'
import { networkOf } from '../middleware/proxy.ts'
import { onlyShown, visitOf } from '../middleware/security.ts'
import { seesContacts } from '../middleware/session.ts'
import type { Pages } from '../pages.ts'
import { parse } from '../parse.ts'
import type { Services } from '../services.ts'

/** The calls about leads: forms, lists, exports, and one lead. One function, because each call is a few lines that share the keys. */
export function leadRoutes(handle: Handle, services: Services, pages: Pages, intake: Intake): void {
  const { db, env, log, readings } = services
  const timeZone = env.NETWORK_TIME_ZONE
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')

  const asPlainForm = plainForm<LeadReceipt>({
    pages,
    log,
    form: 'lead',
    shape: LeadForm,
    next: (receipt, { query }) => pathAfterLead(receipt, parse(NewLeadQuery, query).providerId),
  })

  handle(createLead, asPlainForm, async ({ ctx, query: { providerId }, idempotencyKey, body: lead }) => {
    const { leadId, receipt } = await intake.submit({
      lead,
      chosenProviderId: providerId,
      idempotencyKey,
      visit: visitOf(ctx, env),
      network: networkOf(ctx.ip),
      requestId: ctx.state.requestId,
    })
    ctx.state.leadId = leadId
    return receipt
  })

  handle(enterLead, async ({ ctx, body: { agreed: acceptance_consent, ...fields }, actor }) => {
    const { leadId, heldReason } = await intake.submit({
      lead: { ...fields, acceptance_consent, acceptance_message: '', attribution: { first: PHONE, last: PHONE } },
      visit: { ip: null, userAgent: `Read aloud on the phone by ${actor.actor}`, pageUrl: '', channel: 'phone' },
      isByStaff: true,
      requestId: ctx.state.requestId,
    })
    await auditLog.record(db, { actor: actor.actor, action: 'enter', entity: 'lead', entityId: leadId })
    return { id: leadId, held: heldReason !== null }
  })

  handle(calls.listLeads, async ({ ctx, staff, query }) => {
    if (!seesContacts(staff)) refuseContactSearch(query.q)
    const isMasked = query.q !== undefined && !seesContacts(staff)
    const { total, leads: found } = await leadLists.list(db, { ...query, timeZone, ...(isMasked && { isMasked }) })
    const list = { leads: await suppressions.mark(db, personKey, found), total }
    const { page, limit, ...filter } = withoutSearch(query)
    await readings.note(ctx, { entity: 'lead', ids: list.leads.map(({ id }) => id), filter })
    return seesContacts(staff) ? list : { ...list, leads: list.leads.map(maskPerson) }
  })

  handle(calls.listFilterValues, async ({ actor }) => ({
    counts: await leadLists.countAttention(db, timeZone, actor.actorId ?? null),
    ...(await leads.listValues(db)),
    ...(await leadChanges.listOptions(db)),
  }))

  handle(calls.exportLeads, async ({ ctx, query }) => {
    const name = exportName(query, new Date(), timeZone)
    const exported = { name, entity: 'lead', details: loggedQuery(query) } as const
    await answerCsv(ctx, services, exported, bulk.exportLeads(db, { ...query, timeZone }, personKey))
  })

  handle(calls.getLead, async ({ ctx, staff, params: { id } }) => {
    const lead = await leads.findDetails(db, id)
    if (!lead) throw leads.noSuchLead()

    await readings.note(ctx, { entity: 'lead', ids: [id] })
    const [marked = lead] = await suppressions.mark(db, personKey, [lead])
    const [counted, samePerson, work, opt_out, current] = await Promise.all([
      repeats.count(db, [marked]),
      repeats.listOthers(db, id),
      leadChanges.findWorkAndNotes(db, id),
      suppressions.findOfLead(db, lead, personKey),
      outcomes.findCurrent(db, [id]),
    ])
    const booked_for = current.get(id)?.booked_for ?? null
    const details = { ...only(counted), samePerson, ...work, opt_out, booked_for }
    return seesContacts(staff) ? details : maskDetails(details)
  })

  handle(calls.listLeadJobs, async ({ ctx, staff, params: { id } }) => {
    if (!(await leads.find(db, id))) throw leads.noSuchLead()

    await readings.note(ctx, { entity: 'lead', ids: [id] })
    const [list, acts, stated, edits] = await Promise.all([
      jobs.list(db, `lead:${id}`),
      auditLog.listActs(db, 'lead', id),
      outcomes.list(db, id),
      leadChanges.listEdits(db, id),
    ])
    const ledger = { jobs: list, acts, outcomes: stated, edits }
    return seesContacts(staff) ? ledger : maskLedger(ledger)
  })

  /** Reads a copy of what a job of a lead has sent. @throws AppError `not_found` */
  const readCopy = async <Copy>(
    ctx: Context,
    { id, jobId }: { id: number; jobId: string },
    find: (db: Db, of: { leadId: number; jobId: string }) => Promise<Copy | null>,
  ): Promise<Copy> => {
    if (!(await leads.find(db, id))) throw leads.noSuchLead()
    const copy = await find(db, { leadId: id, jobId })
    if (!copy) throw new AppError('not_found', 'No copy of this message is kept.')
    await readings.note(ctx, { entity: 'lead', ids: [id] })
    return copy
  }

  handle(getSentEmail, async ({ ctx, params }) => {
    const { html: _, ...email } = await readCopy(ctx, params, sentMessages.findEmail)
    return email
  })

  handle(showSentEmail, async ({ ctx, params }) => {
    const { html } = await readCopy(ctx, params, sentMessages.findEmail)
    onlyShown(ctx)
    ctx.type = 'text/html; charset=utf-8'
    ctx.body = html
  })

  handle(getSentPayload, ({ ctx, params }) => readCopy(ctx, params, sentMessages.findPayload))
}

const PHONE = { utm_source: 'phone' }

/** Refuses searches of viewers for emails and phone numbers, which they could not find: their searches look at neither. */
function refuseContactSearch(q = ''): void {
  const withoutNumbers = q.replace(/(^|\s)#\d{1,9}(?=\s|$)/g, ' ')
  if (!q.includes('@') && asciiDigits(withoutNumbers).replace(/\D/g, '').length <= 5) return
  const message =
    'You can search by name, provider, place, zip code or lead number. Agents and managers can also search by email and phone.'
  throw new AppError('invalid', message, { fields: { q: message } })
}
