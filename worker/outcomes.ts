import cron from 'node-cron'
import { MINUTE } from '../core/contract/time.ts'
import { retryDelay } from '../core/deliveries/rules/failures.ts'
import type { WorkerEnv } from '../core/env.ts'
import { takeCrmChanges } from '../core/leads/answers.ts'
import * as leads from '../core/leads/stores/leads.ts'
import {
  advanceCursor,
  type CrmCursor,
  claimCursor,
  failCursor,
  forgetOtherCursors,
  HEARTBEAT_INTERVAL,
  handBackCursor,
  INBOX,
  MIN_FAILURE_SHOWN,
  renewCursor,
} from '../core/leads/stores/outcomes.ts'
import { deriveKey } from '../core/platform/data-key.ts'
import type { Db } from '../core/platform/db.ts'
import type { Logger } from '../core/platform/log.ts'
import type { OptOutContext } from '../core/privacy/stop-contact.ts'
import { DeliveryError, reasonOf } from './delivery-error.ts'
import type { CrmOutcomes, CrmSender } from './senders/crm-sender.ts'
import type { Mailer } from './senders/mailer.ts'

/** Never gives up: only changes after the cursor are read, so that nothing is lost meanwhile. */
const RETRY = { attempts: Number.POSITIVE_INFINITY, firstDelay: MINUTE, maxDelay: 15 * MINUTE }

type Services = { db: Db; log: Logger; context: OptOutContext; signal: AbortSignal }

type Sources = {
  env: Pick<WorkerEnv, 'DATA_KEY' | 'NETWORK_TIME_ZONE' | 'PUBLIC_URL' | 'TEAM_EMAIL' | 'INBOX_URL'>
  db: Db
  log: Logger
  crm: Pick<CrmSender, 'outcomes'> | null
  mailer: Mailer
}

/** Starts to read outcomes from the CRM and the mailbox. Any worker may run it; one at a time reads. */
export function scheduleOutcomes({ env, db, log, crm, mailer }: Sources): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const context = { key: deriveKey(env.DATA_KEY, 'person-hash'), timeZone: env.NETWORK_TIME_ZONE }
  const services = { db, log, context, signal: stopping.signal }
  const { outcomes } = crm ?? {}
  const inbox = env.INBOX_URL
  const readers = [
    ...(outcomes ? [{ source: outcomes.source, read: () => readOutcomes(outcomes, services) }] : []),
    ...(inbox ? [{ source: INBOX, read: () => readReplies(inbox.url, { ...services, env, mailer }) }] : []),
  ]
  const sources = readers.map(({ source }) => source)
  forgetOtherCursors(db, sources).catch((error: Error) => {
    log.warn({ reason: reasonOf(error) }, 'failures of a previous source not closed')
  })
  const stops = readers.map(({ read }) => {
    let reading = Promise.resolve()
    const begin = () => {
      reading = read()
      return reading
    }
    const task = cron.schedule('*/10 * * * * *', begin, { noOverlap: true })
    return async () => {
      await task.destroy()
      await reading
    }
  })
  return {
    async stop() {
      stopping.abort()
      await Promise.all(stops.map((stop) => stop()))
    },
  }
}

/** Reads the replies to our emails, unless that is not due or another worker does it. */
export function readReplies(url: string, services: Services & { env: Sources['env']; mailer: Mailer }): Promise<void> {
  return whileClaimed({ source: INBOX, notRead: 'Replies not read' }, services, async (cursor) => {
    // Few have a mailbox, and its client is a fifth of what a worker loads.
    const { readInbox } = await import('./inbox.tsx')
    const recorded = await readInbox(url, services)
    await advanceCursor(services.db, cursor, { readAt: new Date(), lastId: null })
    return { recorded }
  })
}

/**
 * Reads every change of the CRM since the last pass, unless that is not due or another worker does it. Each page is recorded
 * before the cursor moves on: a worker that is killed between the two reads the page again, and its events are recorded once.
 */
export function readOutcomes(outcomes: CrmOutcomes, { db, log, context, signal }: Services): Promise<void> {
  const known = async (crmIds: string[]) => new Set((await leads.listOfCrm(db, crmIds)).map(({ crmId }) => crmId))
  return whileClaimed(
    { source: outcomes.source, notRead: 'CRM outcomes not read' },
    { db, log, signal },
    async (first) => {
      let cursor = first
      let recorded = 0
      let pages = 0
      do {
        const page = await outcomes.readPage(cursor, { known, signal })
        recorded += await takeCrmChanges(db, page.changes, context)
        pages += 1
        const next = await advanceCursor(db, cursor, page)
        if (!next) {
          log.warn({ source: outcomes.source }, 'CRM outcomes are read by another worker')
          return null
        }
        cursor = next
      } while (cursor.afterId !== null)
      return { recorded, pages }
    },
  )
}

type Reading = Omit<Services, 'context'>

/**
 * Reads from a source, unless that is not due or another worker does it. A failure is recorded, and the next attempt comes later.
 * @param read returns how many outcomes it has recorded, for the log; null when another worker has taken over
 */
async function whileClaimed(
  { source, notRead }: { source: string; notRead: string },
  { db, log, signal }: Reading,
  read: (cursor: CrmCursor) => Promise<{ recorded: number; pages?: number } | null>,
): Promise<void> {
  let cursor: CrmCursor | null
  try {
    cursor = await claimCursor(db, source)
  } catch (error) {
    return log.warn({ source, reason: reasonOf(error as Error) }, notRead)
  }
  if (!cursor) return

  const claimed = cursor
  const started = performance.now()
  const beating = setInterval(() => void renewCursor(db, claimed).catch(() => {}), HEARTBEAT_INTERVAL)
  try {
    const facts = await read(claimed)
    if (facts && facts.recorded > 0)
      log.info({ source, ...facts, ms: Math.round(performance.now() - started) }, 'outcomes')
  } catch (error) {
    if (signal.aborted) await handBackCursor(db, claimed).catch(() => {})
    else await recordFailure(error as Error, claimed, { db, log, notRead })
  } finally {
    clearInterval(beating)
  }
}

async function recordFailure(
  error: Error,
  cursor: CrmCursor,
  { db, log, notRead }: Pick<Reading, 'db' | 'log'> & { notRead: string },
): Promise<void> {
  const { cause, status, message, retryAfter }: Partial<DeliveryError> = error instanceof DeliveryError ? error : {}
  const wait = retryDelay(RETRY, cursor.failures + 1, { retryAfter }) ?? RETRY.maxDelay
  const line = { source: cursor.source, reason: reasonOf(error), ...(cause && { cause }), ...(status && { status }) }
  try {
    const since = await failCursor(db, cursor, { error: message ?? 'Something went wrong on our side.', wait })
    const isLong = since !== undefined && Date.now() - since.getTime() > MIN_FAILURE_SHOWN
    log[isLong || cause === 'credentials' ? 'error' : 'warn'](
      { ...line, failingSince: since, retryInMs: wait },
      notRead,
    )
  } catch {
    // The claim ends by itself.
    log.warn(line, notRead)
  }
}
