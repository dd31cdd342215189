import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '../db.ts'
import { HOUR } from '../time.ts'

/** How long staff stay signed in, in milliseconds. */
export const SESSION_LIFETIME = 12 * HOUR

/** Opens a session. The token goes to the browser; the database only keeps its hash. */
export async function open(db: Db): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db('staff_sessions').insert({
    token_hash: hash(token),
    expires_at: db.raw(`now() + ? * interval '1 ms'`, [SESSION_LIFETIME]),
  })
  return token
}

export async function isOpen(db: Db, token: string): Promise<boolean> {
  const row = await db('staff_sessions')
    .where('token_hash', hash(token))
    .where('expires_at', '>', db.fn.now())
    .first('id')
  return row !== undefined
}

export async function close(db: Db, token: string): Promise<void> {
  await db('staff_sessions').where('token_hash', hash(token)).delete()
}

/** Deletes what has expired. Returns how many. */
export async function purge(db: Db): Promise<number> {
  return db('staff_sessions').where('expires_at', '<=', db.fn.now()).delete()
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
