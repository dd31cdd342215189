import type { z } from 'zod'
import { MAX_WAIT } from '../../../../core/contract/jobs.ts'
import { BulkLine, type BulkProgress, type BulkReport, type LeadBulk } from '../../../../core/contract/lead-bulk.ts'
import { callLines } from '../../../lib/call-lines.ts'
import { endpoints } from '../../../paths.ts'

type Options = {
  /** Hears how far it is. */
  onProgress?: (progress: BulkProgress) => void
  /** Whether a lead is done only once its deliveries have been attempted. */
  wait?: boolean
}

/**
 * Does the same to many leads.
 * @throws what `callLines` throws, and Error when the answer ends before its end
 */
export async function bulkLeads(
  body: z.input<typeof LeadBulk>,
  { onProgress, wait = false }: Options = {},
): Promise<BulkReport> {
  let report: BulkReport | undefined
  await callLines(`${endpoints.leadsBulk}${wait ? `?wait=${MAX_WAIT}` : ''}`, {
    body,
    line: BulkLine,
    onLine(line) {
      if ('succeeded' in line) report = line
      else onProgress?.(line)
    },
  })
  if (!report) throw new Error('The connection was lost. Some leads may have been changed anyway. Please check.')
  return report
}
