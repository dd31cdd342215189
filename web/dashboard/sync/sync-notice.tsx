import { useQueryState } from 'nuqs'
import { formatMoment } from '../../lib/dates.ts'
import { Notice } from '../../ui/notice.tsx'
import { place } from '../address.ts'
import { useSyncStatus } from './sync-runs.ts'
import { useOpenRun } from './use-open-run.ts'

/** What somebody should know of the sync on whatever tab they are. */
export function SyncNotice() {
  const { searchOf } = useOpenRun()
  const [tab] = useQueryState('tab', place.tab)
  const isThere = tab === 'providers'
  const status = useSyncStatus().data?.status
  const waiting = status?.needs_approval ?? null
  return (
    <div role="status" className="grid gap-3 not-empty:mb-5">
      {status?.is_overdue && (
        <Notice
          title="The providers may be out of date"
          link={isThere ? undefined : { to: { search: '?tab=providers' }, label: 'See the sync' }}
        >
          {status.last_success_at
            ? `The last successful sync was on ${formatMoment(status.last_success_at)}, and two scheduled syncs have been missed since then.`
            : 'No sync has succeeded yet. The schedule starts after the first one.'}
        </Notice>
      )}
      {waiting !== null && (
        <Notice
          title="A sync waits for approval"
          link={{ to: { search: searchOf(waiting) }, label: 'See what it would change' }}
        >
          It would change where leads go for many providers, or deactivate many, so it has changed nothing.
        </Notice>
      )}
    </div>
  )
}
