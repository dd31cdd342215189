import type { Knex } from 'knex'

/** A change of a provider names the address that is notified of it as its recipient. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    update provider_syncs set changes = (
      select jsonb_agg(case when change -> 'told' is not null
        then change - 'told' || jsonb_build_object('recipient', change -> 'told') else change end order by position)
      from jsonb_array_elements(changes) with ordinality as each_change (change, position))
    where jsonb_path_exists(changes, '$[*].told')
  `)
}
