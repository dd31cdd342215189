import type { Knex } from 'knex'

/** E-mails about a run of the provider sync are in the ledger, too: to the clinics that it changed, and to the team. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- A job that belongs to no lead, application or account is about its run. told_provider_id is the clinic that is told;
    -- null for the team. Not valid: new rows are checked, and those that there are need not be read.
    alter table jobs
      add column told_provider_id integer,
      drop constraint jobs_one_owner,
      add constraint jobs_one_owner check (
        num_nonnulls(lead_id, application_id, account_id) = case
          when sync_id is not null and lead_id is null then 0 else 1 end) not valid,
      add constraint jobs_of_syncs check (
        num_nonnulls(lead_id, application_id, account_id) = 1 or name = 'send-email') not valid;
    create unique index jobs_of_sync_key on jobs (sync_id, purpose, coalesce(told_provider_id, 0), generation)
      where lead_id is null and sync_id is not null;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from job_attempts where job_id in (select id from jobs where lead_id is null and sync_id is not null);
    delete from jobs where lead_id is null and sync_id is not null;
    drop index jobs_of_sync_key;
    alter table jobs drop constraint jobs_of_syncs, drop constraint jobs_one_owner, drop column told_provider_id,
      add constraint jobs_one_owner check (num_nonnulls(lead_id, application_id, account_id) = 1) not valid;
  `)
}
