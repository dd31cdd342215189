import type { Knex } from 'knex'

/** Drops the exports that a worker prepared, with their files and jobs. Every export is downloaded as it is read. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    drop table export_pieces, exports;
    delete from jobs where name = 'export';
  `)
}
