import type { Knex } from 'knex'

/** Remembers that no provider was in reach when a lead came, also once it has one. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- When matching first found no provider. Null: it always found one, or has not run yet.
    alter table leads add column unreached_at timestamptz;

    create temporary table unreached on commit drop as
      select lead_id, min(finished_at) as at from jobs
      where name = 'match-lead' and state = 'done' and result -> 'providerId' = 'null'::jsonb
      group by lead_id;
    update leads set unreached_at = at from unreached where lead_id = leads.id;
    update deleted_leads set lead = lead || jsonb_build_object('unreached_at', at) from unreached where lead_id = id;
    -- Without such a job nothing else is known of it.
    update leads set unreached_at = created_at
    where provider_id is null and held_reason is null and unreached_at is null and not exists (
      select from jobs where lead_id = leads.id and name = 'match-lead' and state in ('waiting', 'enqueued'));

    -- Few, and the overview asks for just these.
    create index leads_unreached_idx on leads (created_at) where unreached_at is not null;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table leads drop column unreached_at')
}
