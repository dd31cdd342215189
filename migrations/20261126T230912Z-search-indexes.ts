import type { Knex } from 'knex'

export const config = { transaction: false }

/** The indexes of what the functions `folded`, `lead_words` and `national_digits` return. */
const STALE = ['leads_words_idx', 'leads_name_idx', 'leads_phone_idx', 'providers_words_idx', 'zip_codes_words_idx']

/** Builds the indexes of the search again, and one of what viewers search: it has neither email addresses nor phones. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists leads_names_idx')
  await knex.raw(`
    create index concurrently leads_names_idx on leads
      using gin (name_words(folded(first_name || ' ' || last_name || ' ' || zip_code)))
      with (fastupdate = on, gin_pending_list_limit = 32768)
  `)
  for (const index of STALE) {
    // What a failed run has left.
    await knex.raw(`drop index concurrently if exists ${index}_ccnew`)
    await knex.raw(`reindex index concurrently ${index}`)
  }
  // The planner estimates an expression only after it was analyzed.
  await knex.raw('analyze leads')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists leads_names_idx')
}
