import type { Knex } from 'knex'

/** The reports to the team and to clinics: one for each period, and for each clinic. Each owns the jobs that send it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table reports (
      id integer generated always as identity primary key,
      kind text not null check (kind in ('weekly_report', 'scorecard')),
      -- Days of the network.
      first_day date not null,
      last_day date not null check (last_day >= first_day),
      -- Null: for the team.
      provider_id integer references providers,
      created_at timestamptz not null default now(),
      check ((kind = 'scorecard') = (provider_id is not null))
    );
    create unique index reports_key on reports (kind, first_day, provider_id) nulls not distinct;

    alter table jobs add column report_id integer;
    alter table provider_rules add column gets_scorecard boolean not null default true;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from job_attempts where job_id in (select id from jobs where report_id is not null);
    delete from jobs where report_id is not null;
    alter table provider_rules drop column gets_scorecard;
    alter table jobs drop constraint if exists jobs_owner_check, drop column report_id;
    drop table reports;
  `)
}
