import type { Knex } from 'knex'

export const config = { transaction: false }

/** Lists and counts are read from these indexes alone, which a condition on a column outside of them would prevent. */
const INDEXES: Record<string, [columns: string, where?: string]> = {
  leads_list_idx: ['(created_at, id) include (crm_sync_status, email_status, provider_id, held_reason)'],
  leads_name_idx: [
    `(folded(last_name || ' ' || first_name) collate "C", id)
     include (last_name, first_name, created_at, crm_sync_status, email_status, provider_id, held_reason)`,
  ],
  leads_zip_code_idx: ['(zip_code, id) include (created_at, crm_sync_status, email_status, provider_id, held_reason)'],
  leads_provider_idx: ['(provider_id, created_at, id) include (crm_sync_status, email_status, held_reason)'],
  leads_failed_idx: [
    '(created_at, id) include (crm_sync_status, email_status, provider_id, held_reason)',
    `(crm_sync_status = 'failed' or email_status = 'failed')`,
  ],
  leads_held_idx: ['(id)', 'held_reason is not null'],
  leads_test_idx: ['(id)', 'is_test'],
  leads_outcome_idx: ['(outcome, created_at, id)', 'outcome is not null'],
  leads_repeat_idx: ['(created_at, id)', 'repeat_of is not null'],
}

/** Leaves deleted leads out of the indexes of lists, and lets a new form have the key of a deleted one. */
export async function up(knex: Knex): Promise<void> {
  await rebuild(knex, ['deleted_at is null'])
  await build(knex, 'all_leads_deleted_idx', 'index', 'all_leads (deleted_at, id) where deleted_at is not null')
  const unique = 'all_leads (idempotency_key) where idempotency_key is not null and deleted_at is null'
  await build(knex, 'leads_idempotency_key_idx', 'unique index', unique)
  await knex.raw('alter table all_leads drop constraint if exists leads_idempotency_key_key')
  // Without statistics PostgreSQL takes nearly all leads for deleted.
  await knex.raw('analyze all_leads (deleted_at)')
}

export async function down(knex: Knex): Promise<void> {
  // Two forms may have one key by now, if one was deleted in between.
  await knex.raw('update all_leads set idempotency_key = null where deleted_at is not null')
  await knex.raw('alter table all_leads add constraint leads_idempotency_key_key unique (idempotency_key)')
  await knex.raw('drop index leads_idempotency_key_idx, all_leads_deleted_idx')
  await rebuild(knex, [])
}

async function rebuild(knex: Knex, always: string[]): Promise<void> {
  for (const [name, [columns, where]] of Object.entries(INDEXES)) {
    const conditions = [...(where ? [where] : []), ...always].join(' and ')
    await build(knex, `new_${name}`, 'index', `all_leads ${columns} ${conditions && `where ${conditions}`}`)
    await knex.raw(`drop index concurrently if exists ${name}`)
    await knex.raw(`alter index new_${name} rename to ${name}`)
  }
}

async function build(knex: Knex, name: string, kind: string, on: string): Promise<void> {
  await knex.raw(`drop index concurrently if exists ${name}`)
  await knex.raw(`create ${kind} concurrently ${name} on ${on}`)
}
