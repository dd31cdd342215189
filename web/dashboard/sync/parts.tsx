import { Link } from 'react-router-dom'
import type { SyncRun } from '../../../core/sync/contract/sync.ts'
import { formatMoment } from '../../lib/dates.ts'
import { ProgressBar } from '../../ui/feedback.tsx'
import { useOpenRun } from './sync-runs.ts'
import { oldLeadsWords, progressOf, spokenProgressOf, starterOf } from './words.ts'

/** Shows the progress of a run. Screen readers get `SpokenProgress`. */
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

/**
 * Announces the progress of a run. Render it before a run starts: screen readers may skip a live region that appears
 * together with its text.
 */
export function SpokenProgress({ run }: { run: SyncRun | undefined }) {
  return (
    <p role="status" className="sr-only">
      {run?.finished_at === null && spokenProgressOf(run)}
    </p>
  )
}

/** Shows the person who approved a run, and the run that the approval started. */
export function Approval({ approved }: { approved: NonNullable<SyncRun['approved']> }) {
  return (
    <>
      Approved by {starterOf(approved)} at{' '}
      <time dateTime={approved.created_at}>{formatMoment(approved.created_at)}</time>, <RunLink id={approved.id} />
    </>
  )
}

export function RunLink({ id }: { id: number }) {
  const { searchOf } = useOpenRun()
  return (
    <Link to={{ search: searchOf(id) }} preventScrollReset className={LINK}>
      see run {id}
    </Link>
  )
}

const LINK = 'font-semibold text-secondary underline underline-offset-3 hover:text-primary'

/** Links to the leads that a run did not match because of their age. */
export function OldLeads({ run }: { run: SyncRun }) {
  if (run.old_leads === 0) return null
  return (
    <p>
      {oldLeadsWords(run)}:{' '}
      <Link to={{ search: `?tab=leads&asked_by_sync=${run.id}` }} className={LINK}>
        match by hand
      </Link>
      .
    </p>
  )
}
