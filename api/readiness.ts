import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../core/platform/db.ts'
import { pendingMigrations } from '../core/platform/migrations.ts'
import { SECOND } from '../core/time.ts'

const DEADLINE = 1.5 * SECOND

export type Readiness = { status: 'ready' } | { status: 'unready'; reason: string }

/** Returns a function that finds out within two seconds whether the database can be used, and else why not. */
export function createReadiness(db: Db): () => Promise<Readiness> {
  return async () => {
    const late = sleep(DEADLINE).then(() => Promise.reject(new Error('The database does not answer.')))
    late.catch(() => {})
    try {
      const pending = await Promise.race([pendingMigrations(db), late])
      if (pending === 0) return { status: 'ready' }
      return { status: 'unready', reason: `${pending} migrations are missing.` }
    } catch {
      return { status: 'unready', reason: 'The database does not answer.' }
    }
  }
}
