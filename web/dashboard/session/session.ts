import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { getSession, type Session } from '../../../core/contract/session.ts'
import { call } from '../../lib/call.ts'
import { setTimeZone } from '../../lib/dates.ts'
import { forget } from './auth-storage.ts'

/** `ended`: the session has ended while the dashboard was open. */
type KnownSession = Session & { ended?: boolean }

export async function readSession(): Promise<KnownSession> {
  const session = await call(getSession)
  setTimeZone(session.time_zone)
  return session
}

export const sessionQuery = queryOptions({ queryKey: ['session'], queryFn: readSession })

export function useSession({ enabled }: { enabled: boolean }) {
  return useQuery({ ...sessionQuery, enabled })
}

/** Stores the session. If it is signed out, deletes all cached data of the dashboard. */
export function storeSession(client: QueryClient, session: KnownSession): void {
  setTimeZone(session.time_zone)
  client.setQueryData(sessionQuery.queryKey, session)
  if (session.authenticated) return
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
}

/** Returns to the first step of a sign-in whose second step has expired. */
export function leaveSecondStep(client: QueryClient): void {
  const known = client.getQueryData(sessionQuery.queryKey)
  if (known) storeSession(client, { ...known, second_step: undefined, ended: true })
}

/** Marks the session as ended. Call it when the server answers that there is no session. */
export function endSession(client: QueryClient): void {
  const known = client.getQueryData(sessionQuery.queryKey)
  if (!known?.authenticated) return
  forget()
  const { access, time_zone, ways } = known
  storeSession(client, { authenticated: false, access, time_zone, ways, ended: true })
}
