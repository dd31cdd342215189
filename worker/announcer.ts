import type { Changes } from '../core/contract/events.ts'
import { announce, merge } from '../core/deliveries/stores/changes.ts'
import type { Db } from '../core/platform/db.ts'
import type { Logger } from '../core/platform/log.ts'

/** In milliseconds. */
const FLUSH_INTERVAL = 200

type Announcer = {
  /** Adds committed changes to the next notification. Returns at once. */
  add(changes: Changes): void
  stop(): Promise<void>
}

/**
 * Notifies open dashboards of a worker's changes, one notification per `FLUSH_INTERVAL`. Notifications are sent after
 * the commits, because notifying transactions wait for each other. A killed worker may lose its last interval.
 */
export function createAnnouncer(db: Db, log: Logger): Announcer {
  let gathered: Changes = {}
  let timer: NodeJS.Timeout | undefined

  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    const changes = gathered
    gathered = {}
    if (Object.keys(changes).length === 0) return
    // A lost notification is harmless: dashboards read everything again after a reconnect.
    await announce(db, changes).catch((error: Error) =>
      log.debug({ reason: error.message }, 'change notification failed'),
    )
  }

  return {
    add(changes) {
      gathered = merge(gathered, changes)
      timer ??= setTimeout(flush, FLUSH_INTERVAL)
    },
    stop: flush,
  }
}
