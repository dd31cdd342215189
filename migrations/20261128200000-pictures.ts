import type { Knex } from 'knex'

/**
 * The pictures and logos of providers as we serve them, by the address that WordPress gave. `file_name` and `body` are of
 * the newest copy; `problem` says why the newest attempt brought none.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table pictures (
      source_url text primary key,
      file_name text,
      body bytea,
      problem text,
      failures integer not null default 0,
      next_attempt_at timestamptz not null default now(),
      check ((file_name is null) = (body is null))
    );
    create index pictures_file_name_idx on pictures (file_name) where file_name is not null;
    create index pictures_due_idx on pictures (next_attempt_at);
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table pictures')
}
