import type { Knex } from 'knex'

/** The checks of the owner and the name of a job are written by `npm run migrate` from the registry of job kinds. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table jobs drop constraint jobs_one_owner, drop constraint jobs_of_syncs, drop constraint jobs_of_accounts,
      drop constraint jobs_of_applications
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table jobs drop constraint if exists jobs_owner_check,
      add constraint jobs_one_owner check (
        num_nonnulls(lead_id, application_id, account_id) = case when sync_id is not null and lead_id is null then 0 else 1 end
      ) not valid,
      add constraint jobs_of_syncs check (
        num_nonnulls(lead_id, application_id, account_id) = 1 or name = 'send-email'
      ) not valid,
      add constraint jobs_of_accounts check (account_id is null or name = 'send-email') not valid,
      add constraint jobs_of_applications check (application_id is null or name = 'send-email')
  `)
}
