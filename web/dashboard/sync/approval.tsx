import { Link } from 'react-router-dom'
import type { SyncRun } from '../../../core/contract/sync.ts'
import { formatMoment } from '../../lib/dates.ts'
import { useOpenRun } from './use-open-run.ts'
import { starterOf } from './words.ts'

/** Who approved a run, and the run that was started by it. */
export function Approval({ approved }: { approved: NonNullable<SyncRun['approved']> }) {
  const { searchOf } = useOpenRun()
  return (
    <>
      Approved by {starterOf(approved)} at{' '}
      <time dateTime={approved.created_at}>{formatMoment(approved.created_at)}</time>,{' '}
      <Link
        to={{ search: searchOf(approved.id) }}
        preventScrollReset
        className="font-semibold text-secondary underline underline-offset-3 hover:text-primary"
      >
        see that run
      </Link>
    </>
  )
}
