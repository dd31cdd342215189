import type { Knex } from 'knex'

/** Erasures keep the hash of each number of a form, and lose their hashes with the evidence of consents. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table erasures add column phone_hashes text[] not null default '{}';
    select set_config('leadwell.blank', 'erasures', true);
    update erasures set phone_hashes = array[phone_hash] where phone_hash is not null;
    select set_config('leadwell.blank', '', true);
    drop index erasures_phone_idx;
    alter table erasures drop column phone_hash;
    create index erasures_phones_idx on erasures using gin (phone_hashes);
    create index erasures_hashed_idx on erasures (erased_at) where email_hash is not null or phone_hashes <> '{}';

    -- Removes the hashes of forms that were erased longer ago than keep. Runs as the owner of the table, so it has a limit of
    -- its own: backups that were made before the erasure have to be gone, and nobody can sue over a call any more
    -- (28 U.S.C. 1658(a)).
    create function blank_erasures(keep interval, most integer) returns integer language plpgsql
      security definer set search_path = pg_catalog, pg_temp as $$
    declare
      changed integer;
    begin
      if keep < interval '1460 days' then raise exception 'hashes of erasures are kept for four years'; end if;
      perform set_config('leadwell.blank', 'erasures', true);
      update public.erasures set email_hash = null, phone_hashes = '{}', crm_id = null
      where (kind, row_id) in (
        select kind, row_id from public.erasures
        where erased_at < now() - keep and (email_hash is not null or phone_hashes <> '{}') limit most
      );
      get diagnostics changed = row_count;
      perform set_config('leadwell.blank', '', true);
      return changed;
    end $$;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function blank_erasures;
    drop index erasures_hashed_idx, erasures_phones_idx;
    alter table erasures add column phone_hash text;
    select set_config('leadwell.blank', 'erasures', true);
    update erasures set phone_hash = phone_hashes[1];
    select set_config('leadwell.blank', '', true);
    alter table erasures drop column phone_hashes;
    create index erasures_phone_idx on erasures (phone_hash);
  `)
}
