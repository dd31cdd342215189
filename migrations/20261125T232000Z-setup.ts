import type { Knex } from 'knex'

/** The trigger of the migration `network-time-zone`, for some of the leads. */
const countLeads = (which: string) => {
  const STATE = `(created_at at time zone zone)::date, crm_sync_status, email_status, provider_id is not null, held_reason is not null`
  return `
    create or replace function count_leads() returns trigger language plpgsql as $$
    declare zone text := coalesce((select time_zone from network), 'UTC');
    begin
      if tg_op = 'TRUNCATE' then
        truncate lead_counts;
      elsif tg_op = 'INSERT' then
        insert into lead_counts select ${STATE}, count(*) from added where ${which} group by 1, 2, 3, 4, 5;
      elsif tg_op = 'DELETE' then
        insert into lead_counts select ${STATE}, -count(*) from gone where ${which} group by 1, 2, 3, 4, 5;
      else
        insert into lead_counts select ${STATE}, sum(change)
        from (select *, 1 as change from added union all select *, -1 from gone) changed
        where ${which}
        group by 1, 2, 3, 4, 5 having sum(change) <> 0;
      end if;
      return null;
    end $$;`
}

/** Test leads, which count nowhere; test deliveries; what the workers are connected to; and steps of the setup that are skipped. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table leads add column is_test boolean not null default false;
    alter table erasures add column is_test boolean not null default false;
    ${countLeads('not is_test')}

    -- The latest test of each integration. A new test replaces it, with its job.
    create table setup_checks (
      kind text primary key check (kind in ('mail', 'crm')),
      job_id uuid not null unique,
      to_email text check ((to_email is null) = (kind = 'crm')),
      asked_by text not null,
      asked_at timestamptz not null default now()
    );

    -- What the worker is connected to, without secrets.
    alter table worker_heartbeats add column settings jsonb;
    alter table staff_settings add column setup_skipped text[] not null default '{}';
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from job_attempts where job_id in (select job_id from setup_checks);
    delete from jobs where id in (select job_id from setup_checks);
    alter table staff_settings drop column setup_skipped;
    alter table worker_heartbeats drop column settings;
    drop table setup_checks;
    alter table erasures drop column is_test;
    delete from leads where is_test;
    ${countLeads('true')}
    alter table leads drop column is_test;
  `)
}
