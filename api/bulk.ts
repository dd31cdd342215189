import { type BulkProgress, MOST_FAILURES } from '../core/contract/lead-bulk.ts'
import { AppError } from '../core/errors.ts'
import type { Logger } from '../core/log.ts'

/** Rows that are changed side by side. Each takes a connection of the pool, which visitors need as well. */
const SIDE_BY_SIDE = 2
/** Between two lines, in milliseconds. */
const REPORT_INTERVAL = 200
/** So many faults of ours in a row are an outage: what is left is not tried. */
const OUTAGE = 10

/** What was done, and what was not, with the reason. */
export type Report<Row> = { succeeded: number; failed: number; failures: (Row & { error: string })[] }

const FAULT = 'Something went wrong on our side. Please try again.'
const NOT_TRIED = 'Not tried, because something went wrong on our side.'

/**
 * Does the same to many, each by itself: what is done stays done, what fails does not keep the rest from it. Tells `tell`
 * how far it is now and then, and at the end what failed and why.
 */
export async function actOnMany<Row extends { id: number | string }>(
  rows: Row[],
  act: (row: Row) => Promise<unknown>,
  tell: (line: BulkProgress | Report<Row>) => void,
  log: Logger,
): Promise<Report<Row>> {
  const report: Report<Row> = { succeeded: 0, failed: 0, failures: [] }
  const progress = () => ({ done: report.succeeded + report.failed, total: rows.length, failed: report.failed })
  let faults = 0
  let lastTold = performance.now()

  const fail = (row: Row, error: string) => {
    report.failed += 1
    if (report.failures.length < MOST_FAILURES) report.failures.push({ ...row, error })
  }
  const one = async (row: Row) => {
    if (faults >= OUTAGE) return fail(row, NOT_TRIED)
    try {
      await act(row)
      report.succeeded += 1
      faults = 0
    } catch (error) {
      const isRefusal = error instanceof AppError
      faults = isRefusal ? 0 : faults + 1
      if (!isRefusal) log.error({ err: error, id: row.id }, 'one of many failed')
      fail(row, isRefusal ? error.message : FAULT)
    }
    if (performance.now() - lastTold < REPORT_INTERVAL) return
    lastTold = performance.now()
    tell(progress())
  }

  tell(progress())
  const waiting = rows.values()
  const work = async () => {
    for (const row of waiting) await one(row)
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work))
  tell(progress())
  tell(report)
  return report
}
