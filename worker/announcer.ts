import type { Changes } from '../core/contract/events.ts'
import type { Db } from '../core/platform/db.ts'
import type { Logger } from '../core/platform/log.ts'
import { announce, merge } from '../core/stores/changes.ts'

/** How long changes are gathered, in milliseconds. */
const FLUSH_INTERVAL = 200

export type Announcer = {
  /** Says that something was committed. Returns at once. */
  tell(changes: Changes): void
  /** Announces what is left. */
  stop(): Promise<void>
}

/**
 * Tells open dashboards what a worker has done: all of a fifth of a second in one notification, and after the commits,
 * because those that notify wait for each other. A worker that is killed may leave the last fifth unsaid.
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
    // A database that is away costs open dashboards some changes; once they hear it again, they read everything.
    await announce(db, changes).catch((error: Error) => log.debug({ reason: error.message }, 'changes not announced'))
  }

  return {
    tell(changes) {
      gathered = merge(gathered, changes)
      timer ??= setTimeout(flush, FLUSH_INTERVAL)
    },
    stop: flush,
  }
}
