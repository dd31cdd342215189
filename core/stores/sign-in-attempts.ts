import type { Db } from '../platform/db.ts'

/** Deletes what does not count any more (`api/guesses.ts` counts). Returns how many. */
export async function purge(db: Db): Promise<number> {
  return db('sign_in_attempts').where('expire', '<=', Date.now()).delete()
}
