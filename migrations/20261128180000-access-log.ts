import type { Knex } from 'knex'

/**
 * Which rows staff have read, from where and with what filter. Lines are never changed; the function removes those beyond
 * their time, of a year at least.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table access_log (
      id bigint generated always as identity primary key,
      at timestamptz not null default now(),
      actor text not null,
      account_id integer,
      session_id integer,
      ip text not null,
      call text not null,
      entity text not null check (entity in ('lead', 'application')),
      row_ids integer[] not null,
      filter jsonb not null default '{}'
    );
    create index access_log_actor_idx on access_log (actor, id);
    create index access_log_at_idx on access_log (at);
    create index access_log_rows_idx on access_log using gin (row_ids);

    create function refuse_access_log_change() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' and current_setting('leadwell.purging', true) = 'access_log' then return old; end if;
      raise exception 'access_log is append-only';
    end $$;
    create trigger access_log_append_only before update or delete on access_log
      for each row execute function refuse_access_log_change();
    create trigger access_log_no_truncate before truncate on access_log execute function refuse_access_log_change();

    create function purge_access_log(days integer) returns integer
      language plpgsql security definer set search_path = public, pg_temp as $$
    declare removed integer;
    begin
      if days < 365 then raise exception 'access_log is kept for a year at least'; end if;
      perform set_config('leadwell.purging', 'access_log', true);
      delete from access_log where at < now() - days * interval '24 hours';
      get diagnostics removed = row_count;
      perform set_config('leadwell.purging', '', true);
      return removed;
    end $$;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table access_log; drop function refuse_access_log_change, purge_access_log;')
}
