import { deriveKey } from '../../core/platform/data-key.ts'
import * as calls from '../../core/privacy/contract/opt-outs.ts'
import { maskSuppression } from '../../core/privacy/rules/masking.ts'
import {
  allowContactAt,
  allowContactOfLead,
  confirmClinicOptOut,
  stopContactByHand,
  stopContactOfLead,
} from '../../core/privacy/stop-contact.ts'
import * as suppressions from '../../core/privacy/stores/suppressions.ts'
import type { Handle } from '../handle.ts'
import { seesContacts } from '../middleware/session.ts'
import type { Services } from '../services.ts'

/** Registers the calls about people who must not be contacted. */
export function optOutRoutes(handle: Handle, { db, env }: Services): void {
  const key = deriveKey(env.DATA_KEY, 'person-hash')
  const context = { key, timeZone: env.NETWORK_TIME_ZONE }

  handle(calls.listOptOuts, async ({ staff }) => {
    const recent = await suppressions.listRecent(db)
    return { recent: seesContacts(staff) ? recent : recent.map(maskSuppression) }
  })

  handle(calls.stopContact, async ({ body, actor }) => {
    const { lead_id: id } = body
    if (id === undefined) return { success: true, leads: await stopContactByHand(db, body, actor, context) }
    await stopContactOfLead(db, id, actor, context)
    return { success: true, leads: 1 }
  })

  handle(calls.liftOptOut, async ({ body: { lead_id, suppression_id, because }, actor }) => {
    if (lead_id !== undefined) await allowContactOfLead(db, lead_id, { ...actor, because }, key)
    if (suppression_id !== undefined) await allowContactAt(db, suppression_id, { ...actor, because })
    return { success: true }
  })

  handle(calls.confirmOptOut, async ({ params: { id }, actor }) => {
    await confirmClinicOptOut(db, id, actor)
    return { success: true }
  })
}
