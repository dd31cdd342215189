import type { InputOf } from '../../../core/contract/call.ts'
import { MAX_WAIT } from '../../../core/contract/jobs.ts'
import {
  type BulkAction,
  type BulkProgress,
  type BulkReport,
  type BulkUndo,
  changeLeads,
} from '../../../core/contract/lead-bulk.ts'
import { countOf as countOfNoun } from '../../lib/numbers.ts'
import { callLines } from '../call-lines.ts'

type Options = {
  onProgress?: (progress: BulkProgress) => void
  /** Whether a lead counts as done only after the first attempt of its deliveries. */
  wait?: boolean
}

/** Applies an action to many leads. @throws what `callLines` throws, and Error if the answer breaks off */
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

type Words = { label: string; doing: string; done: (leads: string) => string; failed: string; subject?: string }

/** The texts of each bulk action. `done` gets the result of `countOf`; `subject` is what a retry delivers. */
export const BULK_WORDS: Record<Exclude<BulkAction, BulkUndo>, Words> = {
  'retry-sync': {
    label: 'Retry CRM Sync',
    doing: 'Retrying CRM sync',
    done: (leads) => `Successfully retried CRM sync of ${leads}`,
    failed: 'Failed to retry CRM sync',
    subject: 'CRM sync',
  },
  'retry-email': {
    label: 'Resend Email',
    doing: 'Resending e-mails',
    done: (leads) => `Successfully retried email of ${leads}`,
    failed: 'Failed to retry email',
    subject: 'E-mails',
  },
  'assign-provider': {
    label: 'Match with provider...',
    doing: 'Matching',
    done: (leads) => `Provider of ${leads} updated successfully`,
    failed: 'Failed to update lead provider',
  },
  release: {
    label: 'Release',
    doing: 'Releasing',
    done: (leads) => `${leads} released`,
    failed: 'Failed to release lead',
  },
  delete: {
    label: 'Delete',
    doing: 'Deleting',
    done: (leads) => `${leads} deleted successfully`,
    failed: 'Failed to delete lead',
  },
}

/** Returns, for example, `1 lead` or `1,200 leads`. */
export const countOf = (count: number) => countOfNoun(count, 'lead')
