import type { Knex } from 'knex'

/** What became of a lead at its clinic, until when the clinic has to answer, and our own rules for a provider. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table lead_outcomes (
      id integer generated always as identity primary key,
      lead_id integer not null,
      -- The clinic that had the lead then.
      provider_id integer references providers,
      kind text not null check (kind in ('opened', 'reached', 'no_answer', 'booked', 'attended', 'no_show', 'treated',
        'declined', 'opted_out')),
      reason text,
      value_cents integer check (value_cents >= 0),
      -- The day of the appointment.
      booked_for date,
      note text,
      source text not null check (source in ('clinic', 'staff', 'visitor', 'crm')),
      actor text not null,
      -- The id of the CRM's message, which may come more than once.
      event_id text unique,
      at timestamptz not null default now()
    );
    create index lead_outcomes_lead_idx on lead_outcomes (lead_id, id);
    create index lead_outcomes_time_idx on lead_outcomes (at);
    select append_only('lead_outcomes');

    -- Runs as the owner of the table. The outcomes go with their lead.
    create function purge_lead_outcomes(lead integer) returns void language plpgsql
      security definer set search_path = pg_catalog, pg_temp as $$
    begin
      if exists (select from public.leads where id = lead) then raise exception 'the lead is still there'; end if;
      perform set_config('leadwell.purge', 'lead_outcomes', true);
      delete from public.lead_outcomes where lead_id = lead;
      perform set_config('leadwell.purge', '', true);
    end $$;

    alter table leads add column outcome text, add column outcome_at timestamptz;
    alter table leads
      add constraint leads_outcome_check check (outcome in ('opened', 'reached', 'no_answer', 'booked', 'attended',
        'no_show', 'treated', 'declined', 'opted_out')) not valid,
      add constraint leads_outcome_at_check check ((outcome is null) = (outcome_at is null)) not valid;

    -- One row for each lead that a clinic has to answer. It outlives the deletion of its lead, which can be restored.
    create table answer_clocks (
      lead_id integer primary key,
      provider_id integer not null references providers,
      started_at timestamptz not null default now(),
      due_at timestamptz,
      answered_at timestamptz,
      -- The next step, and when it is taken. Null: nothing is left to do.
      step text not null default 'start' check (step in ('start', 'remind', 'late', 'offer')),
      step_at timestamptz default now(),
      ask_visitor_at timestamptz
    );
    create index answer_clocks_step_idx on answer_clocks (step_at) where step_at is not null;
    create index answer_clocks_ask_idx on answer_clocks (ask_visitor_at) where ask_visitor_at is not null;
    create index answer_clocks_provider_idx on answer_clocks (provider_id, started_at);

    -- Ours. A sync never writes it.
    create table provider_rules (
      provider_id integer primary key references providers,
      is_paused boolean not null default false,
      -- Null while paused: until somebody ends the pause.
      paused_until timestamptz,
      paused_because text,
      daily_cap integer check (daily_cap > 0),
      weekly_cap integer check (weekly_cap > 0),
      monthly_cap integer check (monthly_cap > 0),
      -- Opening hours by ISO weekday: {"1": [["09:00", "17:00"]]}. Null: the network's.
      hours jsonb,
      time_zone text,
      answer_hours integer check (answer_hours > 0),
      radius_miles double precision check (radius_miles > 0),
      extra_zips text[] not null default '{}',
      excluded_zips text[] not null default '{}',
      backup_provider_id integer references providers check (backup_provider_id <> provider_id),
      -- Gets the requests instead of the address from WordPress.
      request_email text,
      -- Is told when an answer is late.
      second_email text,
      -- 1: before nearer clinics. -1: only when no other clinic takes the lead.
      priority smallint not null default 0 check (priority between -1 and 1),
      updated_at timestamptz not null default now(),
      updated_by text not null,
      check (is_paused or paused_until is null)
    );

    -- Times in which no clinic has to answer, such as holidays.
    create table network_pauses (
      id integer generated always as identity primary key,
      starts_at timestamptz not null,
      ends_at timestamptz not null check (ends_at > starts_at),
      reason text not null,
      created_by text not null
    );
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table network_pauses;
    drop table provider_rules;
    drop table answer_clocks;
    alter table leads drop column outcome, drop column outcome_at;
    drop function purge_lead_outcomes(integer);
    drop table lead_outcomes;
  `)
}
