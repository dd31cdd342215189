import type { Knex } from 'knex'

/**
 * The chain of consents leaves. The signature of each row stays, and with it the keyed hashes of its sender, which verify
 * it after the address and the browser were removed.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table consents add column ip_hash text, add column browser_hash text;
    alter table application_consents add column ip_hash text, add column browser_hash text;

    select set_config('leadwell.blank', 'consents', true);
    update consents set ip_hash = seal.ip_hash, browser_hash = seal.browser_hash
      from consent_seals seal where source = 'lead' and row_id = lead_id;
    select set_config('leadwell.blank', 'application_consents', true);
    update application_consents set ip_hash = seal.ip_hash, browser_hash = seal.browser_hash
      from consent_seals seal where source = 'application' and row_id = application_id;
    select set_config('leadwell.blank', '', true);

    drop function purge_consents;
    drop table consent_seals, consent_anchors;

    -- Removes addresses and browsers from evidence that is older than keep or whose form was erased within the last 30 days.
    create or replace function blank_consents(keep interval, most integer) returns integer language plpgsql
      security definer set search_path = pg_catalog, pg_temp as $$
    declare
      changed integer;
      total integer := 0;
      source record;
    begin
      if keep < interval '30 days' then raise exception 'addresses of consents are kept for 30 days'; end if;
      for source in
        select * from (values ('lead', 'consents', 'lead_id'),
          ('application', 'application_consents', 'application_id')) as source (kind, evidence, id)
      loop
        perform set_config('leadwell.blank', source.evidence, true);
        execute format(
          'with due as (
             (select %3$I as id from public.%2$I
              where (ip is not null or user_agent is not null) and given_at < now() - $1 limit $2)
             union
             select row_id from public.erasures join public.%2$I on %3$I = row_id
             where kind = %1$L and erased_at > now() - interval ''30 days'' and (ip is not null or user_agent is not null)
           )
           update public.%2$I set ip = null, user_agent = null from due where %3$I = due.id',
          source.kind, source.evidence, source.id) using keep, most;
        get diagnostics changed = row_count;
        total := total + changed;
        perform set_config('leadwell.blank', '', true);
      end loop;
      return total;
    end $$;

    -- Four years at least: so long somebody can sue over a call (28 U.S.C. 1658(a)).
    create function purge_consents(keep interval) returns integer
      language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
    declare
      changed integer;
      total integer := 0;
      evidence text;
    begin
      if keep < interval '1460 days' then raise exception 'consents are kept for four years'; end if;
      foreach evidence in array array['consents', 'application_consents'] loop
        perform set_config('leadwell.purge', evidence, true);
        execute format('delete from public.%I where given_at < now() - $1', evidence) using keep;
        get diagnostics changed = row_count;
        total := total + changed;
      end loop;
      perform set_config('leadwell.purge', '', true);
      return total;
    end $$;
  `)
}
