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
