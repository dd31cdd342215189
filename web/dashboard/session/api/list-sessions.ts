import { queryOptions, useQuery } from '@tanstack/react-query'
import { type OpenSession, SessionList } from '../../../../core/contract/session.ts'
import { call } from '../../../lib/http.ts'
import { staffEndpoints } from '../../../paths.ts'

/** One's own sessions, or everybody's, which only managers may see. */
export type Whose = 'me' | 'everybody'

export async function listSessions(of: Whose): Promise<OpenSession[]> {
  return (await call(staffEndpoints.sessions(of), { answer: SessionList })).sessions
}

/**
 * Others sign in and out at any time, so it is asked for whenever it is shown. It goes with the accounts, which count
 * it.
 */
export function sessionsQuery(of: Whose) {
  return queryOptions({
    queryKey: ['staff', 'sessions', of],
    queryFn: () => listSessions(of),
    refetchOnMount: 'always',
  })
}

export function useSessions(of: Whose) {
  return useQuery(sessionsQuery(of))
}
