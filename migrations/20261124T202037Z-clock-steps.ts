import type { Knex } from 'knex'

/** Clocks are worked out again when hours or pauses change, and come back when a match is undone. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Its times no longer fit the hours or the pauses. No step is taken before they are worked out again.
    alter table answer_clocks add column is_stale boolean not null default false;
    create index answer_clocks_stale_idx on answer_clocks (lead_id) where is_stale;
    create index network_pauses_time_idx on network_pauses (ends_at);

    -- The clock before the match. Null: there was none.
    alter table match_changes add column clock jsonb;
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table match_changes drop column clock;
    drop index network_pauses_time_idx;
    alter table answer_clocks drop column is_stale;
  `)
}
