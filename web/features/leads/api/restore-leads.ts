import type { BulkReport } from '../../../../core/contract/lead-bulk.ts'
import { act } from '../../../lib/act.ts'
import { endpoints } from '../../../paths.ts'
import { toast } from '../../../ui/toast.ts'
import { countOf } from '../bulk-words.ts'
import { useLeadAction } from '../use-lead-action.ts'
import { bulkLeads } from './bulk-leads.ts'

export async function restoreLeads(ids: number[]): Promise<BulkReport> {
  const [first = 0, ...others] = ids
  if (others.length > 0) return bulkLeads({ action: 'restore', ids })
  await act('POST', endpoints.restoreLead(first))
  return { succeeded: 1, failed: 0, failures: [] }
}

export function useRestoreLeads() {
  return useLeadAction({
    act: restoreLeads,
    done: ({ succeeded, failed, failures }) =>
      failed === 0
        ? toast({ title: 'Success', description: `${countOf(succeeded)} restored successfully` })
        : toast({
            variant: 'destructive',
            title: `Failed to restore ${countOf(failed)}`,
            description: failures[0]?.error,
          }),
    failed: 'Failed to restore lead',
  })
}
