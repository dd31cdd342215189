import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Lead, listLeadJobs } from '../../../core/contract/leads.ts'
import { call } from '../../lib/call.ts'
import { formatMoment } from '../../lib/dates.ts'
import { AttemptList, FailureDetail } from '../../shared/deliveries/attempt-list.tsx'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useAccess } from '../access.tsx'
import { SMALL_LINK } from '../contact.tsx'
import { useWaitWords } from '../sending-pauses.ts'
import { type SentCopy, SentMessageDialog } from './sent-message-dialog.tsx'
import { type Entry, timelineOf } from './timeline.ts'

type Props = {
  lead: Lead
  /** The name of its clinic. */
  provider?: string
}

/** Shows the history of a lead as a timeline. */
export function LeadTimeline({ lead, provider }: Props) {
  const can = useAccess()
  const [shown, setShown] = useState<{ title: string; copy: SentCopy }>()
  const { data: ledger, error } = useQuery({
    queryKey: ['leads', 'jobs', lead.id],
    queryFn: () => call(listLeadJobs, { params: { id: lead.id } }),
    // The cached history is shown at once and read again whenever a lead is opened.
    staleTime: 0,
  })
  /** Returns the function that shows what an event has sent, if the viewer may see it. */
  const viewerOf = ({ title, copy }: Entry) =>
    copy && can(copy.kind === 'email' ? 'lead.work' : 'lead.manage') ? () => setShown({ title, copy }) : undefined
  return (
    <>
      {error && <Alert title="Error">{error.message || 'Failed to load the history'}</Alert>}
      {!ledger && !error && <Skeleton className="h-40 w-full" />}
      {ledger && (
        <ol className="grid">
          {timelineOf(lead, ledger, provider).map((entry) => (
            <Moment key={entry.key} entry={entry} onView={viewerOf(entry)} />
          ))}
        </ol>
      )}
      {shown && <SentMessageDialog leadId={lead.id} {...shown} onClose={() => setShown(undefined)} />}
    </>
  )
}

function Moment({ entry, onView }: { entry: Entry; onView: (() => void) | undefined }) {
  const { title, at, badges, notes, answer, detail, isError, waiting, attempts = [], advice } = entry
  const waitWords = useWaitWords()
  const waits = waiting && waitWords(waiting)
  const nextTry = waiting?.next_attempt_at
  return (
    <li className="relative border-l border-line pb-4 pl-4 text-sm last:border-transparent last:pb-0">
      <span
        aria-hidden="true"
        className={`absolute top-1.5 -left-[0.3125rem] size-2.5 rounded-full border-2 bg-background ${isError ? 'border-bad' : 'border-secondary'}`}
      />
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-semibold text-ink">{title}</span>
        {badges.map(({ label, tone }) => (
          <Badge key={label} tone={tone}>
            {label}
          </Badge>
        ))}
        {onView && (
          <button type="button" onClick={onView} aria-label={`View: ${title}`} className={`${SMALL_LINK} -my-1`}>
            View
          </button>
        )}
      </p>
      <p className="text-quiet">
        <time dateTime={at}>{formatMoment(at)}</time>
        {waits && `, ${waits}`}
        {nextTry && !waits && (
          <>
            , next try <time dateTime={nextTry}>{formatMoment(nextTry)}</time>
          </>
        )}
      </p>
      {notes.map((note) => (
        <p key={note} className="whitespace-pre-line wrap-anywhere">
          {note}
        </p>
      ))}
      {answer && <p className={`wrap-anywhere ${isError ? 'text-bad' : 'text-quiet'}`}>{answer}</p>}
      <FailureDetail detail={detail} />
      <AttemptList attempts={attempts} label={title} waits={waits} />
      {advice && <p className="mt-1 rounded-lg bg-mist px-3 py-2 text-ink">{advice}</p>}
    </li>
  )
}
