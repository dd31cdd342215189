import { SessionList } from '../../../../core/contract/session.ts'
import { act } from '../../../lib/act.ts'
import { call } from '../../../lib/http.ts'
import { staffEndpoints } from '../../../paths.ts'
import { useAction } from '../../../ui/use-action.ts'

/** Ends every session of an account, but for the one that asks. */
export async function endSessions(accountId: number): Promise<void> {
  const { sessions } = await call(staffEndpoints.sessions('everybody'), { answer: SessionList })
  const theirs = sessions.filter(({ account, current }) => account?.id === accountId && !current)
  await Promise.all(theirs.map(({ id }) => act('DELETE', staffEndpoints.session(id))))
}

export function useEndSessions() {
  return useAction({
    act: endSessions,
    done: 'Sessions ended',
    failed: 'Failed to end sessions',
    changes: 'staff',
  })
}
