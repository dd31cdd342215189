import { act } from '../../../lib/act.ts'
import { endpoints } from '../../../paths.ts'
import { useApplicationAction } from '../use-application-action.ts'

export function deleteApplication(id: number): Promise<void> {
  return act('DELETE', endpoints.application(id))
}

export function useDeleteApplication() {
  return useApplicationAction({
    act: deleteApplication,
    done: 'Application deleted successfully',
    failed: 'Failed to delete application',
  })
}
