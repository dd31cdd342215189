import { act } from '../../../lib/act.ts'
import { endpoints } from '../../../paths.ts'
import { useApplicationAction } from '../use-application-action.ts'

export function retryEmail(id: number): Promise<void> {
  return act('POST', endpoints.retryApplicationEmail(id))
}

export function useRetryEmail() {
  return useApplicationAction({ act: retryEmail, done: 'Successfully retried email', failed: 'Failed to retry email' })
}
