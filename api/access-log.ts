import type { Context } from 'koa'
import { formatCount } from '../core/contract/texts.ts'
import { HOUR, MINUTE, SECOND } from '../core/contract/time.ts'
import { type AppError, rateLimited } from '../core/errors.ts'
import type { Db } from '../core/platform/db.ts'
import type { Logger } from '../core/platform/log.ts'
import type { AccessEntity } from '../core/staff/contract/audit-log.ts'
import type { StaffRole } from '../core/staff/contract/staff.ts'
import * as auditLog from '../core/staff/stores/audit-log.ts'
import { actorOf, signedIn } from './middleware/session.ts'
import { routeOf } from './route-of.ts'

/** The most rows that one person may open within an hour, by role: above reading one by one, below copying all. */
export const MAX_READS: Record<StaffRole, number> = { viewer: 500, agent: 500, manager: 3000 }

const WRITE_INTERVAL = SECOND
const MAX_UNWRITTEN = 10_000

type Reading = { entity: AccessEntity; ids: number[]; filter?: Record<string, unknown> }
/** The reads of one person within an hour: each row counts once, and the same page makes one line. */
type Reader = { until: number; rows: Set<string>; noted: Set<string>; isWarned: boolean }

export type ReadingLog = ReturnType<typeof createReadingLog>

/** Records the rows that staff read. Each process counts by itself, starting from the log of the last hour. */
export function createReadingLog({ db, log }: { db: Db; log: Logger }) {
  const { push, flush, stop } = createWriter({ db, log })
  /** By actor. Promises, so that concurrent requests share one reader and cannot each pass the limit. */
  const readers = new Map<string, { until: number; reader: Promise<Reader> }>()

  function readerOf(actor: string): Promise<Reader> {
    const known = readers.get(actor)
    if (known && known.until > Date.now()) return known.reader
    const until = Date.now() + HOUR
    const reader = auditLog.listRecentRows(db, actor).then((rows) => ({
      ...{ until, noted: new Set<string>(), isWarned: false },
      rows: new Set(rows.map(({ entity, id }) => `${entity} ${id}`)),
    }))
    readers.set(actor, { until, reader })
    // The next request retries a failed read.
    reader.catch(() => readers.delete(actor))
    return reader
  }

  return {
    /**
     * Records that staff read rows, after `staffOnly` and before the answer is sent.
     * @throws AppError `rate_limited` when the person has opened as many rows within an hour as the role allows
     */
    async note(ctx: Context, reading: Reading): Promise<void> {
      const line = lineOfStaff(ctx, reading)
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
      push(line)
    },

    /** Records an export. Its rows do not count against the limit, because the audit log has a line of its own for it. */
    noteExport: (ctx: Context, reading: Reading): void => push(lineOfStaff(ctx, reading)),

    /** Records that a clinic reads leads, each once an hour. No limit, because a clinic sees only its own. */
    async noteClinic(ctx: Context, providerId: number, leadIds: number[]): Promise<void> {
      const actor = `clinic ${providerId}`
      const { noted } = await readerOf(actor)
      const ids = leadIds.filter((id) => !noted.has(`lead ${id}`))
      if (ids.length === 0) return
      for (const id of ids) noted.add(`lead ${id}`)
      push(lineOf(ctx, { actor, accountId: null, sessionId: null }, { entity: 'lead', ids }))
    },

    flush,
    stop,
  }
}

function lineOfStaff(ctx: Context, reading: Reading): auditLog.Access {
  const { actor, actorId } = actorOf(ctx)
  return lineOf(ctx, { actor, accountId: actorId, sessionId: signedIn(ctx).sessionId }, reading)
}

function lineOf(
  ctx: Context,
  who: Pick<auditLog.Access, 'actor' | 'accountId' | 'sessionId'>,
  { entity, ids, filter = {} }: Reading,
): auditLog.Access {
  return { at: new Date(), ...who, ip: ctx.ip, call: `${ctx.method} ${routeOf(ctx)}`, entity, rowIds: ids, filter }
}

/** Writes lines shortly after the answer, so that no list waits. A killed process loses those of its last second. */
function createWriter({ db, log }: { db: Db; log: Logger }) {
  let unwritten: auditLog.Access[] = []
  let writing = Promise.resolve()

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
    writing = writing.then(write)
    return writing
  }
  const timer = setInterval(flush, WRITE_INTERVAL)

  return {
    push: (line: auditLog.Access): void => void unwritten.push(line),
    flush,
    async stop(): Promise<void> {
      clearInterval(timer)
      await flush()
    },
  }
}

function tooMany(max: number, wait: number): AppError {
  const minutes = Math.max(1, Math.ceil(wait / MINUTE))
  const time = minutes === 1 ? 'a minute' : `${minutes} minutes`
  const limit = `You have opened ${formatCount(max)} people’s details within an hour, which is the limit.`
  return rateLimited(`${limit} Try again in ${time}.`, wait)
}
