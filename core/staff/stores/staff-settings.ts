import type { Db } from '../../platform/db.ts'

/** Returns whether managers have switched the shared password off. */
export async function isSharedPasswordOff(db: Db): Promise<boolean> {
  return Boolean((await db('network').first('shared_password_off_at'))?.shared_password_off_at)
}
