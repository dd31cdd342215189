import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { getSession, type Session } from '../../../core/contract/session.ts'
import { call } from '../../lib/call.ts'
import { setTimeZone } from '../../lib/dates.ts'
import { forget } from './auth-storage.ts'

/** `ended` when a call was refused in mid-work. */
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

/** Takes note of where we stand now. Without a session, what staff have seen is forgotten. */
export function storeSession(client: QueryClient, session: KnownSession): void {
  setTimeZone(session.time_zone)
  client.setQueryData(sessionQuery.queryKey, session)
  if (session.authenticated) return
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
}

/** To be called when a sign-in has ended before its second step: it starts over. */
export function leaveSecondStep(client: QueryClient): void {
  const known = client.getQueryData(sessionQuery.queryKey)
  if (known) storeSession(client, { ...known, second_step: undefined, ended: true })
}

/** To be called when the server says that there is no session (any more). */
export function endSession(client: QueryClient): void {
  const known = client.getQueryData(sessionQuery.queryKey)
  if (!known?.authenticated) return
  forget()
  const { access, time_zone, ways } = known
  storeSession(client, { authenticated: false, access, time_zone, ways, ended: true })
}
