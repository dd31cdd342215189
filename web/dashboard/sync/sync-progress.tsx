import type { SyncRun } from '../../../core/contract/sync.ts'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { progressOf, spokenProgressOf, starterOf } from './words.ts'

/** How far a run is that is under way. What is read out of it is `SpokenProgress`, beside it. */
export function SyncProgress({ run }: { run: SyncRun }) {
  const { dry_run, pages_done, pages_total, state } = run
  const what = dry_run ? 'Dry run' : 'Sync'
  const isCounted = state === 'running' && pages_total !== null
  return (
    <div className="grid gap-2">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="font-semibold text-ink">
          {what} by {starterOf(run)}
        </span>
        <span className="tabular-nums">{progressOf(run)}</span>
      </p>
      <ProgressBar label={`${what}: pages read`} value={isCounted ? pages_done : 0} max={isCounted ? pages_total : 0} />
    </div>
  )
}

/** To be there before there is a run: a live region that comes with its words may go unread. */
export function SpokenProgress({ run }: { run: SyncRun | undefined }) {
  return (
    <p role="status" className="sr-only">
      {run?.finished_at === null && spokenProgressOf(run)}
    </p>
  )
}
