import {
  ATTENTION_KINDS,
  type Attention,
  type AttentionOf,
  MAX_LINES_PER_KIND,
  type SetAside,
} from '../contract/attention.ts'
import type { Env } from '../env.ts'
import type { Db } from '../platform/db.ts'
import { WAITING_DAYS } from '../rules/matching.ts'
import * as attention from '../stores/attention.ts'
import * as auditLog from '../stores/audit-log.ts'
import * as changes from '../stores/changes.ts'
import * as leads from '../stores/leads.ts'
import * as suppressions from '../stores/suppressions.ts'
import type { Actor } from './actor.ts'
import { readSyncStatus, type SyncEnv } from './sync/sync-status.ts'

type AttentionEnv = SyncEnv & Pick<Env, 'NO_ROOM'>

/**
 * Reads what needs the attention of staff, or what they have set aside.
 * @param personKey of the purpose `person-hash`
 */
export async function readAttention(
  db: Db,
  env: AttentionEnv,
  { aside, personKey }: { aside: boolean; personKey: Buffer },
): Promise<Attention> {
  const [stored, sync, quietSince] = await Promise.all([
    attention.list(db, { aside, ...contextOf(env) }),
    readSyncLines(db, env),
    attention.readQuietSince(db),
  ])
  const open = sync.filter(({ mark }) => mark === null)
  const shownSync = (aside ? sync.filter(({ mark }) => mark !== null) : open).slice(0, MAX_LINES_PER_KIND)
  const counts = { ...stored.counts, ...(open.length > 0 && { sync: open.length }) }
  const total = Object.values(counts).reduce((sum, lines) => sum + lines, 0)
  const lines = [...stored.lines, ...shownSync].toSorted(
    (a, b) => ATTENTION_KINDS.indexOf(a.kind) - ATTENTION_KINDS.indexOf(b.kind),
  )
  return {
    lines: await markSuppressed(db, lines, personKey),
    counts,
    total,
    aside: stored.aside + sync.length - open.length,
    quiet_since: total === 0 ? quietSince : null,
  }
}

/** Records since when nothing needs attention. Returns whether that has changed. */
export async function noteQuiet(db: Db, env: AttentionEnv): Promise<boolean> {
  const [stored, sync] = await Promise.all([attention.count(db, contextOf(env)), readSyncLines(db, env)])
  return attention.noteQuiet(db, stored + sync.filter(({ mark }) => mark === null).length === 0)
}

/** Sets a line aside until a time, or until there is news. */
export async function setAside(db: Db, { key, version, until }: SetAside, { actor }: Actor): Promise<void> {
  await db.transaction(async (trx) => {
    await attention.mark(trx, { key, version, until: until ?? null, by: actor })
    await record(trx, { key, ...(until !== undefined && { until }) }, actor)
  })
}

/** Takes a line back. Does nothing if it was not set aside. */
export async function takeBack(db: Db, key: string, { actor }: Actor): Promise<void> {
  await db.transaction(async (trx) => {
    if (await attention.unmark(trx, key)) await record(trx, { key, undone: true }, actor)
  })
}

async function record(db: Db, details: { key: string; until?: string; undone?: true }, actor: string): Promise<void> {
  const subject = Number(details.key.split(':').at(-1))
  const entityId = Number.isInteger(subject) ? subject : 'all'
  await auditLog.record(db, { actor, action: 'set-aside', entity: 'attention', entityId, details })
  await changes.announce(db, { attention: true })
}

const contextOf = ({ NO_ROOM }: AttentionEnv): attention.AttentionContext => ({
  waitingDays: NO_ROOM === 'wait' ? WAITING_DAYS : 0,
})

/** Marks unmatched leads, and those with a wrong number, whose person asked not to be contacted. */
async function markSuppressed(db: Db, lines: Attention['lines'], key: Buffer): Promise<Attention['lines']> {
  const marked = lines.flatMap((line) => ('do_not_contact' in line ? line.leadId : []))
  if (marked.length === 0) return lines
  const suppressed = await suppressions.among(db, key, await leads.findMany(db, marked))
  const ids = new Set([...suppressed].map(({ id }) => id))
  return lines.map((line) => ('do_not_contact' in line ? { ...line, do_not_contact: ids.has(line.leadId) } : line))
}

type SyncLine = AttentionOf<'sync'>

/** Lists the troubles of the provider sync, the newest first, also those that were set aside. */
async function readSyncLines(db: Db, env: AttentionEnv): Promise<SyncLine[]> {
  const status = await readSyncStatus(db, env)
  const { failed, unapproved, oldLeads } = await attention.readSyncTrouble(db, { needsApproval: status.needs_approval })
  const lines = oldLeads.map((run) => syncLine('old-leads', run))
  if (unapproved) lines.push(syncLine('approval', unapproved))
  // A sync that fails again and again becomes overdue, which is the same trouble.
  if (failed && status.current === null) lines.push(syncLine('failed', failed))
  // Before the first sync, the setup and the state of the sync say what to do.
  else if (status.is_overdue && status.last_success_at) lines.push(overdueLine(status.last_success_at))
  const marks = await attention.findMarks(db, lines)
  return lines.map((each) => ({ ...each, mark: marks.get(each.key) ?? null })).toSorted((a, b) => b.version - a.version)
}

const syncLine = (trouble: SyncLine['trouble'], { id, at, leads, error }: attention.SyncTrouble): SyncLine => ({
  ...{ kind: 'sync', key: `sync:${trouble}:${id}`, version: at.getTime(), since: at.toISOString(), mark: null },
  ...{ trouble, runId: id, leads, error },
})

/** @param lastSuccessAt null if no sync has succeeded yet */
const overdueLine = (lastSuccessAt: string | null): SyncLine => ({
  ...{ kind: 'sync', key: 'sync:overdue', version: Date.parse(lastSuccessAt ?? EPOCH), mark: null },
  ...{ since: lastSuccessAt ?? EPOCH, trouble: 'overdue', runId: null, leads: 0, error: null },
})
const EPOCH = new Date(0).toISOString()
