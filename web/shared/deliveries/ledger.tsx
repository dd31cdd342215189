import { jobLabel, type Ledger as LedgerData, type LedgerJob } from '../../../core/contract/jobs.ts'
import { formatMoment } from '../../lib/dates.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AttemptList, FailureDetail } from './attempt-list.tsx'
import { attemptsOf, jobNote, jobState, runLabel } from './job-labels.ts'

type Noun = 'lead' | 'application'
type Props = {
  /** Undefined while loading. */
  ledger: LedgerData | undefined
  error: Error | null
  /** The kind of the jobs' owner. */
  noun: Noun
  /** Returns what a job waits for, if not for the time of its next attempt. */
  waitWords?: (job: LedgerJob) => string | undefined
}

/** Shows the past, current and future jobs of a lead or an application. */
export function Ledger({ ledger, error, noun, waitWords }: Props) {
  const jobs = ledger?.jobs
  return (
    <div>
      {error && <Alert title="Error">{error.message || 'Failed to load the history'}</Alert>}
      {!jobs && !error && <Skeleton className="h-24 w-full" />}
      {jobs?.length === 0 && <p className="text-sm text-quiet">Nothing has been sent for this {noun}.</p>}
      <ul className="divide-y divide-line">
        {jobs?.map((job) => (
          <Delivery key={job.id} job={job} run={runLabel(job, ledger?.acts)} noun={noun} waits={waitWords?.(job)} />
        ))}
      </ul>
    </div>
  )
}

type DeliveryProps = { job: LedgerJob; run: string | undefined; noun: Noun; waits: string | undefined }

function Delivery({ job, run, noun, waits }: DeliveryProps) {
  const { label, tone } = jobState(job)
  const note = jobNote(job, noun)
  const { list, count, error, detail } = attemptsOf(job)

  return (
    <li className="py-2.5 text-sm first:pt-0">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-semibold text-ink">{jobLabel(job)}</span>
        <Badge tone={tone}>{label}</Badge>
        {run && <Badge>{run}</Badge>}
        {count && <span className="text-quiet">{count}</span>}
      </p>
      <p className="text-quiet">
        {job.finished_at ? `Ended ${formatMoment(job.finished_at)}` : `Started ${formatMoment(job.created_at)}`}
        {job.state === 'waiting' && `, ${waits ?? `next try ${formatMoment(job.next_attempt_at)}`}`}
      </p>
      {job.recipient && <p className="wrap-anywhere">To {job.recipient}</p>}
      {note && <p>{note}</p>}
      {error && <p className={`wrap-anywhere ${job.state === 'cancelled' ? 'text-quiet' : 'text-bad'}`}>{error}</p>}
      <FailureDetail detail={detail} />
      <AttemptList attempts={list} label={jobLabel(job)} waits={waits} />
      {job.advice && <p className="mt-1 rounded-lg bg-mist px-3 py-2 text-ink">{job.advice}</p>}
    </li>
  )
}
