import { type Db, only, type Transaction } from '../../platform/db.ts'
import type { Row } from '../../tables/table.ts'
import type { NetworkPause, NewNetworkPause } from '../contract/network-pauses.ts'

/** Lists the pauses that have not ended, the earliest first. */
export async function list(db: Db): Promise<NetworkPause[]> {
  const rows = await db('network_pauses').where('ends_at', '>', db.fn.now()).orderBy(['starts_at', 'id'])
  return rows.map(present)
}

/** Makes changes of pauses wait for each other until the transaction ends. */
export async function lock(trx: Transaction): Promise<void> {
  await trx.raw(`select pg_advisory_xact_lock(hashtext('network_pauses'))`)
}

export async function add(trx: Transaction, pause: NewNetworkPause, actor: string): Promise<NetworkPause> {
  return present(
    only(
      await trx('network_pauses')
        .insert({ ...pause, created_by: actor })
        .returning('*'),
    ),
  )
}

/** Ends a pause now, or deletes one that has not begun. Returns it as it was, or null when none is left to end. */
export async function end(trx: Transaction, id: number): Promise<NetworkPause | null> {
  const pause = await trx('network_pauses').where({ id }).where('ends_at', '>', trx.fn.now()).first()
  if (!pause) return null
  const future = await trx('network_pauses').where({ id }).where('starts_at', '>=', trx.fn.now()).delete()
  if (future === 0) await trx('network_pauses').where({ id }).update({ ends_at: trx.fn.now() })
  return present(pause)
}

function present({ starts_at, ends_at, ...row }: Row<'network_pauses'>): NetworkPause {
  return { ...row, starts_at: starts_at.toISOString(), ends_at: ends_at.toISOString() }
}
