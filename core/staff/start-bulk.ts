import * as changes from '../deliveries/stores/changes.ts'
import { AppError } from '../errors.ts'
import type { NewAnswer } from '../leads/contract/outcomes.ts'
import type { Db, Transaction } from '../platform/db.ts'
import { currentRequest } from '../platform/log.ts'
import type { BulkPurpose } from './contract/bulk.ts'
import type { Actor } from './stores/audit-log.ts'
import * as bulk from './stores/bulk.ts'

type Start = {
  purpose: BulkPurpose
  /** The rows, in the order in which they are acted on. At least one. */
  items: bulk.NewItem[]
  providerId?: number
  outcome?: NewAnswer
  waitingAt?: number
  toClinic?: number
  delay?: number
  /** The most actions of these purposes that act at the same time, and the sentence that refuses another one. */
  limit: { of: BulkPurpose[]; most: number; sentence: string }
  /** Runs in the same transaction. */
  record?: (trx: Transaction) => Promise<void>
}

/**
 * Starts a bulk action as a job of the ledger. A worker acts on the rows as they are listed here.
 * @returns the id of the job
 * @throws AppError `rate_limited`
 */
export async function startBulk(
  db: Db,
  { purpose, items, limit, record, ...settings }: Start,
  { actor, actorId = null }: Actor,
): Promise<string> {
  return db.transaction(async (trx) => {
    await bulk.lockStarts(trx)
    if ((await bulk.countActing(trx, limit.of)) >= limit.most) {
      throw new AppError('rate_limited', limit.sentence, { retryAfterSeconds: 60 })
    }
    const { ip = null, sessionId = null } = currentRequest() ?? {}
    const id = await bulk.add(trx, { purpose, actor, items, input: { ...settings, actorId, ip, sessionId } })
    await record?.(trx)
    await changes.announce(trx, { bulk: [id] })
    return id
  })
}
