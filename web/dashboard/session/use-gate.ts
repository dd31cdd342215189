import { useIsRemembered } from './auth-storage.ts'
import { useSession } from './session.ts'
import { useSingleSignOnResult } from './single-sign-on.ts'

/** `password`: the password must have been entered in this tab. `server`: the server's word is enough. */
export type Gate = 'password' | 'server'

/** Whether the staff's pages may be shown. The server checks every call again. */
export function useGate(gate: Gate) {
  const isRemembered = useIsRemembered()
  const needsPassword = gate === 'password' && !isRemembered
  const problem = useSingleSignOnResult()
  const session = useSession({ enabled: !needsPassword })

  const notice = session.data?.ended ? 'Your session has ended. Please sign in again.' : problem
  const retry = () => void session.refetch()

  if (session.data?.second_step) return { state: 'second-step', factors: session.data.second_step } as const
  if (needsPassword) return { state: 'locked', notice } as const
  if (session.isError) return { state: 'failed', error: session.error, retry } as const
  if (!session.data) return { state: 'checking' } as const
  if (!session.data.authenticated) return { state: 'locked', notice } as const
  if (session.data.lacks_factor) return { state: 'setup' } as const
  return { state: 'open' } as const
}
