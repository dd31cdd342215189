import type { Knex } from 'knex'

/**
 * Keeps the ledger fast beside many old rows (docs/scale.md). Ids of jobs are in the order of time (UUID version 7, RFC
 * 9562, section 5.7), so that new entries of the indexes stand together. Jobs and attempts are cleaned up after a number of
 * changes, and not after a share of all rows. They are analyzed early, because prepared statements keep the plans that were
 * made for an empty table until then.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Milliseconds since 1970 in the first 48 bits, and the version in the next four, of a random id. PostgreSQL has it from 18 on.
    create function time_ordered_id() returns uuid language sql volatile parallel safe as $$
      select encode(
        set_bit(set_bit(
          overlay(uuid_send(gen_random_uuid())
            placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
          52, 1), 53, 1),
        'hex')::uuid
    $$;
    alter table jobs alter column id set default time_ordered_id();
    alter table jobs set (
      autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100000, autovacuum_analyze_scale_factor = 0.01
    );
    alter table job_attempts set (
      autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100000, autovacuum_analyze_scale_factor = 0.01
    );
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table jobs reset (
      autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold, autovacuum_analyze_scale_factor
    );
    alter table job_attempts reset (
      autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold, autovacuum_analyze_scale_factor
    );
    alter table jobs alter column id set default gen_random_uuid();
    drop function time_ordered_id();
  `)
}
