import type { Knex } from 'knex'

/**
 * What stays of a lead or an application that is deleted for good: enough to tell the CRM and the clinics, and to delete it
 * again in a restored backup. And the ways in which evidence ends: its address and browser are removed after a time, and
 * the whole row after a longer one (docs/decisions/0035-retention-and-erasure.md).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table erasure_requests (
      id bigint generated always as identity primary key,
      at timestamptz not null default now(),
      actor text not null
    );
    create table erasures (
      kind text not null check (kind in ('lead', 'application')),
      row_id integer not null,
      primary key (kind, row_id),
      -- Of the receipt. Null for rows from before there were receipts.
      reference bigint,
      sent_at timestamptz not null,
      reason text not null check (reason in ('deleted', 'retention', 'request')),
      request_id bigint references erasure_requests check ((request_id is not null) = (reason = 'request')),
      -- Keyed hashes (core/rules/person-hash.ts). Null where the form had no such contact.
      email_hash text,
      phone_hash text,
      crm_id text,
      erased_at timestamptz not null default now()
    );
    create index erasures_at_idx on erasures (erased_at);
    create index erasures_email_idx on erasures (email_hash);
    create index erasures_phone_idx on erasures (phone_hash);
    create index erasures_request_idx on erasures (request_id);
    select append_only('erasure_requests'), append_only('erasures');

    drop trigger consent_seals_append_only on consent_seals;
    drop trigger consent_anchors_append_only on consent_anchors;
    select append_only('consent_seals'), append_only('consent_anchors');

    create index consents_details_idx on consents (given_at) where ip is not null or user_agent is not null;
    create index application_consents_details_idx on application_consents (given_at)
      where ip is not null or user_agent is not null;

    create or replace function refuse_change() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' and current_setting('leadwell.purge', true) = tg_table_name then return old; end if;
      if tg_op = 'UPDATE' and current_setting('leadwell.blank', true) = tg_table_name then return new; end if;
      raise exception '% is append-only', tg_table_name;
    end $$;

    -- Removes addresses and browsers from evidence that is older than keep or whose form was erased within the last 30 days.
    -- Only from sealed rows: the seal has their keyed hashes.
    create function blank_consents(keep interval, most integer) returns integer language plpgsql
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
           update public.%2$I set ip = null, user_agent = null
           from due join public.consent_seals on source = %1$L and row_id = due.id
           where %3$I = due.id', source.kind, source.evidence, source.id) using keep, most;
        get diagnostics changed = row_count;
        total := total + changed;
        perform set_config('leadwell.blank', '', true);
      end loop;
      return total;
    end $$;

    -- Deletes evidence up to a place in the chain, with its seals. All of it must be from before the cutoff, which is four
    -- years ago at least: so long somebody can sue over a call (28 U.S.C. 1658(a)).
    create function purge_consents(last_seq bigint, cutoff timestamptz) returns table (source text, row_id integer)
      language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
    #variable_conflict use_column
    begin
      if cutoff > now() - interval '1460 days' then raise exception 'consents are kept for four years'; end if;
      if exists (
        select from public.consent_seals seal
        left join public.consents lead on seal.source = 'lead' and lead_id = seal.row_id
        left join public.application_consents application on seal.source = 'application' and application_id = seal.row_id
        where seal.seq <= last_seq and coalesce(lead.given_at, application.given_at) >= cutoff
      ) then raise exception 'consents of after % are kept', cutoff; end if;

      perform set_config('leadwell.purge', 'consents', true);
      delete from public.consents using public.consent_seals seal
        where seal.seq <= last_seq and seal.source = 'lead' and lead_id = seal.row_id;
      perform set_config('leadwell.purge', 'application_consents', true);
      delete from public.application_consents using public.consent_seals seal
        where seal.seq <= last_seq and seal.source = 'application' and application_id = seal.row_id;
      perform set_config('leadwell.purge', 'consent_seals', true);
      return query delete from public.consent_seals seal where seal.seq <= last_seq returning seal.source, seal.row_id;
      perform set_config('leadwell.purge', '', true);
    end $$;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function purge_consents, blank_consents;
    create or replace function refuse_change() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' and current_setting('leadwell.purge', true) = tg_table_name then return old; end if;
      raise exception '% is append-only', tg_table_name;
    end $$;
    drop index consents_details_idx, application_consents_details_idx;
    drop trigger append_only on consent_seals;
    drop trigger append_only_whole on consent_seals;
    drop trigger append_only on consent_anchors;
    drop trigger append_only_whole on consent_anchors;
    create trigger consent_seals_append_only before update on consent_seals
      for each row execute function refuse_change();
    create trigger consent_anchors_append_only before update or delete on consent_anchors
      for each row execute function refuse_change();
    drop table erasures, erasure_requests;
  `)
}
