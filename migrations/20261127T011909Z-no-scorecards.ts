import type { Knex } from 'knex'

/** Removes the monthly scorecards to clinics. What is left are the weekly reports to the team. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from job_attempts where job_id in (select id from jobs where purpose = 'scorecard');
    delete from jobs where purpose = 'scorecard';
    delete from reports where kind = 'scorecard';
    drop index reports_key;
    alter table reports drop column kind, drop column provider_id;
    create unique index reports_key on reports (first_day);
    alter table provider_rules drop column gets_scorecard;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index reports_key;
    alter table reports add column kind text not null default 'weekly_report' check (kind in ('weekly_report', 'scorecard')),
      add column provider_id integer references providers, add check ((kind = 'scorecard') = (provider_id is not null));
    alter table reports alter column kind drop default;
    create unique index reports_key on reports (kind, first_day, provider_id) nulls not distinct;
    alter table provider_rules add column gets_scorecard boolean not null default true;
  `)
}
