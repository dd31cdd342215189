import type { ReactNode } from 'react'
import type { LeadJob } from '../../../core/contract/jobs.ts'
import type { Lead } from '../../../core/contract/leads.ts'
import { formatMoment } from '../../lib/dates.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useLeadJobs } from './api/list-lead-jobs.ts'
import { jobLabel, jobNote, jobState, matchSentence } from './lead-job-labels.ts'

/** What happened to a lead: how it was matched, and each delivery we owe for it. */
export function LeadHistory({ lead }: { lead: Lead }) {
  const { data: jobs, error } = useLeadJobs(lead.id)

  return (
    <div className="grid gap-x-10 gap-y-5 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
      <dl className="grid content-start gap-3 text-sm">
        <Fact label="Received">{formatMoment(lead.created_at)}</Fact>
        <Fact label="Match">
          {matchSentence(lead)}
          {lead.matched_at && <Moment>{lead.matched_at}</Moment>}
        </Fact>
        <Fact label="Consent">
          {lead.acceptance_consent ? 'Given' : 'Not given'}
          {lead.acceptance_ip && ` from ${lead.acceptance_ip}`}
          {lead.acceptance_message && <span className="block text-quiet">“{lead.acceptance_message}”</span>}
        </Fact>
      </dl>
      <div>
        {error && <Alert title="Error">{error.message || 'Failed to load what happened'}</Alert>}
        {!jobs && !error && <Skeleton className="h-24 w-full" />}
        {jobs?.length === 0 && <p className="text-sm text-quiet">Nothing has been sent for this lead.</p>}
        <ul className="divide-y divide-line">
          {jobs?.map((job) => (
            <Delivery key={job.id} job={job} />
          ))}
        </ul>
      </div>
    </div>
  )
}

function Delivery({ job }: { job: LeadJob }) {
  const { label, tone } = jobState(job)
  const note = jobNote(job)

  return (
    <li className="py-2.5 text-sm first:pt-0">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-semibold text-ink">{jobLabel(job)}</span>
        <Badge tone={tone}>{label}</Badge>
        {job.generation > 1 && <Badge>Run {job.generation}</Badge>}
        {job.attempts > 0 && (
          <span className="text-quiet">{job.attempts === 1 ? '1 attempt' : `${job.attempts} attempts`}</span>
        )}
      </p>
      <p className="text-quiet">
        {job.finished_at ? `Ended ${formatMoment(job.finished_at)}` : `Started ${formatMoment(job.created_at)}`}
        {job.state === 'waiting' && `, next try ${formatMoment(job.next_attempt_at)}`}
      </p>
      {note && <p>{note}</p>}
      {job.last_error && (
        <p className={`wrap-anywhere ${job.state === 'cancelled' ? 'text-quiet' : 'text-bad'}`}>{job.last_error}</p>
      )}
    </li>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[5.5rem_1fr] gap-x-2">
      <dt className="text-quiet">{label}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  )
}

function Moment({ children }: { children: string }) {
  return <span className="block text-quiet">{formatMoment(children)}</span>
}
