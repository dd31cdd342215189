import type { Knex } from 'knex'

/**
 * A job has a subject and a payload, in place of six columns for the rows that it may be about. Most jobs are about leads:
 * their column becomes the new one, so that few rows are written.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table jobs drop constraint if exists jobs_owner_check, drop constraint jobs_lead_id_name_purpose_generation_key;
    drop index jobs_alert_idx, jobs_application_key, jobs_account_key, jobs_of_sync_key, jobs_report_key, jobs_provider_idx, jobs_sync_idx;
    alter table jobs rename column lead_id to subject_id;
    alter table jobs add column subject_kind text default 'lead';
    alter table jobs alter column subject_kind drop default;
    alter table jobs rename column payload to said;
    alter table jobs add column payload jsonb not null default '{}';

    update jobs set
      subject_id = coalesce(subject_id, application_id, account_id, sync_id, report_id, told_provider_id),
      subject_kind = case
        when subject_id is not null then 'lead'
        when application_id is not null then 'application'
        when account_id is not null then 'account'
        when sync_id is not null then 'sync'
        when report_id is not null then 'report'
        when told_provider_id is not null then 'provider'
      end,
      payload = coalesce(said, '{}') || jsonb_strip_nulls(jsonb_build_object(
        'providerId', case when num_nonnulls(subject_id, application_id, account_id, sync_id, report_id) > 0
          then told_provider_id end,
        'previousProviderId', previous_provider_id,
        'syncId', case when subject_id is not null then sync_id end
      ))
    where subject_id is null or num_nonnulls(sync_id, told_provider_id, previous_provider_id) > 0;

    alter table jobs drop column said, drop column application_id, drop column account_id, drop column sync_id, drop column report_id,
      drop column told_provider_id, drop column previous_provider_id;
    alter table jobs add constraint jobs_subject_whole check ((subject_kind is null) = (subject_id is null));
    -- Each provider of a sync has generations of its own, and each link for a provider stands alone.
    create unique index jobs_subject_key on jobs (subject_id, subject_kind, name, purpose, generation,
      (coalesce(payload ->> 'providerId', case subject_kind when 'provider' then id::text else '' end)));
    create index jobs_alert_idx on jobs ((payload ->> 'channelId')) where name = 'send-alert';
    create index jobs_of_sync_idx on jobs ((payload ->> 'syncId')) where payload ->> 'syncId' is not null;
    alter table bulk_items drop column application_id, drop column account_id, drop column sync_id;
    analyze jobs;
  `)
}
