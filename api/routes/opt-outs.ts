import { allowContactAt, allowContactOfLead } from '../../core/commands/opt-outs/allow-contact.ts'
import { confirmClinicOptOut } from '../../core/commands/opt-outs/confirm-clinic-opt-out.ts'
import { stopContactByHand, stopContactOfLead } from '../../core/commands/opt-outs/stop-contact.ts'
import * as calls from '../../core/contract/opt-outs.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { maskOptOuts, maskSuppression } from '../../core/rules/masking.ts'
import * as clinicOptOuts from '../../core/stores/clinic-opt-outs.ts'
import { findOfLead } from '../../core/stores/clinic-opt-outs.ts'
import * as suppressions from '../../core/stores/suppressions.ts'
import type { Handle } from '../handle.ts'
import { seesContacts } from '../middleware/session.ts'
import type { Services } from '../services.ts'

/** Registers the calls about people who must not be contacted. */
export function optOutRoutes(handle: Handle, { db, env, relay }: Services): void {
  const key = deriveKey(env.DATA_KEY, 'person-hash')
  const context = { key, timeZone: env.NETWORK_TIME_ZONE }

  handle(calls.listOptOuts, async ({ staff }) => {
    const [overdue, recent] = await Promise.all([clinicOptOuts.listOverdue(db), suppressions.listRecent(db)])
    return seesContacts(staff) ? { overdue, recent } : maskOptOuts({ overdue, recent })
  })

  handle(calls.stopByHand, async ({ body: contact, actor }) => {
    const leads = await stopContactByHand(db, contact, actor, context)
    relay.wake()
    return { success: true, leads }
  })

  handle(calls.getLeadOptOut, async ({ staff, params: { id } }) => {
    const { since, clinics } = await findOfLead(db, id, key)
    return { since: since && !seesContacts(staff) ? maskSuppression(since) : since, clinics }
  })

  handle(calls.stopContact, async ({ params: { id }, actor }) => {
    await stopContactOfLead(db, id, actor, context)
    relay.wake()
    return { success: true }
  })

  handle(calls.liftLeadOptOut, async ({ params: { id }, body: { because }, actor }) => {
    await allowContactOfLead(db, id, { ...actor, because }, key)
    return { success: true }
  })

  handle(calls.confirmOptOut, async ({ params: { id }, actor }) => {
    await confirmClinicOptOut(db, id, actor)
    return { success: true }
  })

  handle(calls.liftSuppression, async ({ params: { id }, body: { because }, actor }) => {
    await allowContactAt(db, id, { ...actor, because })
    return { success: true }
  })
}
