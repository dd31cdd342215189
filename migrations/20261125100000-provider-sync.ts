import type { Knex } from 'knex'

/** The runs of the provider sync: what waits to be run, what is running, and what staff see of those that have ended. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table provider_syncs (
      id integer generated always as identity primary key,
      dry_run boolean not null default false,
      trigger text not null check (trigger in ('staff', 'schedule', 'command')),
      started_by text,
      -- The minute of the schedule that it is for: each worker's clock strikes, and one of them starts a run.
      scheduled_for timestamptz unique,
      approves integer references provider_syncs on delete set null,
      -- Whoever started it has said that it may deactivate whomever it is.
      approves_all boolean not null default false,
      state text not null default 'waiting'
        check (state in ('waiting', 'running', 'needs_approval', 'done', 'failed')),
      -- How often it was begun. Whoever has begun it loses it to the next one who does.
      attempt integer not null default 0,
      created_at timestamptz not null default now(),
      started_at timestamptz,
      -- Renewed while somebody works on it.
      alive_at timestamptz,
      finished_at timestamptz,
      pages_done integer not null default 0,
      pages_total integer,
      seen integer not null default 0,
      created integer not null default 0,
      updated integer not null default 0,
      deactivated integer not null default 0,
      reactivated integer not null default 0,
      unchanged integer not null default 0,
      skipped integer not null default 0,
      unreadable integer not null default 0,
      missing integer not null default 0,
      is_mass_deactivation boolean not null default false,
      -- Every provider that it deactivates, or would: an approval is for these and no others.
      deactivations integer[] not null default '{}',
      leads_queued integer not null default 0,
      error text,
      changes jsonb not null default '[]',
      skipped_posts jsonb not null default '[]',
      check ((state in ('waiting', 'running')) = (finished_at is null)),
      check (state = 'waiting' or alive_at is not null),
      check ((state in ('needs_approval', 'failed')) = (error is not null))
    );
    -- Whoever wants a run joins the one that is open.
    create unique index provider_syncs_open_key on provider_syncs (dry_run) where state in ('waiting', 'running');
    -- And never do two run at the same time.
    create unique index provider_syncs_running_key on provider_syncs ((true)) where state = 'running';

    -- The run because of which a lead is matched again: few jobs have one.
    alter table jobs add column sync_id integer;
    create index jobs_sync_idx on jobs (sync_id) where sync_id is not null;

    -- When a provider could first be found where it is: it was created, moved, or made active again.
    alter table providers add column placed_at timestamptz not null default now();
    create function note_placement() returns trigger language plpgsql as $$
    begin
      if new.status = 't' and (old.status = 'f' or new.location is distinct from old.location) then
        new.placed_at := now();
      end if;
      return new;
    end $$;
    -- Triggers run by their names: locate_provider has set the location before.
    create trigger note_placement before update of status, latitude, longitude, zip_code on providers
      for each row execute function note_placement();
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger note_placement on providers;
    drop function note_placement;
    alter table providers drop column placed_at;
    alter table jobs drop column sync_id;
    drop table provider_syncs;
  `)
}
