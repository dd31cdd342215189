import type { InputOf } from '../../../core/contract/call.ts'
import { MAX_WAIT } from '../../../core/contract/jobs.ts'
import { type BulkProgress, type BulkReport, changeLeads } from '../../../core/contract/lead-bulk.ts'
import { callLines } from '../../lib/call-lines.ts'

type Options = {
  onProgress?: (progress: BulkProgress) => void
  /** Whether a lead counts as done only after the first attempt of its deliveries. */
  wait?: boolean
}

/**
 * Applies an action to many leads.
 * @throws as `callLines` does, and Error when the answer breaks off
 */
export async function bulkLeads(
  body: InputOf<typeof changeLeads>['body'],
  { onProgress, wait = false }: Options = {},
): Promise<BulkReport> {
  let report: BulkReport | undefined
  await callLines(changeLeads, { query: { wait: wait ? MAX_WAIT : undefined }, body }, (line) => {
    if ('succeeded' in line) report = line
    else onProgress?.(line)
  })
  if (!report) throw new Error('The connection was lost. Some leads may have been changed anyway. Please check.')
  return report
}
