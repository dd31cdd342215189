import { assignProvider } from '../../core/commands/leads/assign-provider.ts'
import { deleteLead } from '../../core/commands/leads/delete-lead.ts'
import { findNext, passOn, planPassingOn } from '../../core/commands/leads/pass-on.ts'
import { recordByStaff } from '../../core/commands/leads/record-outcome.ts'
import { releaseLead } from '../../core/commands/leads/release-lead.ts'
import { undoMatch } from '../../core/commands/leads/undo-match.ts'
import { retryDeliveries } from '../../core/commands/retry-deliveries.ts'
import * as matchCalls from '../../core/contract/lead-match.ts'
import * as calls from '../../core/contract/leads.ts'
import { recordOutcome } from '../../core/contract/outcomes.ts'
import { AppError } from '../../core/errors.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import * as leads from '../../core/stores/leads.ts'
import * as providers from '../../core/stores/providers.ts'
import * as relatedLeads from '../../core/stores/related-leads.ts'
import type { Handle } from '../handle.ts'
import { retryAnswer } from '../retry-answer.ts'
import type { Services } from '../services.ts'

export function leadActionRoutes(handle: Handle, services: Services): void {
  const { db, env, readings, relay } = services
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')
  const radiusMiles = env.MATCH_RADIUS_MILES

  handle(calls.retryLeadSync, async ({ params: { id }, query: { wait }, actor }) => {
    if (env.CRM_KIND === 'none') throw new AppError('conflict', 'No CRM is connected. Set CRM_KIND to connect one.')

    const jobs = await retryDeliveries(db, { leadId: id, name: 'sync-crm' }, actor)
    relay.wake()
    return retryAnswer(services, jobs, wait)
  })

  handle(calls.retryLeadEmail, async ({ params: { id }, query: { wait }, actor }) => {
    const jobs = await retryDeliveries(db, { leadId: id, name: 'send-email' }, actor)
    relay.wake()
    return retryAnswer(services, jobs, wait)
  })

  handle(calls.releaseLead, async ({ params: { id }, body, actor }) => {
    await releaseLead(db, id, { ...actor, radiusMiles, liftKey: personKey, consent: body.consent })
    relay.wake()
    return { success: true }
  })

  handle(matchCalls.assignProvider, async ({ params: { id }, body: { providerId }, actor }) => {
    const lead = await assignProvider(db, id, providerId, actor)
    relay.wake()
    return lead
  })

  handle(matchCalls.undoMatch, async ({ params: { id }, staff, actor }) => {
    await undoMatch(db, id, { ...actor, mayUndoAll: staff.role === 'manager' })
    relay.wake()
    return { success: true }
  })

  handle(matchCalls.getNextClinic, async ({ params: { id } }) => {
    const lead = await leads.find(db, id)
    if (!lead) throw leads.noSuchLead()
    const { providerId, ...found } = await findNext(db, lead, radiusMiles)
    const provider = providerId === null ? null : await providers.find(db, providerId)
    if (!provider || !('miles' in found)) return { clinic: null }
    return { clinic: { id: provider.id, name: provider.name, practiceName: provider.practiceName, miles: found.miles } }
  })

  handle(matchCalls.getWaitingLeads, async ({ params: { id }, query: { late } }) => {
    if (!(await providers.find(db, id))) throw new AppError('not_found', 'There is no such clinic.')
    return planPassingOn(db, id, { radiusMiles, personKey, late })
  })

  handle(matchCalls.passOn, async ({ params: { id }, actor }) => {
    const lead = await passOn(db, id, { ...actor, radiusMiles, personKey })
    relay.wake()
    return lead
  })

  handle(matchCalls.listCandidates, async ({ ctx, params: { id }, query: { q } }) => {
    const lead = await leads.find(db, id)
    if (!lead) throw leads.noSuchLead()
    const [candidates, samePerson] = await Promise.all([
      providers.listCandidates(db, lead.zip_code, q),
      relatedLeads.listOthers(db, id),
    ])
    await readings.note(ctx, { entity: 'lead', ids: [id, ...samePerson.map((other) => other.id)] })
    return { candidates, samePerson, radiusMiles }
  })

  handle(recordOutcome, async ({ params: { id }, body: answer, actor }) => {
    await recordByStaff(db, id, answer, actor)
    relay.wake()
    return { success: true }
  })

  handle(calls.deleteLead, async ({ params: { id }, actor }) => {
    await deleteLead(db, id, actor)
    return { success: true }
  })
}
