import { retry } from '../../core/deliveries/retry-deliveries.ts'
import { AppError } from '../../core/errors.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import * as optOutsCalls from '../../core/privacy/contract/opt-outs.ts'
import type { ErasureRequest } from '../../core/privacy/contract/privacy.ts'
import * as calls from '../../core/privacy/contract/privacy.ts'
import { erasePerson, find } from '../../core/privacy/person.ts'
import { maskSuppression } from '../../core/privacy/rules/masking.ts'
import {
  allowContactAt,
  allowContactOfLead,
  confirmClinicOptOut,
  stopContactByHand,
  stopContactOfLead,
} from '../../core/privacy/stop-contact.ts'
import * as erasures from '../../core/privacy/stores/erasures.ts'
import * as suppressions from '../../core/privacy/stores/suppressions.ts'
import * as auditLog from '../../core/staff/stores/audit-log.ts'
import type { Handle } from '../handle.ts'
import { seesContacts } from '../middleware/session.ts'
import type { Services } from '../services.ts'

export function privacyRoutes(handle: Handle, { db, env, log, readings }: Services): void {
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')

  handle(calls.findPerson, async ({ ctx, body: { contact }, actor }) => {
    const person = await find(db, contact, personKey)
    const [leads, applications] = (['lead', 'application'] as const).map((kind) =>
      person.forms.filter((form) => form.kind === kind).map(({ id }) => id),
    ) as [number[], number[]]
    if (leads.length > 0) await readings.note(ctx, { entity: 'lead', ids: leads })
    if (applications.length > 0) await readings.note(ctx, { entity: 'application', ids: applications })
    const about = { entity: 'person', entityId: 'all', details: { leads, applications } } as const
    await auditLog.record(db, { ...actor, action: 'find-person', ...about })
    return person
  })

  handle(calls.erasePerson, async ({ body: erasure, actor }) => {
    const id = await erasePerson(db, erasure, { ...actor, personKey })
    const receipt = (await erasures.findRequest(db, id)) as ErasureRequest
    // `npm run privacy -- reapply` reads these lines after a backup was restored: the log is not part of the backup.
    for (const { kind, id: row_id, reference, sent_at } of receipt.forms) {
      log.info({ erased: { kind, row_id, reference, sent_at, reason: 'request' } }, 'erased')
    }
    return receipt
  })

  handle(calls.listErasures, ({ query }) => erasures.listRequests(db, query))

  handle(calls.retryErasure, async ({ params: { id }, actor }) => {
    if (!(await erasures.findRequest(db, id))) throw new AppError('not_found', 'There is no such erasure.')
    const failed = await erasures.listFailedJobs(db, id)
    if (failed.length === 0) throw new AppError('conflict', 'Nothing of this erasure has failed.')
    for (const jobId of failed) await retry(db, jobId, actor)
  })
}

export function optOutRoutes(handle: Handle, { db, env }: Services): void {
  const key = deriveKey(env.DATA_KEY, 'person-hash')
  const context = { key, timeZone: env.NETWORK_TIME_ZONE }

  handle(optOutsCalls.listOptOuts, async ({ staff }) => {
    const recent = await suppressions.listRecent(db)
    return { recent: seesContacts(staff) ? recent : recent.map(maskSuppression) }
  })

  handle(optOutsCalls.stopContact, async ({ body, actor }) => {
    const { lead_id: id } = body
    if (id === undefined) return { success: true, leads: await stopContactByHand(db, body, actor, context) }
    await stopContactOfLead(db, id, actor, context)
    return { success: true, leads: 1 }
  })

  handle(optOutsCalls.liftOptOut, async ({ body: { lead_id, suppression_id, because }, actor }) => {
    if (lead_id !== undefined) await allowContactOfLead(db, lead_id, { ...actor, because }, key)
    if (suppression_id !== undefined) await allowContactAt(db, suppression_id, { ...actor, because })
  })

  handle(optOutsCalls.confirmOptOut, async ({ params: { id }, actor }) => {
    await confirmClinicOptOut(db, id, actor)
  })
}
