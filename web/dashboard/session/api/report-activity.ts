import { Session } from '../../../../core/contract/session.ts'
import { call } from '../../../lib/http.ts'
import { staffEndpoints } from '../../../paths.ts'

/** Tells the server that the person is at work, so that the session stays open. */
export function reportActivity(): Promise<Session> {
  return call(staffEndpoints.activity, { method: 'POST', answer: Session })
}
