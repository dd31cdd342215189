import { MAX_WAIT, type RetryFailed } from '../../../../core/contract/jobs.ts'
import { type BulkProgress, RetryLine, type RetryReport } from '../../../../core/contract/lead-bulk.ts'
import { callLines } from '../../../lib/call-lines.ts'
import { endpoints } from '../../../paths.ts'

/**
 * Tries everything again that failed since, and waits for the first attempts. `onProgress` hears how far it is.
 * @throws what `callLines` throws, and Error when the answer ends before its end
 */
export async function retryFailed(
  body: RetryFailed,
  onProgress: (progress: BulkProgress) => void,
): Promise<RetryReport> {
  let report: RetryReport | undefined
  await callLines(`${endpoints.retryFailed}?wait=${MAX_WAIT}`, {
    body,
    line: RetryLine,
    onLine(line) {
      if ('succeeded' in line) report = line
      else onProgress(line)
    },
  })
  if (!report) throw new Error('The connection was lost. Some may have been retried anyway. Please check.')
  return report
}
