import type { Context } from 'koa'
import { formatCount } from '../core/contract/format.ts'
import { AppError } from '../core/errors.ts'
import type { Db } from '../core/platform/db.ts'
import type { Logger } from '../core/platform/log.ts'
import type { AccessEntity } from '../core/staff/contract/audit-log.ts'
import type { StaffRole } from '../core/staff/contract/staff.ts'
import * as auditLog from '../core/staff/stores/audit-log.ts'
import { HOUR, MINUTE, SECOND } from '../core/time.ts'
import { actorOf, signedIn } from './middleware/session.ts'
import { routeOf } from './route-of.ts'

/**
 * The most rows that one person may open within an hour, by role. Reading leads one by one stays far below it; copying
 * all of them does not.
 */
export const MAX_READS: Record<StaffRole, number> = { viewer: 500, agent: 500, manager: 3000 }

const WRITE_INTERVAL = SECOND
const MAX_UNWRITTEN = 10_000

type Reading = { entity: AccessEntity; ids: number[]; filter?: Record<string, unknown> }
/** The reads of one person within an hour: each row counts once, and the same page makes one line. */
type Reader = { until: number; rows: Set<string>; noted: Set<string>; isWarned: boolean }

export type ReadingLog = ReturnType<typeof createReadingLog>

/**
 * Records the rows that staff read. Lines are written in groups shortly after the answer, so that no list waits for
 * them; a killed process loses those of its last second. Each process counts a person's rows by itself, starting from
 * the log of the last hour.
 */
export function createReadingLog({ db, log }: { db: Db; log: Logger }) {
  /** By actor. Promises, so that concurrent requests share one reader and cannot each pass the limit. */
  const readers = new Map<string, { until: number; reader: Promise<Reader> }>()
  let unwritten: auditLog.Access[] = []
  let writing: Promise<void> | undefined

  async function write(): Promise<void> {
    const lines = unwritten
    unwritten = []
    if (lines.length === 0) return
    try {
      await auditLog.recordAccess(db, lines)
    } catch (error) {
      log.error({ err: error, lines: lines.length }, 'access log not written; will retry')
      unwritten = [...lines, ...unwritten].slice(0, MAX_UNWRITTEN)
    }
  }
  const flush = (): Promise<void> => {
    writing = (writing ?? Promise.resolve()).then(write)
    return writing
  }
  const timer = setInterval(flush, WRITE_INTERVAL)

  function readerOf(actor: string): Promise<Reader> {
    const known = readers.get(actor)
    if (known && known.until > Date.now()) return known.reader
    const until = Date.now() + HOUR
    const reader = startReader(actor, until)
    readers.set(actor, { until, reader })
    // The next request retries a failed read.
    reader.catch(() => readers.delete(actor))
    return reader
  }

  async function startReader(actor: string, until: number): Promise<Reader> {
    const rows = await auditLog.listRecentRows(db, actor)
    const opened = new Set(rows.map(({ entity, id }) => `${entity} ${id}`))
    return { until, rows: opened, noted: new Set(), isWarned: false }
  }

  const lineOf = (ctx: Context, { entity, ids, filter = {} }: Reading): auditLog.Access => {
    const { actor, actorId } = actorOf(ctx)
    const { sessionId } = signedIn(ctx)
    const call = `${ctx.method} ${routeOf(ctx)}`
    return { at: new Date(), actor, accountId: actorId, sessionId, ip: ctx.ip, call, entity, rowIds: ids, filter }
  }

  return {
    /**
     * Records that staff read rows, after `staffOnly` and before the answer is sent.
     * @throws AppError `rate_limited` when the person has opened as many rows within an hour as the role allows
     */
    async note(ctx: Context, reading: Reading): Promise<void> {
      const line = lineOf(ctx, reading)
      const reader = await readerOf(line.actor)
      const fresh = line.rowIds.map((id) => `${line.entity} ${id}`).filter((row) => !reader.rows.has(row))
      const max = MAX_READS[signedIn(ctx).role]
      if (reader.rows.size + fresh.length > max) {
        if (!reader.isWarned) {
          reader.isWarned = true
          log.warn({ actorId: line.accountId, sessionId: line.sessionId, max }, 'read limit exceeded')
          const about = { entity: 'session', entityId: line.sessionId ?? 'all' } as const
          await auditLog.record(db, { ...actorOf(ctx), action: 'read-limit', ...about, details: { max } })
        }
        throw tooMany(max, reader.until - Date.now())
      }
      for (const row of fresh) reader.rows.add(row)
      const key = JSON.stringify([line.sessionId, line.call, line.entity, line.rowIds, line.filter])
      if (reader.noted.has(key)) return
      reader.noted.add(key)
      unwritten.push(line)
    },

    /**
     * Records an export. Its rows do not count against the limit, because the audit log has a line of its own for it.
     */
    noteExport(ctx: Context, reading: Reading): void {
      unwritten.push(lineOf(ctx, reading))
    },

    /** Records that a clinic reads leads, each once an hour. No limit, because a clinic sees only its own. */
    async noteClinic(ctx: Context, providerId: number, leadIds: number[]): Promise<void> {
      const actor = `clinic ${providerId}`
      const { noted } = await readerOf(actor)
      const rowIds = leadIds.filter((id) => !noted.has(`lead ${id}`))
      if (rowIds.length === 0) return
      for (const id of rowIds) noted.add(`lead ${id}`)
      unwritten.push({
        ...{
          at: new Date(),
          actor,
          accountId: null,
          sessionId: null,
          ip: ctx.ip,
          call: `${ctx.method} ${routeOf(ctx)}`,
        },
        ...{ entity: 'lead', rowIds, filter: {} },
      })
    },

    /** Writes the pending lines. */
    flush,

    async stop(): Promise<void> {
      clearInterval(timer)
      await flush()
    },
  }
}

function tooMany(max: number, wait: number): AppError {
  const minutes = Math.max(1, Math.ceil(wait / MINUTE))
  return new AppError(
    'rate_limited',
    `You have opened ${formatCount(max)} people’s details within an hour, which is the limit. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    { retryAfterSeconds: Math.ceil(wait / SECOND) },
  )
}
