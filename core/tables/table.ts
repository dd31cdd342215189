import type { Knex } from 'knex'
import type { Db, Transaction } from '../platform/db.ts'
import type { Tables } from './tables.ts'

declare module 'knex/types/tables.js' {
  interface Tables extends DatabaseTables {}
}
type DatabaseTables = Tables

/** A row of a table, as pg reads it. */
export type Row<Name extends keyof Tables> = Tables[Name]['base']

/** Some columns of a table, and computed ones: the row of a `select` with `raw`, which knex cannot type. */
export type RowWith<Name extends keyof Tables, Column extends keyof Row<Name>, Computed = unknown> = Pick<
  Row<Name>,
  Column
> &
  Computed

/** The columns that a query may write into a table. */
export type Changes<Name extends keyof Tables> = Tables[Name]['update']

/** The number of rows in memory at once. */
const BATCH = 500

/**
 * Reads every row of a query through a cursor, in batches, as of the moment of the first row. Holds one connection of the
 * pool until it ends. A reader that takes no row for a minute loses the connection.
 * @param timeZone the time zone of times in the result
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
    // Nothing was written. A lost connection has ended the transaction already.
    await trx.rollback().catch(() => {})
  }
}
