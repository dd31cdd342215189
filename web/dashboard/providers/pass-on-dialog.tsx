import type { WaitingLeads } from '../../../core/contract/lead-match.ts'
import { UNDO_SECONDS } from '../../../core/contract/undo.ts'
import { countOf, formatCount } from '../../lib/numbers.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useWaiting } from './use-record.ts'

type Props = { providerId: number; onConfirm: (ids: number[]) => void; onClose: () => void }

/** Says how many requests wait and where they would go, and asks whether to pass them on. */
export function PassOnDialog({ providerId, onConfirm, onClose }: Props) {
  const { data, error, isFetching, refetch } = useWaiting(providerId)
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
      {data && <Plan {...data} />}
    </ConfirmDialog>
  )
}

function Plan({ total, ids, clinics, unplaced }: WaitingLeads) {
  if (total === 0) return <p>No request waits for an answer of this clinic.</p>
  const rest = total - ids.length - unplaced
  return (
    <div className="grid gap-3">
      <p>
        {countOf(total, 'request')} of this clinic {total === 1 ? 'has' : 'have'} no answer yet.
      </p>
      {ids.length === 0 ? (
        <p>No other clinic in reach can take {total === 1 ? 'it' : 'any of them'} now.</p>
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
    </div>
  )
}

const CLINICS_SHOWN = 8
