import { AppError } from '../../errors.ts'
import type { Db, Transaction } from '../../platform/db.ts'
import * as auditLog from '../../stores/audit-log.ts'
import * as changes from '../../stores/changes.ts'
import * as leads from '../../stores/leads.ts'
import * as personLinks from '../../stores/person-links.ts'
import type { Actor } from '../actor.ts'

/**
 * Links two leads as requests of the same person. Idempotent.
 * @throws AppError `invalid` for one lead, `not_found`, `conflict` when they are known to be the same person's anyway
 */
export async function linkPerson(db: Db, id: number, otherId: number, { actor }: Actor): Promise<void> {
  if (id === otherId) throw new AppError('invalid', 'A request cannot be linked with itself. Choose another one.')
  await onBoth(db, id, otherId, async (trx) => {
    if (await personLinks.areLinked(trx, id, otherId)) return
    if (await personLinks.isSame(trx, id, otherId)) {
      throw new AppError('conflict', `Request #${otherId} is known to be of the same person already.`)
    }
    await personLinks.add(trx, id, otherId, actor)
    await record(trx, 'link-person', [id, otherId], actor)
  })
}

/** Undoes the link of two leads. @throws AppError `not_found`, `conflict` when staff have not linked them */
export async function unlinkPerson(db: Db, id: number, otherId: number, { actor }: Actor): Promise<void> {
  await onBoth(db, id, otherId, async (trx) => {
    if (!(await personLinks.end(trx, id, otherId, actor))) {
      throw new AppError('conflict', 'These requests are not linked by staff, or the link was undone already.')
    }
    await record(trx, 'unlink-person', [id, otherId], actor)
  })
}

/** Runs a use case in a transaction that holds the locks of two leads, in the order of their ids, and announces both. */
async function onBoth(db: Db, id: number, otherId: number, act: (trx: Transaction) => Promise<void>): Promise<void> {
  await db.transaction(async (trx) => {
    for (const each of [id, otherId].toSorted((a, b) => a - b)) {
      if (!(await leads.lock(trx, each))) throw leads.noSuchLead()
    }
    await act(trx)
    await changes.announce(trx, { leads: [id, otherId] })
  })
}

/** Records the act on both leads, so that it is in the timeline of each. */
async function record(
  trx: Transaction,
  action: 'link-person' | 'unlink-person',
  [id, otherId]: [number, number],
  actor: string,
): Promise<void> {
  await auditLog.record(trx, { actor, action, entity: 'lead', entityId: id, details: { other: otherId } })
  await auditLog.record(trx, { actor, action, entity: 'lead', entityId: otherId, details: { other: id } })
}
