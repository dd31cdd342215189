import type { Knex } from 'knex'

/**
 * Keeps when a lead may be passed on, as `due_at` is kept, so that a clinic that changes its hours does not move it. Open clocks
 * are worked out again once to fill it in.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table answer_clocks add column offer_at timestamptz;
    update answer_clocks set is_stale = true where answered_at is null and step_at is not null and not is_stale;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table answer_clocks drop column offer_at')
}
