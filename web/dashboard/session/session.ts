import {
  type Query,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { getSession, type Person, type Session, signOut } from '../../../core/staff/contract/session.ts'
import { setOpenAccess } from '../../lib/actors.ts'
import { call } from '../../lib/call.ts'
import { setTimeZone } from '../../lib/dates.ts'
import { HttpError } from '../../lib/http.ts'
import { toast } from '../../ui/toast.ts'

const KEY = 'auth'
const listeners = new Set<() => void>()

// A browser may refuse storage; then a reload asks for the password again.
function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

function read(): boolean {
  return attempt(() => sessionStorage.getItem(KEY)) === 'true'
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function announce(): void {
  for (const listener of listeners) listener()
}

/** Returns whether the password was entered in this tab. The server decides whether that is still valid. */
export function useIsRemembered(): boolean {
  return useSyncExternalStore(subscribe, read)
}

export function remember(): void {
  attempt(() => sessionStorage.setItem(KEY, 'true'))
  announce()
}

function forget(): void {
  attempt(() => sessionStorage.removeItem(KEY))
  announce()
}

/** `ended`: the session has ended while the dashboard was open. */
type KnownSession = Session & { ended?: boolean }

export async function readSession(): Promise<KnownSession> {
  const session = await call(getSession)
  setTimeZone(session.time_zone)
  setOpenAccess(session.access === 'open')
  return session
}

const sessionQuery = queryOptions({ queryKey: ['session'], queryFn: readSession })

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

const isRefused = ({ state: { error } }: Query) => error instanceof HttpError && error.status === 401
const rechecking = new WeakSet<QueryClient>()

/** Finds out after a 401 whether the session has ended. If another tab signed in, what was refused is read again. */
export async function recheckSession(client: QueryClient): Promise<void> {
  if (rechecking.has(client)) return
  rechecking.add(client)
  try {
    const now = await readSession().catch(() => undefined)
    if (now?.authenticated) await client.refetchQueries({ predicate: isRefused })
    if (!now?.authenticated || client.getQueryCache().getAll().some(isRefused)) endSession(client)
  } finally {
    rechecking.delete(client)
  }
}

/** Marks the session as ended. Call it when the server answers that there is no session. */
export function endSession(client: QueryClient): void {
  const known = client.getQueryData(sessionQuery.queryKey)
  if (!known?.authenticated) return
  forget()
  const { access, time_zone, ways } = known
  storeSession(client, { authenticated: false, access, time_zone, ways, ended: true })
}

/** Returns the person, and whether the dashboard is open to all. Call it behind the gate, which has read the session. */
export function usePerson(): { person: Person | undefined; isOpen: boolean } {
  const { data } = useSession({ enabled: true })
  return { person: data?.staff, isOpen: data?.access === 'open' }
}

export function useLeave() {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(signOut),
    onSuccess: (session) => {
      forget()
      storeSession(client, session)
    },
    onError: ({ message }) => toast({ variant: 'destructive', title: 'Failed to sign out', description: message }),
  })
  return { leave: () => mutate(), isLeaving: isPending }
}

/** Returns the mutation of a step of a sign-in, which stores the session that the step answers. */
export function useEntry<Input = void>(enter: (input: Input) => Promise<Session>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: enter,
    meta: { isSignIn: true },
    onSuccess: (session) => {
      if (session.authenticated) remember()
      storeSession(client, session)
    },
  })
}
