import { useQuery, useQueryClient } from '@tanstack/react-query'
import { changeLeads } from '../../core/contract/bulk.ts'
import { getWaitingLeads, RECENT_DAYS, type WaitingLeads } from '../../core/contract/lead-match.ts'
import { UNDO_SECONDS } from '../../core/contract/undo.ts'
import { call } from '../lib/call.ts'
import { countOf, formatCount } from '../lib/numbers.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { LoadError } from '../ui/load-error.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast.ts'
import { useAction } from '../ui/use-action.ts'
import { followBulk } from './bulk.ts'

type Props = {
  providerId: number
  /** Plans only for requests whose answer is late. */
  late?: true
  onConfirm: (ids: number[]) => void
  onClose: () => void
}

/** Says how many requests wait, how old they are and where they would go, and asks whether to pass them on. */
export function PassOnDialog({ providerId, late, onConfirm, onClose }: Props) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['leads', 'waiting', providerId, late],
    queryFn: () => call(getWaitingLeads, { params: { id: providerId }, query: { late } }),
    // What is confirmed must be what is so now.
    staleTime: 0,
    gcTime: 0,
  })
  const count = data?.ids.length ?? 0
  return (
    <ConfirmDialog
      title="Pass on what waits?"
      variant="primary"
      confirmLabel={count > 0 ? `Pass on ${countOf(count, 'request')}` : 'Pass on'}
      disabled={count === 0 || isFetching}
      onConfirm={() => onConfirm(data?.ids ?? [])}
      onClose={onClose}
    >
      <LoadError fallback="Failed to find the next clinics" {...{ error, isFetching }} onRetry={refetch} />
      {!data && !error && <Skeleton className="h-24 w-full" />}
      {data && (
        <div className="grid gap-3">
          <Plan {...data} />
          <Older ids={data.olderIds ?? []} disabled={isFetching} />
        </div>
      )}
    </ConfirmDialog>
  )
}

function Plan({ total, ids, clinics, unplaced, olderIds = [] }: WaitingLeads) {
  const recent = total - olderIds.length
  if (total === 0) return <p>No request waits for an answer of this clinic.</p>
  const rest = recent - ids.length - unplaced
  return (
    <>
      <p>
        {countOf(total, 'request')} of this clinic {total === 1 ? 'has' : 'have'} no answer yet
        {olderIds.length > 0 && `: ${recent} of the last ${RECENT_DAYS} days, ${olderIds.length} older`}.
      </p>
      {recent === 0 ? null : ids.length === 0 ? (
        <p>No other clinic in reach can take {recent === 1 ? 'it' : 'any of them'} now.</p>
      ) : (
        <>
          <ul className="grid gap-1">
            {clinics.slice(0, CLINICS_SHOWN).map(({ id, name, leads }) => (
              <li key={id}>
                <strong className="font-semibold text-ink">{formatCount(leads)}</strong> to {name}
              </li>
            ))}
            {clinics.length > CLINICS_SHOWN && (
              <li>others to {countOf(clinics.length - CLINICS_SHOWN, 'more clinic')}</li>
            )}
          </ul>
          {unplaced > 0 && (
            <p>
              {countOf(unplaced, 'request')} {unplaced === 1 ? 'stays' : 'stay'} here: no other clinic in reach can take{' '}
              {unplaced === 1 ? 'it' : 'them'} now.
            </p>
          )}
          {rest > 0 && <p>{countOf(rest, 'more request')} can be passed on after these.</p>}
          <p>
            This clinic is asked not to call, and the visitors are told about the change. You can undo this for{' '}
            {UNDO_SECONDS} seconds.
          </p>
        </>
      )}
    </>
  )
}

/** Offers to close the requests that are too old for another clinic. */
function Older({ ids, disabled }: { ids: number[]; disabled: boolean }) {
  const client = useQueryClient()
  const close = useAction({
    async act() {
      const outcome = { kind: 'no_answer' as const, note: 'Closed as unanswered: the clinic did not answer in time.' }
      const { id } = await call(changeLeads, { body: { action: 'record-outcome', ids, outcome } })
      return followBulk(client, id)
    },
    done({ succeeded, failed, failures }) {
      const description = `${countOf(succeeded, 'request')} closed as unanswered`
      if (failed > 0) toast({ variant: 'destructive', title: description, description: failures[0]?.error })
      else toast({ title: 'Success', description })
    },
    failed: 'Failed to close the requests',
    changes: 'leads',
  })
  if (ids.length === 0) return null
  return (
    <div className="grid justify-items-start gap-2 rounded-lg bg-mist p-3">
      <p>
        {countOf(ids.length, 'older request')} {ids.length === 1 ? 'is' : 'are'} not passed on. Closing records “No
        answer”; nobody is written to.
      </p>
      <Button
        variant="outline"
        size="small"
        disabled={disabled}
        busy={close.isPending}
        onClick={() => close.mutate(undefined)}
      >
        Close {countOf(ids.length, 'request')} as unanswered
      </Button>
    </div>
  )
}

const CLINICS_SHOWN = 8
