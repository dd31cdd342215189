import type { BulkAction, BulkUndo } from '../../../core/contract/lead-bulk.ts'
import { countOf as countOfNoun } from '../../lib/numbers.ts'

type Words = { label: string; doing: string; done: (leads: string) => string; failed: string; subject?: string }

/**
 * Everything that can be done to many, in words; `done` is told how many leads as `countOf` says it. `subject` is what a
 * retry delivers.
 */
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

/** `1 lead`, `1,200 leads`. */
export const countOf = (count: number) => countOfNoun(count, 'lead')
