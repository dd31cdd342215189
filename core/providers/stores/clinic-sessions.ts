import { type Db, queryRows, type Transaction } from '../../platform/db.ts'
import { hashToken, newToken } from '../../platform/tokens.ts'
import { HOUR } from '../../time.ts'
import { CLINICS_OF_ADDRESS } from './clinic-people.ts'

/** The lifetime of a session of a clinic, in milliseconds. */
export const SESSION_LIFETIME = 12 * HOUR

/** The time after a sign-in in which it counts as a fresh proof of the mailbox, in milliseconds. */
const FRESH = HOUR

/** The signed-in clinic, and the address that signed in. `isFresh`: within the last hour. */
export type SignedInClinic = {
  id: number
  name: string
  practiceName: string | null
  email: string
  sessionId: number
  isFresh: boolean
}

/** Opens a session. Returns its token, of which the database keeps only the hash. */
export async function open(
  trx: Transaction,
  { providerId, email }: { providerId: number; email: string },
  device: { ip: string; userAgent: string },
): Promise<string> {
  const token = newToken()
  await trx('clinic_sessions').insert({
    provider_id: providerId,
    email,
    token_hash: hashToken(token),
    expires_at: trx.raw(`now() + ? * interval '1 ms'`, [SESSION_LIFETIME]),
    ip: device.ip,
    user_agent: device.userAgent.slice(0, 300),
  })
  return token
}

/** Finds the clinic of a session. Returns null once it has ended, its address may not sign in any more, or the clinic has left. */
export async function find(db: Db, token: string): Promise<SignedInClinic | null> {
  const [row] = await queryRows<SignedInClinic>(
    db,
    `select providers.id, name, practice_name as "practiceName", session.email, session.id as "sessionId",
       session.created_at > now() - :fresh * interval '1 ms' as "isFresh"
     from clinic_sessions session join providers on providers.id = session.provider_id
     where token_hash = :hash and expires_at > now() and exists (
       select from (${CLINICS_OF_ADDRESS.replaceAll(':email', 'session.email')}) clinic where clinic.id = providers.id)`,
    { hash: hashToken(token), fresh: FRESH },
  )
  return row ?? null
}

/** Ends the session of a token. */
export async function end(db: Db, token: string): Promise<void> {
  await db('clinic_sessions').where('token_hash', hashToken(token)).delete()
}
