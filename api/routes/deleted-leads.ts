import { restoreLead } from '../../core/commands/leads/delete-lead.ts'
import { purgeLead } from '../../core/commands/leads/purge-leads.ts'
import * as calls from '../../core/contract/deleted-leads.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { maskPerson } from '../../core/rules/masking.ts'
import * as deletedLeads from '../../core/stores/deleted-leads.ts'
import type { Handle } from '../handle.ts'
import { seesContacts } from '../middleware/session.ts'
import type { Services } from '../services.ts'

export function deletedLeadRoutes(handle: Handle, { db, env, readings, relay }: Services): void {
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')

  handle(calls.listDeletedLeads, async ({ ctx, staff, query }) => {
    const list = await deletedLeads.list(db, query, env.DELETED_LEAD_DAYS)
    await readings.note(ctx, { entity: 'lead', ids: list.leads.map(({ id }) => id) })
    return seesContacts(staff) ? list : { ...list, leads: list.leads.map(maskPerson) }
  })

  handle(calls.purgeLead, async ({ params: { id }, actor }) => {
    await purgeLead(db, id, { ...actor, personKey })
    relay.wake()
    return { success: true }
  })

  handle(calls.restoreLead, async ({ params: { id }, actor }) => {
    await restoreLead(db, id, actor)
    relay.wake()
    return { success: true }
  })
}
