import { act } from '../../../lib/act.ts'
import { endpoints } from '../../../paths.ts'
import { useApplicationAction } from '../use-application-action.ts'

export function releaseApplication(id: number): Promise<void> {
  return act('POST', endpoints.releaseApplication(id))
}

export function useReleaseApplication() {
  return useApplicationAction({
    act: releaseApplication,
    done: 'Application released',
    failed: 'Failed to release application',
  })
}
