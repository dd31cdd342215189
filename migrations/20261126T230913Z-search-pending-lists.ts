import type { Knex } from 'knex'

/** Puts the words of new leads into both indexes of the search. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function index_lead_words() returns bigint language sql
      security definer set search_path = public, pg_temp as $$
      select gin_clean_pending_list('leads_words_idx') + gin_clean_pending_list('leads_names_idx')
    $$;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function index_lead_words() returns bigint language sql
      security definer set search_path = public, pg_temp as $$
      select gin_clean_pending_list('leads_words_idx')
    $$;
  `)
}
