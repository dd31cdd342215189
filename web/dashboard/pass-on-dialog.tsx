import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { milesInWords } from '../../core/contract/texts.ts'
import {
  getWaitingLeads,
  listCandidates,
  passOn,
  RECENT_DAYS,
  UNDO_SECONDS,
  type WaitingLeads,
} from '../../core/leads/contract/lead-changes.ts'
import type { Lead, ListedLead } from '../../core/leads/contract/leads.ts'
import type { PublicProvider } from '../../core/providers/contract/providers.ts'
import type { BulkProgress } from '../../core/staff/contract/bulk.ts'
import { call } from '../lib/call.ts'
import { countOf, formatCount } from '../lib/numbers.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { SmallButton } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm.tsx'
import { Loaded } from '../ui/load-error.tsx'
import { toast } from '../ui/toast.ts'
import { useAction } from '../ui/use-action.ts'
import { changedIds, runBulk } from './bulk.ts'
import { useLeadActs } from './leads/lead-dialogs.tsx'
import { useLeadAction } from './leads/use-lead-action.ts'
import type { Undoable } from './undo.tsx'

export function isLate({ answer }: Pick<ListedLead, 'answer'>): boolean {
  return answer?.due_at != null && answer.answered_at === null && Date.parse(answer.due_at) <= Date.now()
}

export function passedOnWords({ provider_id, match_distance_miles: miles }: Lead, providers: PublicProvider[] = []) {
  const clinic = providers.find(({ id }) => id === provider_id)
  if (!clinic) return 'Lead passed on successfully'
  return `Passed on to ${clinic.practiceName || clinic.name}${miles === null ? '' : `, ${milesInWords(miles)}`}`
}

export function PassOn({ lead }: { lead: ListedLead }) {
  const { data, error } = useQuery({
    queryKey: ['leads', 'candidates', lead.id, lead.provider_id],
    queryFn: () => call(listCandidates, { params: { id: lead.id } }),
  })
  const { mutate, isPending } = usePassOn()
  if (error) return <p className="text-sm text-bad">{error.message || 'Failed to find the next provider'}</p>
  if (!data) return null
  if (!data.next) return <p className="text-sm text-quiet">No other provider in reach can take this lead.</p>

  const { name, practiceName, miles } = data.next
  return (
    <SmallButton
      variant={isLate(lead) ? 'primary' : 'outline'}
      busy={isPending}
      className="justify-self-start whitespace-normal!"
      onClick={() => mutate(lead.id)}
    >
      Pass on to {practiceName || name}
      {miles !== null && `, ${milesInWords(miles)}`}
    </SmallButton>
  )
}

export function PassOnLate({ lead, className }: { lead: ListedLead; className?: string }) {
  const { mutate, isPending } = usePassOn()
  return (
    <SmallButton
      variant={className ? 'ghost' : 'outline'}
      busy={isPending}
      className={className}
      aria-label={`Pass on ${lead.first_name} ${lead.last_name} to the next provider`}
      onClick={() => mutate(lead.id)}
    >
      Pass on
    </SmallButton>
  )
}

function usePassOn() {
  const { passedOn } = useLeadActs()
  return useLeadAction({
    act: (id: number) => call(passOn, { params: { id } }),
    done: passedOn,
    failed: 'Failed to pass the lead on',
  })
}

type Props = {
  providerId: number
  late?: true
  onConfirm: (ids: number[]) => void
  onClose: () => void
}

export function PassOnDialog({ providerId, late, onConfirm, onClose }: Props) {
  const query = useQuery({
    queryKey: ['leads', 'waiting', providerId, late],
    queryFn: () => call(getWaitingLeads, { params: { id: providerId }, query: { late } }),
    // What is confirmed must be what is so now.
    staleTime: 0,
    gcTime: 0,
  })
  const { data, isFetching } = query
  const count = data?.ids.length ?? 0
  return (
    <ConfirmDialog
      title="Pass on waiting requests?"
      variant="primary"
      confirmLabel={count > 0 ? `Pass on ${countOf(count, 'request')}` : 'Pass on'}
      disabled={count === 0 || isFetching}
      onConfirm={() => {
        onClose()
        onConfirm(data?.ids ?? [])
      }}
      onClose={onClose}
    >
      <Loaded of={query} fallback="Failed to find the next providers" className="h-24 w-full">
        {(waiting) => (
          <div className="grid gap-3">
            <Plan {...waiting} />
            <Older ids={waiting.olderIds ?? []} disabled={isFetching} />
          </div>
        )}
      </Loaded>
    </ConfirmDialog>
  )
}

function Plan({ total, ids, clinics, unplaced, olderIds = [] }: WaitingLeads) {
  const recent = total - olderIds.length
  if (total === 0) return <p>No request is waiting for this provider’s answer.</p>
  const rest = recent - ids.length - unplaced
  return (
    <>
      <p>
        {countOf(total, 'request')} of this provider {total === 1 ? 'has' : 'have'} no answer yet
        {olderIds.length > 0 && `: ${recent} of the last ${RECENT_DAYS} days, ${olderIds.length} older`}.
      </p>
      {recent === 0 ? null : ids.length === 0 ? (
        <p>No other provider in reach can take {recent === 1 ? 'it' : 'any of them'} now.</p>
      ) : (
        <>
          <ul className="grid gap-1">
            {clinics.slice(0, CLINICS_SHOWN).map(({ id, name, leads }) => (
              <li key={id}>
                <strong className="font-semibold text-ink">{formatCount(leads)}</strong> to {name}
              </li>
            ))}
            {clinics.length > CLINICS_SHOWN && (
              <li>others to {countOf(clinics.length - CLINICS_SHOWN, 'more provider')}</li>
            )}
          </ul>
          {unplaced > 0 && (
            <p>
              {countOf(unplaced, 'request')} {unplaced === 1 ? 'stays' : 'stay'} here: no other provider in reach can
              take {unplaced === 1 ? 'it' : 'them'} now.
            </p>
          )}
          {rest > 0 && <p>{countOf(rest, 'more request')} can be passed on after these.</p>}
          <p>
            This provider is asked not to call, and the visitors are notified of the change. You can undo this for{' '}
            {UNDO_SECONDS} seconds.
          </p>
        </>
      )}
    </>
  )
}

function Older({ ids, disabled }: { ids: number[]; disabled: boolean }) {
  const client = useQueryClient()
  if (ids.length === 0) return null
  const outcome = { kind: 'no_answer' as const, note: 'Closed as unanswered: the provider did not answer in time.' }
  return (
    <div className="grid justify-items-start gap-2 rounded-lg bg-mist p-3">
      <p>
        {countOf(ids.length, 'older request')} {ids.length === 1 ? 'is' : 'are'} not passed on. Closing records “No
        answer” and sends nothing.
      </p>
      <ActionButton
        disabled={disabled}
        act={() => runBulk(client, { action: 'record-outcome', ids, outcome })}
        done={({ succeeded, failed, failures }) => {
          const description = `${countOf(succeeded, 'request')} closed as unanswered`
          if (failed === 0) return description
          return toast({ variant: 'destructive', title: description, description: failures[0]?.error })
        }}
        failed="Failed to close the requests"
        changes="leads"
      >
        Close {countOf(ids.length, 'request')} as unanswered
      </ActionButton>
    </div>
  )
}

const CLINICS_SHOWN = 8

type PassOnOptions = { changes: 'providers' | 'attention'; onUndoable: (done: Undoable) => void }

export function usePassOnWaiting(providerId: number, { changes, onUndoable }: PassOnOptions) {
  const client = useQueryClient()
  const [progress, setProgress] = useState<BulkProgress>()
  const run = useAction({
    act(ids: number[]) {
      setProgress({ done: 0, total: ids.length, failed: 0 })
      return runBulk(client, { action: 'pass-on', ids, waiting_at: providerId }, setProgress)
    },
    done(report, asked) {
      const { succeeded, failed, failures } = report
      const description = `${countOf(succeeded, 'lead')} passed on`
      // First, so that the newer toast with the button is in front of it.
      if (failed > 0) {
        const title = `${countOf(failed, 'lead')} not passed on`
        toast({ variant: 'destructive', title, description: failures[0]?.error })
      }
      const ids = changedIds(asked, report)
      if (succeeded > 0 && ids) onUndoable({ undo: 'undo-match', ids, description })
      else if (succeeded > 0) toast({ title: 'Success', description })
    },
    failed: 'Failed to pass leads on',
    changes,
  })
  return { start: run.mutate, isRunning: run.isPending, progress }
}
