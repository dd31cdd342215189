import type { QueryClient } from '@tanstack/react-query'
import type { InputOf } from '../../../core/contract/call.ts'
import {
  type BulkAction,
  type BulkProgress,
  type BulkReport,
  type BulkUndo,
  changeLeads,
} from '../../../core/staff/contract/bulk.ts'
import { call } from '../../lib/call.ts'
import { countOf as countOfNoun } from '../../lib/text.ts'
import { followBulk } from '../bulk.ts'

/** Applies an action to many leads, and follows it to its end. @throws what `call` and `followBulk` throw */
export async function bulkLeads(
  client: QueryClient,
  body: InputOf<typeof changeLeads>['body'],
  onProgress?: (progress: BulkProgress) => void,
): Promise<BulkReport> {
  const { id } = await call(changeLeads, { body })
  return followBulk(client, id, onProgress)
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
  'pass-on': {
    label: 'Pass on',
    doing: 'Passing on',
    done: (leads) => `${leads} passed on`,
    failed: 'Failed to pass leads on',
  },
  'record-outcome': {
    label: 'Record an outcome...',
    doing: 'Recording outcomes',
    done: (leads) => `Outcome of ${leads} recorded`,
    failed: 'Failed to record the outcome',
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
