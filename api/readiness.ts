import { SECOND } from '../core/contract/time.ts'
import type { Db } from '../core/platform/db.ts'
import { pendingMigrations } from '../core/platform/migrations.ts'
import { inTime } from '../core/platform/process.ts'

const DEADLINE = 1.5 * SECOND

type Readiness = { status: 'ready' } | { status: 'unready'; reason: string }

/**
 * Returns a function that finds out within two seconds whether this process can take traffic: once it has seen a database
 * with all migrations. It stays ready while that database is away, because all processes share it: a proxy that takes them
 * all out would answer with its own error page, and this process answers with a sentence. `/statusz` reports the database.
 */
export function createReadiness(db: Db): () => Promise<Readiness> {
  let isReady = false
  return async () => {
    if (isReady) return { status: 'ready' }
    try {
      const pending = await inTime(pendingMigrations(db), DEADLINE)
      if (pending > 0) return { status: 'unready', reason: `${pending} migrations are missing.` }
      isReady = true
      return { status: 'ready' }
    } catch (error) {
      return { status: 'unready', reason: (error as Error).message || 'The database does not answer.' }
    }
  }
}
