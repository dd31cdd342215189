import { restoreLead } from '../../../core/contract/deleted-leads.ts'
import type { BulkReport } from '../../../core/contract/lead-bulk.ts'
import { undoMatch } from '../../../core/contract/leads.ts'
import { act } from '../../lib/call.ts'
import { toast } from '../../ui/toast.ts'
import { bulkLeads } from './bulk-leads.ts'
import { countOf } from './bulk-words.ts'
import { useLeadAction } from './use-lead-action.ts'
import type { Undoable } from './use-undo.tsx'

/** Undoes acts, one after the other. The report counts those that can no longer be undone, each with its reason. */
async function undoLeads(acts: Undoable[]): Promise<BulkReport> {
  const total: BulkReport = { succeeded: 0, failed: 0, waiting: 0, failures: [] }
  for (const one of acts) {
    const { succeeded, failed, failures } = await undoOne(one)
    total.succeeded += succeeded
    total.failed += failed
    total.failures.push(...failures)
  }
  return total
}

async function undoOne({ undo, ids }: Undoable): Promise<BulkReport> {
  const [first = 0, ...others] = ids
  if (others.length > 0) return bulkLeads({ action: undo, ids })
  try {
    await act(undo === 'restore' ? restoreLead : undoMatch, { params: { id: first } })
    return { succeeded: 1, failed: 0, waiting: 0, failures: [] }
  } catch (error) {
    const failure = { id: first, name: null, error: (error as Error).message }
    return { succeeded: 0, failed: 1, waiting: 0, failures: [failure] }
  }
}

export function useUndoLeads() {
  return useLeadAction({
    act: undoLeads,
    done: ({ succeeded, failed, failures }, acts) => {
      const isRestored = acts.every(({ undo }) => undo === 'restore')
      if (failed === 0) {
        const leads = countOf(succeeded)
        toast({
          title: 'Success',
          description: isRestored ? `${leads} restored successfully` : `Changes to ${leads} undone`,
        })
      } else {
        toast({
          variant: 'destructive',
          title: `${isRestored ? 'Failed to restore' : 'Failed to undo the match of'} ${failed === 1 ? 'lead' : countOf(failed)}`,
          description: failures[0]?.error,
        })
      }
    },
    failed: 'Failed to undo',
  })
}
