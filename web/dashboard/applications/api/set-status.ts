import { Application, type ApplicationStatus } from '../../../../core/contract/applications.ts'
import { call } from '../../../lib/http.ts'
import { endpoints } from '../../../paths.ts'
import { useApplicationAction } from '../use-application-action.ts'

type Step = { id: number; status: ApplicationStatus }

export function setStatus({ id, status }: Step): Promise<Application> {
  return call(endpoints.application(id), { method: 'PATCH', body: { status }, answer: Application })
}

export function useSetStatus() {
  return useApplicationAction({
    act: setStatus,
    done: 'Application status updated successfully',
    failed: 'Failed to update application status',
  })
}
