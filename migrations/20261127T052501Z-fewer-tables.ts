import type { Knex } from 'knex'

/**
 * Tables of one row become columns of `network`; what a job without an owner needs is its payload; tags are a column; a
 * weekly report is known by its jobs; and a channel of alerts has one rhythm.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table network
      add column shared_password_off_at timestamptz,
      add column setup_skipped text[] not null default '{}',
      add column quiet_since timestamptz,
      add column no_lead_hours integer not null default 8 check (no_lead_hours between 1 and 200),
      add column alerts_checked_at timestamptz;
    update network set shared_password_off_at = old.shared_password_off_at, setup_skipped = old.setup_skipped
      from staff_settings old;
    update network set quiet_since = old.quiet_since from attention_state old;
    update network set no_lead_hours = old.no_lead_hours, alerts_checked_at = old.checked_at from alert_settings old;
    drop table staff_settings, attention_state, alert_settings;

    -- For jobs without an owner: where a test of a connection goes to, and what a message about alerts says.
    alter table jobs add column payload jsonb;
    update jobs set payload = jsonb_build_object('to', to_email) from setup_checks where job_id = jobs.id;
    drop table setup_checks;
    update jobs set payload = jsonb_build_object('messageId', message.id::text, 'channelId', channel_id,
        'recipient', recipient, 'at', to_char(message.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'notes', (select coalesce(jsonb_agg(id order by id), '[]') from alert_notes where message_id = message.id))
      from alert_deliveries join alert_messages message on message.id = message_id where job_id = jobs.id;

    alter table alert_channels
      add column rhythm text not null default 'at_once' check (rhythm in ('at_once', 'daily'));
    update alert_channels set rhythm = 'daily'
      where id in (select channel_id from alert_rules where event = 'crm_failing' and rhythm in ('daily', 'off'));
    -- Those that were switched off altogether.
    delete from alert_channels where kind <> 'team'
      and id in (select channel_id from alert_rules where rhythm = 'off' group by 1 having count(*) = 13);
    alter table alert_notes add column is_digest boolean, add column is_sent boolean not null default false;
    update alert_notes set is_digest = rhythm <> 'at_once', is_sent = message_id is not null;
    alter table alert_notes alter column is_digest set not null, drop column rhythm, drop column message_id;
    create index alert_notes_due_idx on alert_notes (due_at) where not is_sent;
    create index jobs_alert_idx on jobs ((payload->>'channelId')) where name = 'send-alert';
    drop table alert_rules, alert_deliveries, alert_messages;

    alter table lead_work add column tags text[] not null default '{}';
    insert into lead_work (lead_id, tags) select lead_id, array_agg(tag order by tag) from lead_tags group by 1
      on conflict (lead_id) do update set tags = excluded.tags;
    create index lead_work_tags_idx on lead_work using gin (tags);
    drop table lead_tags;

    update jobs set report_id = to_char(first_day, 'YYYYMMDD')::integer from reports where reports.id = report_id;
    drop table reports;
    drop table failed_sign_ins;
  `)
}
