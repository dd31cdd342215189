import type { z } from 'zod'
import { BulkLine, type BulkProgress, type BulkReport, type LeadBulk } from '../../../../core/contract/lead-bulk.ts'
import { callLines } from '../../../lib/call-lines.ts'
import { endpoints } from '../../../paths.ts'

/**
 * Does the same to many leads. `onProgress` hears how far it is.
 * @throws what `callLines` throws, and Error when the answer ends before its end
 */
export async function bulkLeads(
  body: z.input<typeof LeadBulk>,
  onProgress?: (progress: BulkProgress) => void,
): Promise<BulkReport> {
  let report: BulkReport | undefined
  await callLines(endpoints.leadsBulk, {
    body,
    line: BulkLine,
    onLine(line) {
      if ('succeeded' in line) report = line
      else onProgress?.(line)
    },
  })
  if (!report) throw new Error('The connection was lost. The leads may have been changed all the same: please look.')
  return report
}
