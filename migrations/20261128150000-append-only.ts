import type { Knex } from 'knex'

/**
 * Tables that are evidence are only ever added to. A later migration that makes one calls `append_only('its_name')`, and
 * gives it a function like `purge_audit_log` if its rows are deleted after a time.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Rows go only by a function that names the table in leadwell.purge. The app has no right to delete by itself.
    create or replace function refuse_change() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' and current_setting('leadwell.purge', true) = tg_table_name then return old; end if;
      raise exception '% is append-only', tg_table_name;
    end $$;

    -- \`npm run migrate\` takes the same rights away again from the role of API and worker, by these triggers.
    create function append_only(target regclass) returns void language plpgsql as $$
    declare
      other regrole;
    begin
      execute format('create trigger append_only before update or delete on %s
        for each row execute function refuse_change()', target);
      execute format('create trigger append_only_whole before truncate on %s
        for each statement execute function refuse_change()', target);
      for other in
        select distinct grantee::regrole from pg_class, aclexplode(relacl)
        where pg_class.oid = target and grantee <> relowner and grantee <> 0
      loop
        execute format('revoke update, delete, truncate on %s from %s', target, other);
      end loop;
    end $$;

    drop trigger consents_append_only on consents;
    drop trigger application_consents_append_only on application_consents;
    select append_only('consents'), append_only('application_consents'), append_only('audit_log');

    -- Runs as the owner of the table, so it has a limit of its own: 45 CFR 164.316(b)(2)(i) asks for six years.
    create function purge_audit_log(keep interval) returns integer language plpgsql
      security definer set search_path = pg_catalog, pg_temp as $$
    declare
      gone integer;
    begin
      if keep < interval '2190 days' then raise exception 'the audit log is kept for six years'; end if;
      -- Here, as only a superuser may declare it with the function.
      perform set_config('leadwell.purge', 'audit_log', true);
      delete from public.audit_log where at < now() - keep;
      get diagnostics gone = row_count;
      perform set_config('leadwell.purge', '', true);
      return gone;
    end $$;

    -- Wrong passwords of the hour, of which the audit log gets the first, the third, the tenth and so on.
    create table failed_sign_ins (
      target text primary key,
      since timestamptz not null default now(),
      count integer not null default 1 check (count > 0)
    );
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table failed_sign_ins;
    drop function purge_audit_log(interval);
    drop trigger append_only on audit_log;
    drop trigger append_only_whole on audit_log;
    drop trigger append_only_whole on consents;
    drop trigger append_only_whole on application_consents;
    alter trigger append_only on consents rename to consents_append_only;
    alter trigger append_only on application_consents rename to application_consents_append_only;
    drop function append_only(regclass);
    create or replace function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception '% is append-only', tg_table_name;
    end $$;
  `)
}
