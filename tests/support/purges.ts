import { purgeDeletedLeads } from '../../core/leads/change-lead.ts'
import type { Db } from '../../core/platform/db.ts'
import * as erasures from '../../core/privacy/stores/erasures.ts'
import { retention } from '../../worker/retention.ts'
import { PERSON_KEY, testEnv } from './env.ts'
import { found } from './found.ts'

/** Stores leads without jobs that came in three years ago, longer than leads are kept. */
export async function createExpiredLeads(db: Db, count: number): Promise<void> {
  await db.raw(
    `insert into leads (first_name, last_name, email, phone, zip_code, request_hash, person_key, repeat_window, created_at)
     select 'Jordan', 'Avery', 'a@visitors.example', '1', '78702', '', gen_random_uuid(), 'empty',
       now() - interval '3 years' + n * interval '1 s'
     from generate_series(1, ?) n`,
    [count],
  )
}

/** Deletes permanently what is deleted, as if its time were over. Returns the number of leads. */
export async function purgeDeleted(db: Db): Promise<number> {
  await db('all_leads')
    .whereNotNull('deleted_at')
    .update({ deleted_at: new Date(0) })
  return purgeDeletedLeads(db, 30, PERSON_KEY)
}

export const addPurge = async (db: Db) => found(await db.transaction(erasures.add))

/** Deletes one batch of what the table of retention calls by this name. Returns the number of rows. */
export const purgeOld = (db: Db, name: string): Promise<number> => found(retention(testEnv())[name])(db, 0)
