import { useQuery } from '@tanstack/react-query'
import { deviceName, endSession, listSessions, type OpenSession } from '../../../core/staff/contract/session.ts'
import { act, call } from '../../lib/call.ts'
import { formatMoment, formatSince } from '../../lib/dates.ts'
import { Button } from '../../ui/button.tsx'
import { Badge } from '../../ui/feedback.tsx'
import { Loaded } from '../../ui/load-error.tsx'
import { useAction } from '../../ui/use-action.ts'

/** The person's own sessions, or all sessions, which only managers may see. */
type Whose = 'me' | 'everybody'

/** Lists the signed-in browsers, each with a button that ends its session; the current session has none. */
export function SessionList({ of }: { of: Whose }) {
  const query = useQuery({
    // The accounts show the number of sessions, so both are read again together.
    queryKey: ['staff', 'sessions', of],
    queryFn: () => call(listSessions, { query: { of } }),
    // Sessions change at any time, so they are read again whenever they are shown.
    refetchOnMount: 'always',
  })
  return (
    <Loaded of={query} fallback="Failed to load sessions" className="h-16 w-full">
      {({ sessions }) => <Sessions sessions={sessions} of={of} />}
    </Loaded>
  )
}

function Sessions({ sessions, of }: { sessions: OpenSession[]; of: Whose }) {
  const end = useAction({
    act: (id: number) => act(endSession, { params: { id } }),
    done: 'Session ended',
    failed: 'Failed to end session',
    changes: 'staff',
  })
  if (sessions.length === 0) return <p className="py-4 text-quiet">No one is signed in.</p>
  return (
    <ul aria-label={of === 'me' ? 'My sessions' : 'Sessions'} className="divide-y divide-line">
      {sessions.map((session) => (
        <li key={session.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
          <SessionWords session={session} withOwner={of === 'everybody'} />
          {!session.current && (
            <Button
              variant="outline"
              size="small"
              busy={end.isPending && end.variables === session.id}
              onClick={() => end.mutate(session.id)}
              aria-label={`End session of ${ownerOf(session)} in ${deviceName(session.user_agent)}`}
            >
              End session
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

function SessionWords({ session, withOwner }: { session: OpenSession; withOwner: boolean }) {
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold text-ink">
        <span className="wrap-anywhere">
          {withOwner && `${ownerOf(session)}: `}
          {deviceName(session.user_agent)}
        </span>
        {session.current && <Badge tone="good">This browser</Badge>}
      </p>
      <p className="text-sm text-quiet wrap-anywhere">
        Last used {formatSince(session.last_seen_at)}
        {session.ip && `, from ${session.ip}`}. Signed in {formatMoment(session.created_at)}.
      </p>
    </div>
  )
}

function ownerOf({ account }: OpenSession): string {
  return account?.name ?? 'Shared password'
}
