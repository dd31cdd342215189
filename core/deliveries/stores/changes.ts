import { Changes } from '../../contract/events.ts'
import type { Db } from '../../platform/db.ts'

/** Every API process listens on this channel for its open dashboards. */
export const CHANGES_CHANNEL = 'changes'

/** The number of ids in one notification, which holds 8,000 bytes at most. */
export const MAX_IDS_PER_NOTICE = 500

/**
 * Announces changes to every open dashboard, from a transaction when it commits. Not for transactions that run in
 * parallel by the hundred, because PostgreSQL commits notifying transactions one after the other.
 */
export async function announce(db: Db, changes: Changes): Promise<void> {
  await db.raw('select pg_notify(?, ?)', [CHANGES_CHANNEL, JSON.stringify(within(MAX_IDS_PER_NOTICE, changes))])
}

/** Parses a change notification. Returns that everything may have changed when it is unreadable. */
export function readAnnouncement(payload: string): Changes {
  try {
    return Changes.parse(JSON.parse(payload))
  } catch {
    return { all: true }
  }
}

/** Merges several changes into one, with each id once. */
export function merge(a: Changes, b: Changes): Changes {
  if (a.all || b.all) return { all: true }
  const merged: Changes = { ...a }
  for (const kind of KINDS) {
    if (b[kind]) merged[kind] = [...new Set([...(a[kind] ?? []), ...b[kind]])]
  }
  if (b.attention) merged.attention = true
  if (b.sending) merged.sending = [...new Set([...(a.sending ?? []), ...b.sending])]
  if (b.viewing) merged.viewing = [...(a.viewing ?? []), ...b.viewing]
  return merged
}

/** Returns the changes, or `all` when more than `most` rows have changed. */
export function within(most: number, changes: Changes): Changes {
  const count = KINDS.reduce((sum, kind) => sum + (changes[kind]?.length ?? 0), 0)
  return changes.all || count > most ? { all: true } : changes
}

const KINDS = ['leads', 'jobs', 'applications', 'providers', 'syncs', 'accounts'] as const
