import * as jobs from '../../../core/deliveries/stores/jobs.ts'
import type { Row } from '../../../core/tables/table.ts'
import type { TestDatabase } from '../../support/database.ts'

type Database = Pick<TestDatabase, 'db'>

export async function auditLog({
  db,
}: Database): Promise<Pick<Row<'audit_log'>, 'actor' | 'action' | 'entity' | 'entity_id' | 'details'>[]> {
  return db('audit_log').select('actor', 'action', 'entity', 'entity_id', 'details').orderBy('id')
}

export async function ledger({ db }: Database, leadId: number): Promise<string[]> {
  const list = await jobs.list(db, `lead:${leadId}`)
  return list.map(({ name, purpose, generation, state }) => `${name} ${purpose} ${generation} ${state}`)
}
