import type { ProviderRecord } from '../../../core/contract/provider-record.ts'
import { formatDay } from '../../lib/dates.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { useRemoveAddress } from './use-record.ts'

type Props = { record: Pick<ProviderRecord, 'provider' | 'addresses'>; canAct: boolean }

/** Says where the addresses come from, and what waits for a confirmation. Managers can remove the clinic's own one. */
export function RecordAddresses({ record: { provider, addresses }, canAct }: Props) {
  const { requests, wordpress, late } = addresses
  const removal = useRemoveAddress(provider.id)
  return (
    <div className="grid gap-2 text-[0.9375rem] wrap-anywhere">
      <p>
        Leads go to <strong className="font-semibold text-ink">{requests.email}</strong>
        {requests.is_own
          ? `, the clinic’s own choice${since(requests.confirmed)}. WordPress has ${wordpress}.`
          : ', the address in WordPress.'}
      </p>
      {late.email !== null && (
        <p>
          Late answers are told to <strong className="font-semibold text-ink">{late.email}</strong>, too
          {late.confirmed ? since(late.confirmed) : ', as staff have set'}.
        </p>
      )}
      {[requests.waiting, late.waiting].map(
        (waiting, position) =>
          waiting && (
            <p key={waiting.email} className="text-wait">
              {waiting.email} has to confirm that it {position === 0 ? 'gets the leads' : 'is told of late answers'}.
              Asked for by {waiting.asked_by} on {formatDay(waiting.asked_at)}.
            </p>
          ),
      )}
      {canAct && (requests.is_own || requests.waiting) && (
        <p>
          <ConfirmButton
            label="Remove the clinic’s address"
            title="Remove the clinic’s own address?"
            danger
            busy={removal.isPending}
            onConfirm={(options) => removal.mutate(undefined, options)}
          >
            Leads go to {wordpress}, the address in WordPress. An address that waits for a confirmation is not used. The
            one that is removed is told.
          </ConfirmButton>
        </p>
      )}
    </div>
  )
}

/** Returns, for example, ` (front@clinic.example asked, confirmed on Nov 24, 2026)`. */
const since = (confirmed: ProviderRecord['addresses']['requests']['confirmed']) =>
  confirmed ? ` (${confirmed.asked_by} asked, confirmed on ${formatDay(confirmed.at)})` : ''
