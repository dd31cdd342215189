import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { listLeads } from '../../../core/leads/contract/leads.ts'
import type { NewAnswer } from '../../../core/leads/contract/outcomes.ts'
import {
  type Bulk,
  type BulkAction,
  type BulkProgress,
  type BulkUndo,
  MAX_IDS,
} from '../../../core/staff/contract/bulk.ts'
import { call } from '../../lib/call.ts'
import { countOf } from '../../lib/numbers.ts'
import { toast } from '../../ui/toast.ts'
import { useAccess } from '../access.tsx'
import { changedIds, followBulk, runBulk, useRunningBulk } from '../bulk.ts'
import { useUndo } from '../undo.tsx'
import { useLeadAction } from './use-lead-action.ts'
import { type LeadView, listQuery } from './use-leads-page.ts'

/** The leads of a bulk action: those with these ids, or all `total` leads of a view. */
export type Target = { ids: number[] } | { view: LeadView; total: number }

/** A bulk action that staff ask for here, or one that runs already, whose leads this page does not know. */
export type BulkRequest = { action: BulkRequested; providerId?: number; outcome?: NewAnswer; target: Target }
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
    doing: 'Resending emails',
    done: (leads) => `Successfully retried email of ${leads}`,
    failed: 'Failed to retry email',
    subject: 'Emails',
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

/** The API's largest page. */
const AT_ONCE = 100

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
      const { action, providerId, outcome, target } = request
      setProgress({ done: 0, total: sizeOf(target), failed: 0 })
      const named = UNDO[action] ? await byIds(target) : target
      const report = await runBulk(client, { action, providerId, outcome, ...whichOf(named) }, setProgress)
      return { ...report, ids: 'ids' in named ? named.ids : undefined }
    },
    done(report, { action, target }) {
      const { succeeded } = report
      if (target) onDone()
      if (succeeded === 0 || isRetry(action)) return
      const description =
        action === 'delete' && succeeded === 1
          ? 'Lead deleted successfully'
          : BULK_WORDS[action].done(countOf(succeeded, 'lead'))
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

  return {
    start: (request: BulkRequest) => mutate(request),
    isRunning: run.isPending,
    request: run.variables,
    progress,
    /** The report of an action with failures, and of every retry. */
    report: run.data && (run.data.failed > 0 || isRetry(run.variables?.action)) ? run.data : undefined,
    closeReport: run.reset,
  }
}
export type BulkRun = ReturnType<typeof useBulk>

const ACTIONS = Object.keys(BULK_WORDS) as BulkRequested[]

/** Tells whether a running or reported bulk action retries this kind of delivery for the lead. */
export function isRetriedBy({ request, isRunning, report }: BulkRun, action: 'retry-sync' | 'retry-email', id: number) {
  if (!request?.target || request.action !== action || !(isRunning || report)) return false
  return 'ids' in request.target ? request.target.ids.includes(id) : true
}

/** Tells whether the action ends only after the attempts of its deliveries. */
const isRetry = (action?: BulkAction) => action === 'retry-sync' || action === 'retry-email'

/** Replaces a small view by its ids, so that the action can be undone. */
async function byIds(target: Target): Promise<Target> {
  if ('ids' in target || !canBeUndone(target)) return target
  return { ids: await listLeadIds(target.view, target.total) }
}

function whichOf(target: Target) {
  return 'ids' in target ? { ids: target.ids } : { filter: target.view.filter, expected: target.total }
}

/** Lists the ids of all leads of a view, page by page; meant for a few hundred. */
async function listLeadIds(view: LeadView, total: number): Promise<number[]> {
  const ids = new Set<number>()
  for (let page = 1; page <= Math.ceil(total / AT_ONCE); page++) {
    const { leads } = await call(listLeads, { query: listQuery({ ...view, page }, AT_ONCE) })
    for (const { id } of leads) ids.add(id)
  }
  return [...ids]
}
