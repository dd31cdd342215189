import { act } from '../../../lib/act.ts'
import { endpoints } from '../../../paths.ts'
import { useLeadAction } from '../use-lead-action.ts'

export function retryEmail(leadId: number): Promise<void> {
  return act('POST', endpoints.retryEmail(leadId))
}

export function useRetryEmail() {
  return useLeadAction({ act: retryEmail, done: 'Successfully retried email', failed: 'Failed to retry email' })
}
