import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { type Db, listenClient } from '../core/db.ts'
import type { Logger } from '../core/log.ts'
import type { Queues } from '../core/queue.ts'
import * as jobs from '../core/stores/jobs.ts'
import { MINUTE, SECOND } from '../core/time.ts'

/** With the pause, at most 2,000 jobs a second and process: in a rush the visitors come first, and nothing is lost. */
const BATCH = 100
const PAUSE = 50
const POLL_INTERVAL = SECOND
const RECONNECT_INTERVAL = 5 * SECOND

export type Relay = {
  /** Says that a job was committed. Returns at once. */
  wake(): void
  /** Ends the loop after the pass that is under way. */
  stop(): Promise<void>
}

/**
 * Moves due jobs from the outbox to the queue, as long as the process lives: when woken after a commit, when another
 * process notifies, and each second in any case. Any number of relays may run; each takes what no other holds.
 */
export function startRelay({ db, queues, log }: { db: Db; queues: Queues; log: Logger }): Relay {
  let bell = newBell()
  let stopped = false
  let lastReport = 0

  const loop = async () => {
    while (!stopped) {
      let moved = 0
      try {
        moved = await relayDueJobs(db, queues)
      } catch (error) {
        // The rows stay as they are: nothing is lost while the queue or the database is away.
        if (Date.now() - lastReport > MINUTE) log.warn({ reason: (error as Error).message }, 'relay waits')
        lastReport = Date.now()
        await sleep(POLL_INTERVAL)
      }
      await sleep(PAUSE)
      if (moved === BATCH) continue
      await Promise.race([bell.rung, sleep(POLL_INTERVAL)])
      bell = newBell()
    }
  }
  const running = loop()

  return {
    wake: () => bell.ring(),
    async stop() {
      stopped = true
      bell.ring()
      await running
    },
  }
}

/**
 * Adds up to a batch of due jobs to the queue and marks them enqueued, in one transaction. If it fails in between, the
 * queue may have jobs whose rows still wait: they are added again under the same id, and a handler does nothing for a
 * row that is done.
 * @returns how many were moved
 */
export async function relayDueJobs(db: Db, queues: Queues): Promise<number> {
  return db.transaction(async (trx) => {
    const due = await jobs.lockDue(trx, BATCH)
    if (due.length === 0) return 0

    await queues.add(due)
    await jobs.markEnqueued(
      trx,
      due.map(({ id }) => id),
    )
    return due.length
  })
}

/** Wakes the relay when any process commits jobs; reconnects by itself. Returns how to end it. */
export function listenForJobs(databaseUrl: string, relay: Relay, log: Logger): () => Promise<void> {
  let client: pg.Client | undefined
  const ended = new AbortController()

  const connect = async () => {
    while (!ended.signal.aborted) {
      client = listenClient(databaseUrl)
      const lost = new Promise<void>((resolve) => {
        // Not once: a lost connection tells it more than once, and an error that nobody hears ends the process.
        client?.on('error', () => resolve())
        client?.once('end', () => resolve())
      })
      try {
        await client.connect()
        client.on('notification', () => relay.wake())
        await client.query(`listen ${jobs.JOBS_CHANNEL}`)
        await lost
      } catch (error) {
        log.debug({ reason: (error as Error).message }, 'cannot listen for jobs')
      }
      await client.end().catch(() => {})
      await sleep(RECONNECT_INTERVAL, null, { signal: ended.signal }).catch(() => {})
    }
  }
  const running = connect()

  return async () => {
    ended.abort()
    await client?.end().catch(() => {})
    await running
  }
}

function newBell() {
  let ring = () => {}
  const rung = new Promise<void>((resolve) => {
    ring = resolve
  })
  return { ring, rung }
}
