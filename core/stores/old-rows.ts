import { type Db, queryRows } from '../platform/db.ts'
import type { Tables } from './tables.ts'

/** The rows of a table that are to be deleted, as an SQL condition. */
export type OldRows = { table: keyof Tables; where: string; bindings?: unknown[] }

/** Rows that are deleted in one transaction, at most. */
const BATCH = 5000

export async function hasRows(db: Db, { table, where, bindings = [] }: OldRows): Promise<boolean> {
  return (await queryRows(db, `select from ${table} where ${where} limit 1`, bindings)).length > 0
}

/** Deletes a batch of the rows. Returns their number. */
export async function deleteRows(
  db: Db,
  { table, where, bindings = [] }: OldRows,
  limit: number = BATCH,
): Promise<number> {
  const old = db.raw(`select ctid from ${table} where ${where} limit ?`, [...bindings, limit] as string[])
  const { rowCount } = await db.raw<{ rowCount: number }>(`delete from ${table} where ctid = any(array(?))`, [old])
  return rowCount
}
