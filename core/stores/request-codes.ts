import { randomInt, timingSafeEqual } from 'node:crypto'
import { keyedHash } from '../platform/data-key.ts'
import { countRows, type Db, type Transaction } from '../platform/db.ts'
import { MINUTE } from '../time.ts'

/*
 * The codes that a clinic's page for a request asks for. Only keyed hashes are stored. `key` is that of the purpose
 * `request-code`.
 */

/** The lifetime of a code after its e-mail, in milliseconds. */
export const CODE_LIFETIME = 10 * MINUTE
export const MAX_TRIES = 5
/** The most codes that a clinic may ask for within an hour, for one request. */
export const MAX_CODES = 3

export type CodedRequest = { leadId: number; providerId: number }

/** Makes a code of six digits, which ends the one before. */
export async function make(db: Db, request: CodedRequest, key: Buffer): Promise<string> {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const made = {
    provider_id: request.providerId,
    code_hash: hashOf(key, request, code),
    tries: 0,
    expires_at: db.raw(`now() + ? * interval '1 ms'`, [CODE_LIFETIME]),
  }
  await db('request_codes')
    .insert({ lead_id: request.leadId, ...made })
    .onConflict('lead_id')
    .merge(made)
  return code
}

/** Checks a code, and counts the try before it looks. A code works once. `ended`: no code is left to try. */
export async function check(
  db: Db,
  request: CodedRequest,
  typed: string,
  key: Buffer,
): Promise<'right' | 'wrong' | 'ended'> {
  const [tried] = await db('request_codes')
    .where({ lead_id: request.leadId, provider_id: request.providerId })
    .where('expires_at', '>', db.fn.now())
    .where('tries', '<', MAX_TRIES)
    .update({ tries: db.raw('tries + 1') })
    .returning(['code_hash', 'tries'])
  if (!tried) return 'ended'
  if (!isEqual(tried.code_hash, hashOf(key, request, typed))) return tried.tries < MAX_TRIES ? 'wrong' : 'ended'
  const used = await db('request_codes').where({ lead_id: request.leadId, code_hash: tried.code_hash }).delete()
  return used === 1 ? 'right' : 'ended'
}

/** Counts the codes that were asked for within the last hour. */
export async function countAsked(trx: Transaction, { leadId, providerId }: CodedRequest): Promise<number> {
  return countRows(
    trx('jobs')
      .where({ lead_id: leadId, told_provider_id: providerId, purpose: 'request_code' })
      .whereRaw(`created_at > now() - interval '1 hour'`),
  )
}

/** Returns whether a code was asked for that may still work. */
export async function isAsked(db: Db, { leadId, providerId }: CodedRequest): Promise<boolean> {
  const job = await db('jobs')
    .where({ lead_id: leadId, told_provider_id: providerId, purpose: 'request_code' })
    .whereRaw(`created_at > now() - ? * interval '1 ms'`, [CODE_LIFETIME])
    .first('id')
  return job !== undefined
}

/** Returns whether a code is on its way. */
export async function isUnderWay(trx: Transaction, { leadId, providerId }: CodedRequest): Promise<boolean> {
  const job = await trx('jobs')
    .where({ lead_id: leadId, told_provider_id: providerId, purpose: 'request_code' })
    .whereIn('state', ['waiting', 'enqueued'])
    .first('id')
  return job !== undefined
}

export async function remove(trx: Transaction, leadId: number): Promise<void> {
  await trx('request_codes').where('lead_id', leadId).delete()
}

const hashOf = (key: Buffer, { leadId, providerId }: CodedRequest, code: string) =>
  keyedHash(key, `code ${leadId} ${providerId} ${code}`)

/** Compares two hashes of the same length in constant time. */
const isEqual = (one: string, other: string) => timingSafeEqual(Buffer.from(one), Buffer.from(other))
