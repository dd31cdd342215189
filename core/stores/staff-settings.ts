import type { Db } from '../platform/db.ts'

/** Returns whether managers have switched the shared password off. */
export async function isSharedPasswordOff(db: Db): Promise<boolean> {
  const settings = await db('staff_settings').first('shared_password_off_at')
  return Boolean(settings?.shared_password_off_at)
}

export async function setSharedPassword(db: Db, isOn: boolean): Promise<void> {
  await db('staff_settings')
    .insert({ only_row: true, shared_password_off_at: isOn ? null : db.fn.now() })
    .onConflict('only_row')
    .merge()
}
