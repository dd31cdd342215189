import type { Knex } from 'knex'

/**
 * A deleted lead keeps its row. `leads` becomes a view of the others, so that no query finds a deleted one unless it asks for
 * `all_leads`. Its cancelled jobs go on if it is restored: they ended at the very moment of the deletion.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table leads add column deleted_at timestamptz;
    alter table leads rename to all_leads;
    create view leads as select * from all_leads where deleted_at is null;

    -- The key and the window may belong to a later form of the same person. Leads of early releases lack later columns.
    insert into all_leads overriding system value
    select restored.* from deleted_leads cross join jsonb_populate_record(null::all_leads,
      '{"is_test": false, "attribution": {}, "email_status": "pending"}' || lead
        || jsonb_build_object('deleted_at', deleted_at, 'idempotency_key', null, 'repeat_window', 'empty')) restored;
    update jobs set finished_at = deleted_at from deleted_leads
    where jobs.id = any(parked_jobs) and lead_id = deleted_leads.id and state = 'cancelled';
    drop table deleted_leads;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create table deleted_leads (
      id integer primary key,
      deleted_at timestamptz not null default now(),
      lead jsonb not null,
      parked_jobs uuid[] not null default '{}'
    );
    create index deleted_leads_time_idx on deleted_leads (deleted_at, id);
    insert into deleted_leads select id, deleted_at, to_jsonb(all_leads) - 'deleted_at', array(
      select id from jobs where lead_id = all_leads.id and state = 'cancelled' and finished_at = deleted_at)
    from all_leads where deleted_at is not null;
    delete from all_leads where deleted_at is not null;
    drop view leads;
    alter table all_leads rename to leads;
    alter table leads drop column deleted_at;
  `)
}
