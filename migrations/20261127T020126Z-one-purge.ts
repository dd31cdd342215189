import type { Knex } from 'knex'

/** One job deletes all that is older than its retention. Runs of the earlier jobs, one for each table, are of no use. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    with gone as (delete from jobs where name = 'purge' returning id)
    delete from job_attempts where job_id in (select id from gone)
  `)
}

export async function down(): Promise<void> {}
