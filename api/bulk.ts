import { type BulkProgress, MAX_FAILURES } from '../core/contract/lead-bulk.ts'
import { AppError } from '../core/errors.ts'
import type { Db } from '../core/platform/db.ts'
import type { Logger } from '../core/platform/log.ts'
import { followOutcomes, type Waiting } from './outcomes.ts'

/** Rows that are changed at the same time. Each takes a connection of the pool, which visitors need as well. */
const SIDE_BY_SIDE = 2
/** The interval between two lines of progress, in milliseconds. */
const REPORT_INTERVAL = 200
/** Consecutive errors of ours that count as an outage: the remaining rows are not tried. */
const OUTAGE = 10

/** The progress: rows done, rows failed with their reasons, and rows that wait for an attempt. */
export type Report<Row> = { succeeded: number; failed: number; waiting: number; failures: (Row & { error: string })[] }

type Options = {
  tell: (line: BulkProgress) => void
  log: Logger
  /** Called when the action ran on every row, even if jobs are still waited for. */
  onActed: () => void
  /** Set where a row is done only after the jobs that `act` made were attempted. */
  waiting?: Waiting & { db: Db }
}

const FAULT = 'Something went wrong on our side. Please try again.'
const NOT_TRIED = 'Not tried, because something went wrong on our side.'

/**
 * Runs an action on each row independently; one failure does not stop the rest. Reports progress through `tell`. `act`
 * may return the ids of jobs that it made.
 */
export async function actOnMany<Row extends { id: number | string }>(
  rows: Row[],
  act: (row: Row) => Promise<unknown>,
  { tell, log, onActed, waiting }: Options,
): Promise<Report<Row>> {
  const report: Report<Row> = { succeeded: 0, failed: 0, waiting: 0, failures: [] }
  const tried = new Map<Row, string[]>()
  let faults = 0
  let lastTold = performance.now()
  let isActing = true

  const tellProgress = () => {
    lastTold = performance.now()
    tell({ done: report.succeeded + report.failed + report.waiting, total: rows.length, failed: report.failed })
  }
  const tellNowAndThen = () => {
    if (performance.now() - lastTold >= REPORT_INTERVAL) tellProgress()
  }
  const fail = (row: Row, error: string) => {
    report.failed += 1
    if (report.failures.length < MAX_FAILURES) report.failures.push({ ...row, error })
  }
  const one = async (row: Row) => {
    if (faults >= OUTAGE) return fail(row, NOT_TRIED)
    try {
      const jobs = await act(row)
      if (waiting && Array.isArray(jobs)) tried.set(row, jobs)
      else report.succeeded += 1
      faults = 0
    } catch (error) {
      const isRefusal = error instanceof AppError
      faults = isRefusal ? 0 : faults + 1
      if (!isRefusal) log.error({ err: error, id: row.id }, 'one of many failed')
      fail(row, isRefusal ? error.message : FAULT)
    }
    tellNowAndThen()
  }
  const outcomes = () =>
    waiting &&
    followOutcomes(waiting.db, {
      ...waiting,
      tried,
      isFilling: () => isActing,
      tell: (row, outcome) => {
        if (outcome.state === 'refused') fail(row, outcome.error)
        else report[outcome.state === 'delivered' ? 'succeeded' : 'waiting'] += 1
      },
      onLook: tellNowAndThen,
    })

  tellProgress()
  const left = rows.values()
  const work = async () => {
    for (const row of left) await one(row)
  }
  const acting = Promise.all(Array.from({ length: SIDE_BY_SIDE }, work)).finally(() => {
    isActing = false
    onActed()
  })
  await Promise.all([acting, outcomes()])
  tellProgress()
  return report
}
