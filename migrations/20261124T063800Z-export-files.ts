import type { Knex } from 'knex'

/** Large exports are jobs, which write their files here for the download. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- One row per job of the kind "export", without a foreign key, as in bulk_actions.
    create table exports (
      job_id uuid primary key,
      -- The person who asked: the only one who may download.
      actor text not null,
      account_id integer,
      ip text,
      session_id integer,
      -- Filter and order. The search in it may name a visitor, so it is deleted with the file.
      query jsonb,
      total integer not null check (total >= 0),
      done integer not null default 0,
      -- The line of the audit log that says that the export began.
      audit_line integer not null,
      -- Each beginning raises the number. Only the worker of the newest one can write.
      attempt integer not null default 0,
      -- When the newest attempt began to read rows.
      started_at timestamptz,
      finished_at timestamptz,
      expires_at timestamptz not null,
      deleted_because text check (deleted_because in ('erased', 'expired', 'unwanted')),
      created_at timestamptz not null default now(),
      check ((query is null) = (deleted_because is not null)),
      check (finished_at is null or started_at is not null)
    );
    create index exports_actor_idx on exports (actor);

    create table export_pieces (
      job_id uuid not null references exports,
      position integer not null,
      content text not null,
      -- The rows in it, for the access log of a download.
      row_ids integer[] not null,
      primary key (job_id, position)
    );
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table export_pieces;
    drop table exports;
    delete from job_attempts where job_id in (select id from jobs where name = 'export');
    delete from jobs where name = 'export';
  `)
}
