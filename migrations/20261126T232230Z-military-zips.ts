import type { Knex } from 'knex'

/** Corrects the names of military zips: GeoNames has `APO AA` for most of them, without a state. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    update zip_codes set city = split_part(city, ' ', 1),
      state = case when zip like '09%' then 'AE' when zip like '340%' then 'AA' when zip ~ '^96[2-6]' then 'AP' else 'HI' end
    where city ~ '^(APO|FPO|DPO)( |$)' and coalesce(state, '') = ''
  `)
}

/** Nothing: the names are right in every release. */
export async function down(): Promise<void> {}
