import type { Middleware } from 'koa'
import compose from 'koa-compose'
import { Webhook } from 'standardwebhooks'
import { line } from '../../core/contract/forms.ts'
import { retryAll } from '../../core/deliveries/retry-deliveries.ts'
import { AppError } from '../../core/errors.ts'
import { takeCrmOutcome } from '../../core/leads/answers.ts'
import { assignProvider, releaseLead, undoMatch } from '../../core/leads/assign-provider.ts'
import {
  addNote,
  changeWork,
  deleteLead,
  deleteNote,
  editLead,
  purgeLead,
  restoreLead,
} from '../../core/leads/change-lead.ts'
import * as changes from '../../core/leads/contract/lead-changes.ts'
import { receiveCrmMessage, recordOutcome } from '../../core/leads/contract/outcomes.ts'
import { findNext, passOn, planPassingOn } from '../../core/leads/pass-on.ts'
import { recordByStaff } from '../../core/leads/record-outcome.ts'
import * as leadChanges from '../../core/leads/stores/lead-changes.ts'
import * as leads from '../../core/leads/stores/leads.ts'
import * as repeats from '../../core/leads/stores/repeats.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { DELETED_LEAD_DAYS } from '../../core/privacy/contract/data-map.ts'
import { maskPerson } from '../../core/privacy/rules/masking.ts'
import * as providers from '../../core/providers/stores/providers.ts'
import { retryAnswer } from '../answers.ts'
import type { Handle } from '../handle.ts'
import { rateLimit } from '../middleware/rate-limit.ts'
import { requireConfirmation, seesContacts } from '../middleware/session.ts'
import { parse } from '../parse.ts'
import type { Services } from '../services.ts'

export function leadActionRoutes(handle: Handle, services: Services): void {
  const { db, env, readings } = services
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')
  const radiusMiles = env.MATCH_RADIUS_MILES

  handle(changes.retryLeadSync, async ({ params: { id }, query: { wait }, actor }) => {
    if (env.CRM_KIND === 'none') throw new AppError('conflict', 'No CRM is connected. Set CRM_KIND to connect one.')
    return retryAnswer(services, await retryAll(db, `lead:${id}`, 'sync-crm', actor), wait)
  })
  handle(changes.retryLeadEmail, async ({ params: { id }, query: { wait }, actor }) =>
    retryAnswer(services, await retryAll(db, `lead:${id}`, 'send-email', actor), wait),
  )
  handle(changes.releaseLead, ({ params: { id }, body: { consent }, actor }) =>
    releaseLead(db, id, { ...actor, radiusMiles, liftKey: personKey, consent }),
  )
  handle(changes.assignProvider, ({ params: { id }, body: { providerId }, actor }) =>
    assignProvider(db, id, providerId, actor),
  )
  handle(changes.undoMatch, ({ params: { id }, staff, actor }) =>
    undoMatch(db, id, { ...actor, mayUndoAll: staff.role === 'manager' }),
  )
  handle(changes.getWaitingLeads, async ({ params: { id }, query: { late } }) => {
    if (!(await providers.find(db, id))) throw new AppError('not_found', 'There is no such clinic.')
    return planPassingOn(db, id, { radiusMiles, personKey, late })
  })
  handle(changes.passOn, ({ params: { id }, actor }) => passOn(db, id, { ...actor, radiusMiles, personKey }))

  handle(changes.listCandidates, async ({ ctx, params: { id }, query: { q } }) => {
    const lead = await leads.find(db, id)
    if (!lead) throw leads.noSuchLead()
    const [candidates, samePerson, next] = await Promise.all([
      providers.listCandidates(db, lead.zip_code, q),
      repeats.listOthers(db, id),
      findNext(db, lead, radiusMiles),
    ])
    await readings.note(ctx, { entity: 'lead', ids: [id, ...samePerson.map((other) => other.id)] })
    return { candidates, samePerson, radiusMiles, next }
  })

  handle(recordOutcome, async ({ params: { id }, body: answer, actor }) => {
    await recordByStaff(db, id, answer, actor)
  })
  handle(changes.deleteLead, ({ params: { id }, actor }) => deleteLead(db, id, actor))
}

export function leadWorkRoutes(handle: Handle, { db, env }: Services): void {
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')

  handle(changes.editLead, async ({ staff, params: { id }, body, actor }) => {
    // What the clinic answers goes to the new address.
    if (body.email !== undefined && body.email !== (await leads.find(db, id))?.email) requireConfirmation(staff)
    await editLead(db, id, body, { ...actor, personKey })
  })
  handle(changes.changeLeadWork, ({ params: { id }, body, actor }) => changeWork(db, id, body, actor))
  handle(changes.addLeadNote, ({ params: { id }, body, actor }) => addNote(db, id, body, actor))
  handle(changes.deleteLeadNote, ({ staff, params: { id, noteId }, actor }) =>
    deleteNote(db, id, noteId, { ...actor, mayDeleteAll: staff.role === 'manager' }),
  )
}

export function deletedLeadRoutes(handle: Handle, { db, env, readings }: Services): void {
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')

  handle(changes.listDeletedLeads, async ({ ctx, staff, query }) => {
    const list = await leadChanges.list(db, query, DELETED_LEAD_DAYS)
    await readings.note(ctx, { entity: 'lead', ids: list.leads.map(({ id }) => id) })
    return seesContacts(staff) ? list : { ...list, leads: list.leads.map(maskPerson) }
  })
  handle(changes.purgeLead, ({ params: { id }, actor }) => purgeLead(db, id, { ...actor, personKey }))
  handle(changes.restoreLead, ({ params: { id }, actor }) => restoreLead(db, id, actor))
}

const MAX_PER_MINUTE = 600
const TOO_MANY = 'Too many messages came from your network. Please try again in a minute.'

/** The id of a message, which may come more than once. */
const MessageId = line('The header webhook-id', 200)

/** Registers the webhook by which the CRM reports outcomes of leads. */
export function crmHookRoutes(handle: Handle, { db, env }: Services): void {
  const context = { key: deriveKey(env.DATA_KEY, 'person-hash'), timeZone: env.NETWORK_TIME_ZONE }
  const signed = compose([rateLimit(MAX_PER_MINUTE, TOO_MANY), signedBy(env.CRM_INBOUND_SECRET)])

  handle(receiveCrmMessage, signed, async ({ ctx, body }) => {
    await takeCrmOutcome(db, body, parse(MessageId, ctx.get('webhook-id')), context)
  })
}

/** Admits messages that are signed with the secret (Standard Webhooks 1.0.0) within five minutes. Without one, the address does not exist. */
function signedBy(secret: string | undefined): Middleware {
  const webhook = secret === undefined ? undefined : new Webhook(secret)
  return (ctx, next) => {
    if (!webhook) throw new AppError('not_found', 'There is nothing at this address.')
    try {
      // A repeated header is joined with a comma, and matches no signature.
      webhook.verify(String(ctx.request.rawBody), ctx.headers as Record<string, string>, { jsonParse: false })
    } catch (cause) {
      throw new AppError('unauthorized', 'The signature of this message is missing, wrong, or too old.', { cause })
    }
    return next()
  }
}
