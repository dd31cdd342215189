import { Changes } from '../contract/events.ts'
import type { Db } from '../platform/db.ts'

/** Every API process listens on this channel for its open dashboards. */
export const CHANGES_CHANNEL = 'changes'

/** Ids in one notification, which holds 8,000 bytes at most. */
export const MAX_IDS_PER_NOTICE = 500

/**
 * Tells every open dashboard what has changed; within a transaction, once it commits. In no transaction that many make
 * at the same time: PostgreSQL lets those that notify commit one after the other.
 */
export async function announce(db: Db, changes: Changes): Promise<void> {
  await db.raw('select pg_notify(?, ?)', [CHANGES_CHANNEL, JSON.stringify(within(MAX_IDS_PER_NOTICE, changes))])
}

/** What was announced. What cannot be read may have been anything. */
export function readAnnouncement(payload: string): Changes {
  try {
    return Changes.parse(JSON.parse(payload))
  } catch {
    return { all: true }
  }
}

/** Several changes as one. Each id is named once. */
export function merge(a: Changes, b: Changes): Changes {
  if (a.all || b.all) return { all: true }
  const merged: Changes = { ...a }
  for (const kind of KINDS) {
    if (b[kind]) merged[kind] = [...new Set([...(a[kind] ?? []), ...b[kind]])]
  }
  return merged
}

/** The changes, or `all` when more than `most` rows have changed. */
export function within(most: number, changes: Changes): Changes {
  const count = KINDS.reduce((sum, kind) => sum + (changes[kind]?.length ?? 0), 0)
  return changes.all || count > most ? { all: true } : changes
}

const KINDS = ['leads', 'jobs', 'applications', 'providers', 'syncs', 'accounts'] as const
