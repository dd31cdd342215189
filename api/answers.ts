import { once } from 'node:events'
import { finished, Readable } from 'node:stream'
import type { Context } from 'koa'
import { MINUTE, SECOND } from '../core/contract/time.ts'
import type { RetryAnswer } from '../core/deliveries/contract/jobs.ts'
import { followOutcome } from '../core/deliveries/retry-deliveries.ts'
import { rateLimited } from '../core/errors.ts'
import type { Outcome } from '../core/leads/rules/outcomes.ts'
import type { AccessEntity } from '../core/staff/contract/audit-log.ts'
import { csv, inPieces } from '../core/staff/rules/exports.ts'
import * as auditLog from '../core/staff/stores/audit-log.ts'
import { actorOf } from './middleware/session.ts'
import type { Services } from './services.ts'

/** Each export holds a connection of the pool while it is read, which visitors need as well. */
const MAX_EXPORTS_AT_ONCE = 3
let open = 0

type Needs = Pick<Services, 'db' | 'log' | 'readings'>
type Row<Column extends string> = Record<Column, string | number | null>
type Table<Column extends string> = { columns: readonly Column[]; rows: AsyncIterable<Row<Column>> }

/** An export in the audit log. `details` hold the filter of its rows, without the text of a search. */
type Exported = { name: string; entity: AccessEntity | 'provider'; details: Record<string, unknown> }

/**
 * Answers with a table as a CSV file, `name` and `.csv`. Rows are read as fast as the client takes them, and no further once it
 * disconnects. The audit log has the export before the first byte is sent, and another line with the number of rows when
 * the last one was sent or the download ended early. An error before the first row gets an ordinary error answer.
 * @throws AppError `rate_limited` while too many exports run
 */
export async function answerCsv<Column extends string>(
  ctx: Context,
  { db, log, readings }: Needs,
  { name, entity, details }: Exported,
  { columns, rows }: Table<Column>,
): Promise<void> {
  if (open >= MAX_EXPORTS_AT_ONCE) {
    throw rateLimited('Too many exports are running. Please try again in a minute.', MINUTE)
  }
  const ids: number[] = []
  const pieces = Readable.from(limited(inPieces(csv(columns, collecting(ids, rows)))), { objectMode: false })
  await once(pieces, 'readable')
  const { actor } = actorOf(ctx)
  const recordExport = (how: object) =>
    auditLog.record(db, { actor, action: 'export', entity, entityId: 'all', details: { ...details, ...how } })
  // An export whose process is killed is in the log.
  const begun = await recordExport({ begins: true }).catch((error) => {
    pieces.destroy()
    throw error
  })
  finished(ctx.res, (fault) => {
    if (entity !== 'provider') readings.noteExport(ctx, { entity, ids, filter: details })
    // `rows` were read: an upper bound of those that were sent.
    recordExport({ begun, rows: ids.length, complete: !fault && pieces.readableEnded }).catch((error) =>
      log.error({ err: error, line: begun }, 'end of export not recorded in the audit log'),
    )
  })

  // A compressed answer would otherwise stay open without its end.
  pieces.on('error', () => ctx.res.destroy())
  ctx.attachment(`${name}.csv`)
  ctx.type = 'text/csv; charset=utf-8'
  ctx.body = pieces
}

/** Passes rows on, and adds their ids to `ids`. */
export async function* collecting<Row extends object>(ids: number[], rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  for await (const row of rows) {
    ids.push(Number(Reflect.get(row, 'id')))
    yield row
  }
}

async function* limited(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  open += 1
  try {
    yield* pieces
  } finally {
    open -= 1
  }
}

/** Returns the answer to a call that retries jobs, after waiting up to `wait` seconds for their first attempts. */
export async function retryAnswer(
  { db, events, stopping }: Pick<Services, 'db' | 'events' | 'stopping'>,
  jobs: string[],
  wait: number,
): Promise<RetryAnswer> {
  if (wait === 0) return { success: true }
  // The retry is planned, whether or not the database can be read now.
  const unknown: Outcome = { state: 'waiting', error: null, nextAttemptAt: null }
  const following = { timeout: wait * SECOND, stopping, nextChange: () => nextChange(events) }
  return answerOf(await followOutcome(db, jobs, following).catch(() => unknown))
}

/** Waits for the next change that any process announces, and for a second at most: a notice may be lost. */
function nextChange(events: Services['events']): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, SECOND)
    const end = events.listen(done)
    function done() {
      clearTimeout(timer)
      end()
      resolve()
    }
  })
}

function answerOf(outcome: Outcome): RetryAnswer {
  if (outcome.state === 'delivered') return { success: true }
  if (outcome.state === 'refused') return { success: false, error: outcome.error }
  const { error, nextAttemptAt: next_attempt_at, isPaused } = outcome
  return { success: true, waiting: { error, next_attempt_at, ...(isPaused && { is_paused: true }) } }
}
