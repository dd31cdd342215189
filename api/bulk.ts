import { type BulkProgress, MAX_FAILURES } from '../core/contract/lead-bulk.ts'
import { AppError } from '../core/errors.ts'
import type { Db } from '../core/platform/db.ts'
import type { Logger } from '../core/platform/log.ts'
import { followOutcomes, type Waiting } from './outcomes.ts'

/** The most rows changed at the same time. Each takes a connection of the pool that visitors share. */
const MAX_CONCURRENT_ROWS = 2
/** The interval between two lines of progress, in milliseconds. */
const REPORT_INTERVAL = 200
/** The most consecutive errors of ours. After them the remaining rows are not tried. */
const MAX_FAULTS = 10

/** The progress: rows done, rows failed with their reasons, and rows that wait for an attempt. */
export type Report<Row> = { succeeded: number; failed: number; waiting: number; failures: (Row & { error: string })[] }

type Options = {
  tell: (line: BulkProgress) => void
  log: Logger
  /** Called when the action has run on every row, before their jobs are done. */
  onActed: () => void
  /** If set, a row counts as done only after the first attempts of the jobs that `act` created. */
  waiting?: Waiting & { db: Db }
}

const FAULT = 'Something went wrong on our side. Please try again.'
const NOT_TRIED = 'Not tried, because something went wrong on our side.'

/**
 * Runs an action on each row independently; one failure does not stop the rest. Reports progress through `tell`. `act`
 * may return the ids of jobs that it created.
 */
export async function actOnMany<Row extends { id: number | string }>(
  rows: Row[],
  act: (row: Row) => Promise<unknown>,
  { tell, log, onActed, waiting }: Options,
): Promise<Report<Row>> {
  const report: Report<Row> = { succeeded: 0, failed: 0, waiting: 0, failures: [] }
  const tried = new Map<Row, string[]>()
  let faults = 0
  let lastToldAt = performance.now()
  let isActing = true

  const tellProgress = () => {
    lastToldAt = performance.now()
    tell({ done: report.succeeded + report.failed + report.waiting, total: rows.length, failed: report.failed })
  }
  const tellAtInterval = () => {
    if (performance.now() - lastToldAt >= REPORT_INTERVAL) tellProgress()
  }
  const fail = (row: Row, error: string) => {
    report.failed += 1
    if (report.failures.length < MAX_FAILURES) report.failures.push({ ...row, error })
  }
  const one = async (row: Row) => {
    if (faults >= MAX_FAULTS) return fail(row, NOT_TRIED)
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
    tellAtInterval()
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
      onPoll: tellAtInterval,
    })

  tellProgress()
  const left = rows.values()
  const work = async () => {
    for (const row of left) await one(row)
  }
  const acting = Promise.all(Array.from({ length: MAX_CONCURRENT_ROWS }, work)).finally(() => {
    isActing = false
    onActed()
  })
  await Promise.all([acting, outcomes()])
  tellProgress()
  return report
}
