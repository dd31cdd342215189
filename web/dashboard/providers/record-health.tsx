import { useId } from 'react'
import { Link } from 'react-router-dom'
import type { ClinicMail, ProviderRecord } from '../../../core/contract/provider-record.ts'
import { formatDay, formatMoment } from '../../lib/dates.ts'
import { jobLabel } from '../../shared/deliveries/job-labels.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { HealthDot, healthWords } from '../provider-link.tsx'
import { useRemoveAddress } from './use-record.ts'

/** Shows the last e-mails to a clinic as dots, the oldest first, and what the mail server said last. */
export function RecordHealth({ health, mails, address }: Pick<ProviderRecord, 'health' | 'mails' | 'address'>) {
  const id = useId()
  const refused = mails.find(({ error }) => error !== null)
  return (
    <section aria-labelledby={id} className="rounded-2xl border border-line bg-background p-4 lg:px-6">
      <h3 id={id} className="font-display text-xl font-medium text-ink">
        Delivery health
      </h3>
      <p className="mt-1 flex flex-wrap items-center gap-x-2 wrap-anywhere text-quiet">
        <span aria-hidden="true" className="inline-flex">
          <HealthDot health={health} />
        </span>
        <span className={health.state === 'bouncing' ? 'font-semibold text-bad' : 'text-ink'}>
          {healthWords(health)}
        </span>
        <span>{address}</span>
      </p>
      {mails.length > 0 && (
        <ol aria-label="Last e-mails, the oldest first" className="mt-3 flex flex-wrap gap-1">
          {mails.toReversed().map((mail) => (
            <li key={mail.id}>
              <MailDot mail={mail} />
            </li>
          ))}
        </ol>
      )}
      {refused && (
        <div className="mt-3 grid gap-1 rounded-lg bg-mist px-3 py-2 text-sm wrap-anywhere">
          <p>
            <span className="text-quiet">{formatMoment(refused.at)}: </span>
            {refused.error}
          </p>
          {refused.detail && <p className="text-ink">The mail server said: “{refused.detail}”</p>}
        </div>
      )}
    </section>
  )
}

const DOTS: Record<ClinicMail['state'], { words: string; sign: string; look: string }> = {
  delivered: { words: 'delivered', sign: '✓', look: 'bg-good-soft text-good' },
  failed: { words: 'failed', sign: '✕', look: 'bg-bad-soft text-bad' },
  retrying: { words: 'failed, is tried again', sign: '↻', look: 'bg-wait-soft text-wait' },
}

/** Shows one e-mail. It links to its request, if it is about one. */
function MailDot({ mail: { purpose, lead_id, at, state } }: { mail: ClinicMail }) {
  const { words, sign, look } = DOTS[state]
  const label = `${formatMoment(at)}: ${words}. ${jobLabel({ name: 'send-email', purpose })}`
  const dot = `grid size-7 place-content-center rounded-full text-sm font-semibold ${look}`
  const contents = (
    <>
      <span aria-hidden="true">{sign}</span>
      <span className="sr-only">{label}</span>
    </>
  )
  if (lead_id === null) {
    return (
      <span title={label} className={dot}>
        {contents}
      </span>
    )
  }
  return (
    <Link to={{ search: leadSearch(lead_id) }} title={label} className={dot}>
      {contents}
    </Link>
  )
}

/** Returns the query that opens a request beside the list of leads. */
export const leadSearch = (id: number) => String(new URLSearchParams({ tab: 'leads', lead: String(id) }))

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
