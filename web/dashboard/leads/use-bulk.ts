import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { InputOf } from '../../../core/contract/call.ts'
import {
  type Bulk,
  type BulkAction,
  type BulkProgress,
  type BulkUndo,
  type changeLeads,
  MAX_IDS,
} from '../../../core/staff/contract/bulk.ts'
import { countOf } from '../../lib/numbers.ts'
import { toast } from '../../ui/toast.ts'
import { useAccess } from '../access.tsx'
import { changedIds, followBulk, runBulk, useRunningBulk } from '../bulk.ts'
import { useUndo } from '../undo.tsx'
import { useLeadAction } from './use-lead-action.ts'
import type { LeadView } from './use-leads-page.ts'

/** The leads of a bulk action: those with these ids, or all `total` leads of a view. */
type Target = { ids: number[] } | { view: LeadView; total: number }

/** A bulk action that staff ask for here, or one that runs already, whose leads this page does not know. */
export type BulkRequest = Pick<InputOf<typeof changeLeads>['body'], 'providerId' | 'outcome' | 'work'> & {
  action: BulkRequested
  target: Target
}
type Resumed = { action: BulkRequested; resumed: Bulk; target?: undefined }
type BulkRequested = Exclude<BulkAction, BulkUndo>

export const sizeOf = (target: Target) => ('ids' in target ? target.ids.length : target.total)

/** Tells whether an action can be undone: only actions by ids can. */
export const canBeUndone = (target: Target) => sizeOf(target) <= MAX_IDS

const UNDO: Partial<Record<BulkAction, BulkUndo>> = {
  delete: 'restore',
  'assign-provider': 'undo-match',
  'pass-on': 'undo-match',
}

export type BulkWords = { label: string; doing: string; done: string; failed: string; subject?: string }

/** The texts of each bulk action. In `done`, `%` stands for the leads; `subject` is what a retry delivers. */
export const BULK_WORDS: Record<BulkRequested, BulkWords> = {
  'retry-sync': {
    label: 'Retry CRM Sync',
    doing: 'Retrying CRM sync',
    done: 'Successfully retried CRM sync of %',
    failed: 'Failed to retry CRM sync',
    subject: 'CRM sync',
  },
  'retry-email': {
    label: 'Resend Email',
    doing: 'Resending emails',
    done: 'Successfully retried email of %',
    failed: 'Failed to retry email',
    subject: 'Emails',
  },
  'assign-provider': {
    label: 'Match with provider...',
    doing: 'Matching',
    done: 'Provider of % updated successfully',
    failed: 'Failed to update lead provider',
  },
  'pass-on': { label: 'Pass on', doing: 'Passing on', done: '% passed on', failed: 'Failed to pass leads on' },
  'record-outcome': {
    label: 'Record an outcome...',
    doing: 'Recording outcomes',
    done: 'Outcome of % recorded',
    failed: 'Failed to record the outcome',
  },
  'change-work': { label: 'Owner and tags...', doing: 'Saving', done: '% saved', failed: 'Failed to save' },
  release: { label: 'Release', doing: 'Releasing', done: '% released', failed: 'Failed to release lead' },
  delete: { label: 'Delete', doing: 'Deleting', done: '% deleted successfully', failed: 'Failed to delete lead' },
}

/** Returns a bulk action with its progress and its failures. One that runs already is shown until its end. */
export function useBulk({ onDone }: { onDone: () => void }) {
  const can = useAccess()
  const { offer } = useUndo()
  const client = useQueryClient()
  const [progress, setProgress] = useState<BulkProgress>()

  const run = useLeadAction({
    async act(request: BulkRequest | Resumed) {
      if (!request.target) {
        setProgress(request.resumed.progress)
        return { ...(await followBulk(client, request.resumed.id, setProgress)), ids: undefined }
      }
      const { action, providerId, outcome, work, target } = request
      setProgress({ done: 0, total: sizeOf(target), failed: 0 })
      const which = 'ids' in target ? target : { filter: target.view.filter, expected: target.total }
      return runBulk(client, { action, providerId, outcome, work, ...which }, setProgress)
    },
    done(report, { action, target }) {
      const { succeeded } = report
      if (target) onDone()
      if (succeeded === 0 || isRetry(action)) return
      const description = BULK_WORDS[action].done.replace('%', countOf(succeeded, 'lead'))
      const undo = UNDO[action]
      const ids = report.ids && changedIds(report.ids, report)
      if (undo && ids) offer({ undo, ids, description })
      else toast({ title: 'Success', description })
    },
    failed: ({ action }) => BULK_WORDS[action].failed,
  })
  const { mutate } = run
  const resume = useCallback((resumed: Bulk) => mutate({ action: resumed.action as BulkRequested, resumed }), [mutate])
  useRunningBulk({ of: ACTIONS, enabled: can('lead.manage') && !run.isPending, resume })

  const request = run.variables
  const target = request?.target
  return {
    start: (request: BulkRequest) => mutate(request),
    isRunning: run.isPending,
    request,
    progress,
    /** The report of an action with failures, and of every retry. */
    report: run.data && (run.data.failed > 0 || isRetry(request?.action)) ? run.data : undefined,
    closeReport: run.reset,
    isActing(action: BulkRequested, id: number): boolean {
      if (!run.isPending || !target || request.action !== action) return false
      return 'ids' in target ? target.ids.includes(id) : true
    },
  }
}
export type BulkRun = ReturnType<typeof useBulk>

const ACTIONS = Object.keys(BULK_WORDS) as BulkRequested[]

/** Tells whether the action ends only after the attempts of its deliveries. */
const isRetry = (action?: BulkAction) => action === 'retry-sync' || action === 'retry-email'
