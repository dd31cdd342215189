import type { Knex } from 'knex'

/** Puts the words of new leads into the index of the search. Only the owner of an index may, which the app's role is not. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function index_lead_words() returns bigint language sql
      security definer set search_path = public, pg_temp as $$
      select gin_clean_pending_list('leads_words_idx')
    $$;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function index_lead_words')
}
