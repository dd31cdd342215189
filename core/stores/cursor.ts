import type { Knex } from 'knex'
import type { Db, Transaction } from '../platform/db.ts'

/** Rows that are in memory at once. */
const BATCH = 500

/**
 * Every row of a query, as it was when the first was asked for, through a cursor: a batch at a time, as they are asked
 * for. It holds one connection of the pool until it ends, however it ends; a reader who asks for nothing during a minute
 * loses it.
 * @param timeZone in which the query shows times, if it does
 */
export async function* readAll<Row>(
  db: Db,
  query: (trx: Transaction) => Knex.QueryBuilder,
  timeZone = 'UTC',
): AsyncGenerator<Row> {
  const trx = await db.transaction()
  try {
    await trx.raw(`set local idle_in_transaction_session_timeout = '60s'`)
    await trx.raw(`select set_config('timezone', ?, true)`, [timeZone])
    await trx.raw('declare every_row no scroll cursor for ?', [query(trx)])
    for (;;) {
      const { rows } = await trx.raw<{ rows: Row[] }>(`fetch ${BATCH} from every_row`)
      yield* rows
      if (rows.length < BATCH) return
    }
  } finally {
    // Nothing was written. Where the connection is lost, so is the transaction.
    await trx.rollback().catch(() => {})
  }
}
