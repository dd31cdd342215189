import type { Knex } from 'knex'

/**
 * A run of the provider sync is a job of the ledger: the queue hands it to one worker and takes it over from a killed one.
 * `alive_at`, by which workers took runs over before, is no longer written and is dropped by a later release.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Written again from the registry of job kinds at the end of \`npm run migrate\`.
    alter table jobs drop constraint if exists jobs_name_check, drop constraint if exists jobs_owner_check;
    alter table provider_syncs drop constraint provider_syncs_check1;
    insert into jobs (name, purpose, sync_id)
    select 'sync-providers', 'run', id from provider_syncs where state in ('waiting', 'running');
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from job_attempts where job_id in (select id from jobs where name = 'sync-providers');
    delete from jobs where name = 'sync-providers';
    update provider_syncs set alive_at = now() where state <> 'waiting' and alive_at is null;
    alter table provider_syncs add constraint provider_syncs_check1 check (state = 'waiting' or alive_at is not null);
  `)
}
