import type { Knex } from 'knex'

/** Alerts: what is wrong now, to which channels it is told, and the messages that say so. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table alert_channels (
      id integer generated always as identity primary key,
      -- team: the address of the settings (TEAM_EMAIL). The others have their target in sealed.
      kind text not null check (kind in ('team', 'email', 'slack', 'webhook')),
      name text not null,
      sealed bytea,
      daily_hour integer not null default 8 check (daily_hour between 0 and 23),
      created_by text not null,
      created_at timestamptz not null default now()
    );
    create unique index alert_channels_team_key on alert_channels (kind) where kind = 'team';

    create table alert_rules (
      channel_id integer not null references alert_channels on delete cascade,
      event text not null,
      rhythm text not null check (rhythm in ('at_once', 'hourly', 'daily', 'off')),
      primary key (channel_id, event)
    );

    create table alert_states (
      id integer generated always as identity primary key,
      event text not null,
      subject text not null,
      title text not null,
      -- A page of the dashboard.
      path text not null,
      opened_at timestamptz not null,
      last_seen_at timestamptz not null,
      recovered_at timestamptz
    );
    create unique index alert_states_open_key on alert_states (event, subject) where recovered_at is null;
    create index alert_states_recovered_idx on alert_states (recovered_at) where recovered_at is not null;

    create table alert_messages (
      id integer generated always as identity primary key,
      channel_id integer references alert_channels on delete set null,
      kind text not null check (kind in ('alert', 'digest', 'test')),
      created_at timestamptz not null default now()
    );
    create index alert_messages_channel_idx on alert_messages (channel_id, id);
    create index alert_messages_created_at_idx on alert_messages (created_at);

    -- What a channel has to be told about a state, and in which message it was.
    create table alert_notes (
      id integer generated always as identity primary key,
      channel_id integer not null references alert_channels on delete cascade,
      state_id integer not null references alert_states on delete cascade,
      change text not null check (change in ('opened', 'recovered')),
      rhythm text not null check (rhythm in ('at_once', 'hourly', 'daily')),
      due_at timestamptz not null,
      message_id integer references alert_messages on delete cascade,
      unique (state_id, channel_id, change)
    );
    create index alert_notes_due_idx on alert_notes (due_at) where message_id is null;
    create index alert_notes_message_idx on alert_notes (message_id);

    -- One for each recipient of a message. A retry puts its new job into the row.
    create table alert_deliveries (
      job_id uuid primary key,
      message_id integer not null references alert_messages on delete cascade,
      recipient text
    );
    create index alert_deliveries_message_idx on alert_deliveries (message_id);

    create table alert_settings (
      only_row boolean primary key default true check (only_row),
      no_lead_hours integer not null default 8 check (no_lead_hours between 1 and 200),
      -- When a worker last looked for what is wrong.
      checked_at timestamptz
    );
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from job_attempts where job_id in (select id from jobs where name = 'send-alert');
    delete from jobs where name = 'send-alert';
    drop table alert_settings, alert_deliveries, alert_notes, alert_messages, alert_states, alert_rules, alert_channels;
  `)
}
