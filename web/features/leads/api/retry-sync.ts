import { act } from '../../../lib/act.ts'
import { endpoints } from '../../../paths.ts'
import { useLeadAction } from '../use-lead-action.ts'

export function retrySync(leadId: number): Promise<void> {
  return act('POST', endpoints.retrySync(leadId))
}

export function useRetrySync() {
  return useLeadAction({
    act: retrySync,
    done: 'Successfully retried CRM sync',
    failed: 'Failed to retry CRM sync',
  })
}
