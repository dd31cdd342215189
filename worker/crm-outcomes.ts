import cron from 'node-cron'
import { retryDelay } from '../core/deliveries/rules/failures.ts'
import type { Env } from '../core/env.ts'
import { takeCrmChanges } from '../core/leads/answers.ts'
import * as crmCursors from '../core/leads/stores/crm-cursors.ts'
import * as leads from '../core/leads/stores/leads.ts'
import { deriveKey } from '../core/platform/data-key.ts'
import type { Db } from '../core/platform/db.ts'
import type { Logger } from '../core/platform/log.ts'
import type { OptOutContext } from '../core/privacy/stop-contact.ts'
import { MINUTE } from '../core/time.ts'
import { DeliveryError, reasonOf } from './delivery-error.ts'
import type { CrmOutcomes, CrmSender } from './senders/crm-sender.ts'

/** Never gives up: only changes after the cursor are read, so that nothing is lost meanwhile. */
const RETRY = { attempts: Number.POSITIVE_INFINITY, firstDelay: MINUTE, maxDelay: 15 * MINUTE }

type Services = { db: Db; log: Logger; context: OptOutContext; signal: AbortSignal }

/** Starts to ask the CRM for outcomes, if it is one that is asked. Any worker may run it; one at a time reads. */
export function scheduleCrmOutcomes({
  env,
  db,
  log,
  crm,
}: {
  env: Pick<Env, 'DATA_KEY' | 'NETWORK_TIME_ZONE'>
  db: Db
  log: Logger
  crm: Pick<CrmSender, 'outcomes'> | null
}): { stop(): Promise<void> } {
  const { outcomes } = crm ?? {}
  crmCursors.forgetOthers(db, outcomes?.source ?? null).catch((error: Error) => {
    log.warn({ reason: reasonOf(error) }, 'failures of a previous CRM not closed')
  })
  if (!outcomes) return { async stop() {} }

  const stopping = new AbortController()
  const context = { key: deriveKey(env.DATA_KEY, 'person-hash'), timeZone: env.NETWORK_TIME_ZONE }
  const services = { db, log, context, signal: stopping.signal }
  let reading = Promise.resolve()
  const task = cron.schedule(
    '*/10 * * * * *',
    () => {
      reading = readOutcomes(outcomes, services)
      return reading
    },
    { noOverlap: true },
  )
  return {
    async stop() {
      stopping.abort()
      await task.destroy()
      await reading
    },
  }
}

/**
 * Reads every change of the CRM since the last pass, unless that is not due or another worker does it. Each page is recorded
 * before the cursor moves on: a worker that is killed between the two reads the page again, and its events are recorded once.
 */
export async function readOutcomes(outcomes: CrmOutcomes, { db, log, context, signal }: Services): Promise<void> {
  const line = { source: outcomes.source }
  let cursor: crmCursors.CrmCursor | null
  try {
    cursor = await crmCursors.claim(db, outcomes.source)
  } catch (error) {
    return log.warn({ ...line, reason: reasonOf(error as Error) }, 'CRM outcomes not read')
  }
  if (!cursor) return

  const started = performance.now()
  let claimed = cursor
  const beating = setInterval(() => void crmCursors.renew(db, claimed).catch(() => {}), crmCursors.HEARTBEAT_INTERVAL)
  const known = async (crmIds: string[]) => new Set((await leads.listOfCrm(db, crmIds)).map(({ crmId }) => crmId))
  try {
    let pages = 0
    let recorded = 0
    do {
      const page = await outcomes.readPage(claimed, { known, signal })
      recorded += await takeCrmChanges(db, page.changes, context)
      cursor = await crmCursors.advance(db, claimed, page)
      if (!cursor) return log.warn(line, 'CRM outcomes are read by another worker')
      claimed = cursor
      pages += 1
    } while (claimed.afterId !== null)
    if (recorded > 0)
      log.info({ ...line, recorded, pages, ms: Math.round(performance.now() - started) }, 'crm outcomes')
  } catch (error) {
    if (signal.aborted) await crmCursors.handBack(db, claimed).catch(() => {})
    else await recordFailure(error as Error, claimed, { db, log })
  } finally {
    clearInterval(beating)
  }
}

async function recordFailure(
  error: Error,
  cursor: crmCursors.CrmCursor,
  { db, log }: Pick<Services, 'db' | 'log'>,
): Promise<void> {
  const { cause, status, summary, retryAfter }: Partial<DeliveryError> = error instanceof DeliveryError ? error : {}
  const wait = retryDelay(RETRY, cursor.failures + 1, { retryAfter }) ?? RETRY.maxDelay
  const line = { source: cursor.source, reason: reasonOf(error), ...(cause && { cause }), ...(status && { status }) }
  try {
    const since = await crmCursors.fail(db, cursor, { error: summary ?? 'Something went wrong on our side.', wait })
    const isLong = since !== undefined && Date.now() - since.getTime() > crmCursors.MIN_FAILURE_SHOWN
    log[isLong || cause === 'credentials' ? 'error' : 'warn'](
      { ...line, failingSince: since, retryInMs: wait },
      'CRM outcomes not read',
    )
  } catch {
    // The claim ends by itself.
    log.warn(line, 'CRM outcomes not read')
  }
}
