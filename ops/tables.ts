import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isMain } from '../core/cli/command-line.ts'
import { deriveJobChecks } from '../core/migrate.ts'
import { type Db, openDb, queryRows } from '../core/platform/db.ts'
import { migrate } from '../core/platform/migrations.ts'
import { startPostgres } from '../local/postgres.ts'

/** The types that pg reads a value as, by the type in PostgreSQL. It reads every other one as text. */
const TYPES: Record<string, string> = {
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  float4: 'number',
  float8: 'number',
  date: 'Date',
  timestamptz: 'Date',
  bytea: 'Buffer',
}
/** Columns of text whose values the contract lists, and no constraint: `ColumnTypes` has their types, and those of JSON. */
const LISTED_BY_CONTRACT = [
  'alert_states.event',
  'audit_log.action',
  'audit_log.entity',
  'jobs.name',
  'jobs.subject_kind',
  'one_time_tokens.page',
]
/** Columns that hold a row of another table as JSON. */
const ROWS: Record<string, string> = {
  'match_changes.before': 'leads',
  'match_changes.clock': 'answer_clocks',
}
/** Types that are written in another form than they are read: JSON as text, integers of 64 bits as numbers. */
const WRITTEN_OTHERWISE = ['json', 'jsonb', 'int8']

type Column = {
  table: string
  name: string
  type: string
  isArray: boolean
  isNullable: boolean
  hasDefault: boolean
  /** The check constraint that lists the column's values, if there is one. */
  values: string | null
}

/** Returns the types of the tables of a migrated database, as `core/tables/tables.ts` has them. */
export async function describeTables(db: Db): Promise<string> {
  const columns = await queryRows<Column>(
    db,
    `select relname as table, attname as name, base.typcategory = 'A' as "isArray",
       coalesce(element.typname, base.typname) as type, not attnotnull as "isNullable",
       atthasdef or attidentity <> '' as "hasDefault",
       (select pg_get_constraintdef(oid) from pg_constraint
        where conrelid = pg_class.oid and contype = 'c' and conkey = array[attnum]
          and starts_with(pg_get_constraintdef(oid), 'CHECK ((' || attname || ' = ANY (ARRAY[') limit 1) as values
     from pg_class
     join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
     join pg_type own on own.oid = atttypid
     join pg_type base on base.oid = case own.typtype when 'd' then own.typbasetype else own.oid end
     left join pg_type element on element.oid = base.typelem and base.typcategory = 'A'
     where relkind = 'r' and relnamespace = 'public'::regnamespace
     order by relname collate "C", attnum`,
  )
  const tables = new Map<string, Column[]>()
  for (const column of columns) tables.set(column.table, [...(tables.get(column.table) ?? []), column])
  return `// Written by \`npm run tables\` from a migrated database; a test compares it with one. Do not edit.
import type { Column, ColumnTypes, JsonRow, Table } from './column-types.ts'

export interface Tables {
${[...tables].map(([name, own]) => describeTable(name, own)).join('\n')}
  /** A view of those that are not deleted, which PostgreSQL writes through: core/leads/stores/lead-changes.ts. */
  leads: Tables['all_leads']
}
`
}

function describeTable(name: string, columns: Column[]): string {
  return `  ${name}: Table<{
${columns.map((column) => `    ${column.name}: ${describeColumn(column)}`).join('\n')}
  }>`
}

function describeColumn(column: Column): string {
  const kinds = [column.hasDefault && `'default'`, WRITTEN_OTHERWISE.includes(column.type) && `'converted'`].filter(
    Boolean,
  )
  return kinds.length === 0 ? typeOf(column) : `Column<${typeOf(column)}, ${kinds.join(' | ')}>`
}

function typeOf({ table, name, type, isArray, isNullable, values }: Column): string {
  const listed = values && [...values.matchAll(/'([^']*)'::text/g)].map(([, value]) => `'${value}'`).join(' | ')
  const path = `${table}.${name}`
  const row = ROWS[path] && `JsonRow<Tables['${ROWS[path]}']['base']>`
  const isOurs = type.startsWith('json') || LISTED_BY_CONTRACT.includes(path)
  const single = row ?? (isOurs ? `ColumnTypes['${path}']` : listed || TYPES[type] || 'string')
  return `${single}${isArray ? '[]' : ''}${isNullable ? ' | null' : ''}`
}

/** Runs `npm run tables`, which writes the types from a new database that every migration has run on. */
async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'leadwell-tables-'))
  const postgres = await startPostgres({ dataDir, fsync: false })
  const db = openDb(postgres.url)
  try {
    await migrate(db)
    await deriveJobChecks(db)
    await writeFile(new URL('../core/tables/tables.ts', import.meta.url), await describeTables(db))
  } finally {
    await db.destroy()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

if (isMain(import.meta.url)) await main()
