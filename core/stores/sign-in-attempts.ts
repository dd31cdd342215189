import type { Db } from '../platform/db.ts'

/** Deletes expired counts of sign-in attempts (`api/login-throttle.ts`). Returns how many. */
export async function purge(db: Db): Promise<number> {
  return db('sign_in_attempts').where('expire', '<=', Date.now()).delete()
}
