import { useState } from 'react'
import { type BulkAction, type BulkProgress, type BulkUndo, MAX_IDS } from '../../../core/contract/lead-bulk.ts'
import { listLeads } from '../../../core/contract/leads.ts'
import { call } from '../../lib/call.ts'
import { toast } from '../../ui/toast.ts'
import { BULK_WORDS, bulkLeads, countOf } from './bulk-leads.ts'
import { type LeadView, listQuery } from './lead-view.ts'
import { useLeadAction } from './use-lead-action.ts'
import type { Undoable } from './use-undo.tsx'

/** The leads of a bulk action: those with these ids, or all `total` leads of a view. */
export type Target = { ids: number[] } | { view: LeadView; total: number }

export type BulkRequest = { action: Exclude<BulkAction, BulkUndo>; providerId?: number; target: Target }

export const sizeOf = (target: Target) => ('ids' in target ? target.ids.length : target.total)

/** Tells whether an action can be undone: only actions by ids can. */
export const canBeUndone = (target: Target) => sizeOf(target) <= MAX_IDS

const UNDO: Partial<Record<BulkAction, BulkUndo>> = { delete: 'restore', 'assign-provider': 'undo-match' }

/** The API's largest page. */
const AT_ONCE = 100

type Options = {
  onUndoable: (done: Undoable) => void
  onDone: () => void
}

/** Returns a bulk action with its progress and its failures. */
export function useBulk({ onUndoable, onDone }: Options) {
  const [progress, setProgress] = useState<BulkProgress>()

  const run = useLeadAction({
    async act({ action, providerId, target }: BulkRequest) {
      setProgress({ done: 0, total: sizeOf(target), failed: 0 })
      const named = UNDO[action] ? await byIds(target) : target
      const report = await bulkLeads(
        { action, providerId, ...whichOf(named) },
        { wait: isRetry(action), onProgress: setProgress },
      )
      return { ...report, ids: 'ids' in named ? named.ids : undefined }
    },
    done({ succeeded, failures, failed, ids }, { action }) {
      onDone()
      if (succeeded === 0 || isRetry(action)) return
      const description =
        action === 'delete' && succeeded === 1
          ? 'Lead deleted successfully'
          : BULK_WORDS[action].done(countOf(succeeded))
      const isNamed = failed === failures.length
      const lost = new Set(failures.map(({ id }) => id))
      const undo = UNDO[action]
      if (undo && ids && isNamed) onUndoable({ undo, ids: ids.filter((id) => !lost.has(id)), description })
      else toast({ title: 'Success', description })
    },
    failed: ({ action }) => BULK_WORDS[action].failed,
  })

  return {
    start: run.mutate,
    isRunning: run.isPending,
    request: run.variables,
    progress,
    /** The report of an action with failures, and of every retry. */
    report: run.data && (run.data.failed > 0 || isRetry(run.variables?.action)) ? run.data : undefined,
    closeReport: run.reset,
  }
}
export type Bulk = ReturnType<typeof useBulk>

/** Tells whether a running or reported bulk action retries this kind of delivery for the lead. */
export function isRetriedBy({ request, isRunning, report }: Bulk, action: 'retry-sync' | 'retry-email', id: number) {
  if (request?.action !== action || !(isRunning || report)) return false
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
