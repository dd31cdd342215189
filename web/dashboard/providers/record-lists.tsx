import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { DeliveryStatus } from '../../../core/contract/jobs.ts'
import type { ListedLead } from '../../../core/contract/leads.ts'
import { OUTCOME_WORDS } from '../../../core/contract/outcomes.ts'
import type { ClinicChange } from '../../../core/contract/provider-record.ts'
import { actorName } from '../../lib/actors.ts'
import { formatDay, formatMoment } from '../../lib/dates.ts'
import { formatCount } from '../../lib/numbers.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useActWords } from '../acts.ts'
import { OUTCOME_TONES } from '../leads/lead-outcome.tsx'
import { SyncedClinic } from '../sync/run-changes.tsx'
import { leadSearch } from './record-health.tsx'
import { useNewestLeads } from './use-record.ts'

const LINK = 'inline-block min-h-6 font-semibold text-secondary underline-offset-4 hover:underline'

/** Lists the newest requests of a clinic, and links to all of them. */
export function RecordRequests({ id, total }: { id: number; total: number }) {
  const { data, error, isFetching, refetch } = useNewestLeads(id)
  if (total === 0) return <Note>This clinic has no requests yet.</Note>
  return (
    <>
      <LoadError fallback="Failed to load the requests" {...{ error, isFetching }} onRetry={refetch} />
      {!data && !error && <Skeleton className="h-40 w-full" />}
      {data && (
        <List>
          {data.leads.map((lead) => (
            <RequestRow key={lead.id} lead={lead} />
          ))}
        </List>
      )}
      <p className="mt-3">
        <Link to={{ search: String(new URLSearchParams({ tab: 'leads', provider_id: String(id) })) }} className={LINK}>
          {total === 1 ? 'Open it in the list' : `All ${formatCount(total)} requests`}
        </Link>
      </p>
    </>
  )
}

function RequestRow({ lead }: { lead: ListedLead }) {
  const { first_name, last_name, created_at, zip_code, email_status, outcome, held_reason } = lead
  const mail = MAILS[email_status]
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3">
      <Link to={{ search: leadSearch(lead.id) }} className={`min-w-40 grow wrap-anywhere ${LINK}`}>
        {first_name} {last_name}
      </Link>
      <span className="text-sm text-quiet">
        {zip_code}, {formatDay(created_at)}
      </span>
      <span className="flex flex-wrap gap-2">
        {held_reason !== null && <Badge tone="wait">Held</Badge>}
        <Badge tone={mail.tone}>{mail.label}</Badge>
        {outcome ? <Badge tone={OUTCOME_TONES[outcome]}>{OUTCOME_WORDS[outcome]}</Badge> : <Badge>No answer yet</Badge>}
      </span>
    </li>
  )
}

const MAILS: Record<DeliveryStatus, { label: string; tone: Tone }> = {
  success: { label: 'E-mails sent', tone: 'good' },
  failed: { label: 'E-mail failed', tone: 'bad' },
  pending: { label: 'E-mails under way', tone: 'wait' },
}

/** Lists the changes of a clinic by syncs and by staff. */
export function RecordChanges({ changes }: { changes: ClinicChange[] }) {
  const actWords = useActWords()
  if (changes.length === 0) return <Note>Nothing has been changed in the last 90 days.</Note>
  return (
    <List>
      {changes.map((change) => (
        <li
          key={'act' in change ? `act ${change.act.id}` : `sync ${change.sync.id}`}
          className="grid gap-1 px-4 py-3 text-[0.9375rem] wrap-anywhere"
        >
          <p className="text-sm text-quiet">{formatMoment(change.at)}</p>
          {'act' in change ? (
            <p>
              <span className="font-semibold text-ink">{actorName(change.act)}</span> · {actWords(change.act)}
            </p>
          ) : (
            <SyncedClinic change={change.sync.change} />
          )}
        </li>
      ))}
    </List>
  )
}

function List({ children }: { children: ReactNode }) {
  return <ul className="divide-y divide-line rounded-2xl border border-line bg-background">{children}</ul>
}

function Note({ children }: { children: ReactNode }) {
  return <p className="rounded-2xl border border-line bg-background px-6 py-10 text-center text-quiet">{children}</p>
}
