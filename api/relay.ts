import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE, SECOND } from '../core/contract/time.ts'
import * as dueJobs from '../core/deliveries/stores/attempts.ts'
import type { Db } from '../core/platform/db.ts'
import { type Logger, messageOf } from '../core/platform/log.ts'
import type { Queues } from '../core/platform/queue.ts'

const BATCH = 100
/** In milliseconds: the pause between two passes. */
const MIN_PAUSE = 10
/**
 * While forms come in, the pause after a full pass is so many times as long as the pass took, up to `MAX_PAUSE`
 * milliseconds: visitors wait for an answer, and the jobs of a rush wait for the workers in any case.
 */
const REST = 9
const MAX_PAUSE = 500
const POLL_INTERVAL = SECOND

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
  let woken = new AbortController()
  let stopped = false
  let lastReport = 0

  const loop = async () => {
    while (!stopped) {
      let moved = 0
      woken = new AbortController()
      const began = performance.now()
      try {
        moved = await relayDueJobs(db, queues)
      } catch (error) {
        // The rows stay as they are: nothing is lost while the queue or the database is away.
        if (Date.now() - lastReport >= MINUTE) {
          log.warn({ reason: messageOf(error as Error) }, 'relay waits')
          lastReport = Date.now()
        }
        await sleep(POLL_INTERVAL)
      }
      const isFull = moved >= BATCH
      const isRush = isFull && woken.signal.aborted
      await sleep(isRush ? Math.min(MAX_PAUSE, REST * (performance.now() - began)) : MIN_PAUSE)
      // Waking ends the sleep with an error.
      if (!isFull) await sleep(POLL_INTERVAL, undefined, { signal: woken.signal }).catch(() => {})
    }
  }
  const running = loop()

  return {
    wake: () => woken.abort(),
    async stop() {
      stopped = true
      woken.abort()
      await running
    },
  }
}

/**
 * Marks up to a batch of due jobs enqueued and adds them to the queue, in one transaction. If it fails in between, the
 * queue may have jobs whose rows still wait: they are added again under the same id, and a handler does nothing for a
 * row that is done.
 * @returns how many were moved
 */
async function relayDueJobs(db: Db, queues: Queues): Promise<number> {
  return db.transaction(async (trx) => {
    const due = await dueJobs.takeDue(trx, BATCH)
    if (due.length > 0) await queues.add(due)
    return due.length
  })
}
