import type { Knex } from 'knex'

/**
 * A new e-mail address of a provider waits until somebody confirms it, and the sensitive changes of a sync are approved
 * one by one.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table providers
      -- What WordPress says, where that is not the address in email, which mail goes to until the new one is confirmed.
      add column new_email text check (new_email <> ''),
      add column new_email_at timestamptz,
      add column new_email_sync_id integer,
      -- Staff keep the old address: WordPress may go on saying the new one.
      add column new_email_declined boolean not null default false,
      add constraint providers_new_email_whole check ((new_email is null) = (new_email_at is null)),
      add constraint providers_new_email_other check (new_email <> email);

    -- The links in the e-mails that ask for a confirmation. Only hashes of their tokens are kept.
    create table email_confirmations (
      token_hash text primary key,
      provider_id integer not null references providers on delete cascade,
      new_email text not null,
      expires_at timestamptz not null
    );
    create index email_confirmations_provider_idx on email_confirmations (provider_id);

    -- is_mass_deactivation and deactivations are what approval_reasons and sensitive_changes were before.
    alter table provider_syncs
      add column approval_reasons jsonb not null default '[]',
      add column sensitive_changes jsonb not null default '[]';
    update provider_syncs set
      approval_reasons = jsonb_build_array(
        jsonb_build_object('kind', 'deactivate', 'count', cardinality(deactivations))),
      sensitive_changes = (
        select coalesce(jsonb_agg(jsonb_build_object('kind', 'deactivate', 'id', id, 'to', null)), '[]')
        from unnest(deactivations) id)
    where is_mass_deactivation;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table provider_syncs drop column approval_reasons, drop column sensitive_changes;
    drop table email_confirmations;
    alter table providers drop column new_email, drop column new_email_at, drop column new_email_sync_id,
      drop column new_email_declined;
  `)
}
