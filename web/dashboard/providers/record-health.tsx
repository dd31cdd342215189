import { useId } from 'react'
import { Link } from 'react-router-dom'
import { jobLabel } from '../../../core/deliveries/contract/jobs.ts'
import {
  type ClinicMail,
  type ProviderRecord,
  removeProviderPerson,
} from '../../../core/providers/contract/provider-record.ts'
import { act } from '../../lib/call.ts'
import { formatDay, formatMoment } from '../../lib/dates.ts'
import { ConfirmButton } from '../../ui/confirm.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useAccess } from '../access.tsx'
import { HealthDot, healthWords } from '../provider-link.tsx'

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
        {health.state !== 'none' && (
          <span aria-hidden="true" className="inline-flex">
            <HealthDot health={health} />
          </span>
        )}
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

type Props = { record: Pick<ProviderRecord, 'provider' | 'people'> }
const GETS = { requests: 'Gets the leads.', late: 'Is told of late answers.' }

/** Lists the people whom the clinic lets sign in, and what they get. Managers can remove one. */
export function RecordPeople({ record: { provider, people } }: Props) {
  const can = useAccess()
  const removal = useAction({
    act: (id: number) => act(removeProviderPerson, { params: { providerId: provider.id, id } }),
    done: 'Person removed',
    failed: 'Failed to remove the person',
    changes: 'providers',
  })
  return (
    <ul aria-label="People of the clinic" className="grid gap-2 text-[0.9375rem] wrap-anywhere">
      {people.map(({ id, email, gets, added_at, added_by, confirmed_at }) => (
        <li key={email} className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span>
            <strong className="font-semibold text-ink">{email}</strong> {gets && GETS[gets]}{' '}
            {id === null ? 'The address in WordPress.' : `Added by ${added_by} on ${formatDay(added_at)}.`}
            {id !== null && !confirmed_at && ' Has not signed in yet.'}
          </span>
          {can('provider.manage') && id !== null && (
            <ConfirmButton
              label="Remove"
              title={`Remove ${email}?`}
              danger
              busy={removal.isPending}
              onConfirm={(options) => removal.mutate(id, options)}
            >
              This person can no longer sign in to the clinic’s pages.
              {gets === 'requests' &&
                ` Leads go to ${provider.email}, the address in WordPress, and the person is told.`}
            </ConfirmButton>
          )}
        </li>
      ))}
    </ul>
  )
}
