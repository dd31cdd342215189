import { useId } from 'react'
import { decideNewEmail, type NewEmailDecision, type StaffProvider } from '../../../core/contract/providers.ts'
import { call } from '../../lib/call.ts'
import { formatMoment } from '../../lib/dates.ts'
import { Button } from '../../ui/button.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useAccess } from '../access.tsx'
import { ActivateButton } from '../activate-button.tsx'
import { ProviderLink } from '../provider-link.tsx'
import { isWaiting } from './provider-row.tsx'

const DECISIONS = [
  { decision: 'confirm', label: 'Confirm new address' },
  { decision: 'keep', label: 'Keep old address' },
] as const

/** Lists clinics whose new e-mail address is not yet in use. Renders nothing if there is none. */
export function NewEmailsCard({ providers = [] }: { providers: StaffProvider[] | undefined }) {
  const can = useAccess()
  const id = useId()
  const waiting = providers.filter(({ new_email }) => new_email && !new_email.is_declined)
  const declined = providers.filter(({ new_email }) => new_email?.is_declined)
  if (waiting.length + declined.length === 0) return null
  return (
    <section aria-labelledby={id} className="overflow-hidden rounded-2xl border border-wait bg-background">
      <div className="grid gap-1 px-4 py-4 lg:px-6">
        <h2 id={id} className="font-display text-2xl font-medium text-ink">
          New e-mail addresses
        </h2>
        <p className="max-w-[75ch] text-quiet">
          WordPress has another address for these clinics. Leads go to the old one until the clinic confirms the new one
          by the link in an e-mail to the old one, or {can('provider.manage') ? 'you do' : 'a manager does'}.
        </p>
      </div>
      <ul className="divide-y divide-line border-t border-line">
        {[...waiting, ...declined].map((provider) => (
          <NewEmailRow key={provider.id} provider={provider} />
        ))}
      </ul>
    </section>
  )
}

function NewEmailRow({ provider }: { provider: StaffProvider }) {
  const can = useAccess()
  const decide = useAction({
    act: (body: NewEmailDecision) => call(decideNewEmail, { params: { providerId: provider.id }, body }),
    done: `The address of ${provider.name} is settled`,
    failed: 'Failed to change the address',
    changes: 'providers',
  })
  const { new_email: change, name, practiceName, email, requestEmail } = provider
  if (!change) return null
  return (
    <li className="grid gap-2 px-4 py-3.5 wrap-anywhere lg:px-6">
      <p>
        <ProviderLink id={provider.id}>{practiceName || name}</ProviderLink>{' '}
        <span className="text-quiet">since {formatMoment(change.since)}</span>
      </p>
      <p>
        {change.is_declined ? 'The old address is kept. WordPress still says ' : 'New address '}
        <span className="font-semibold text-ink">{change.email}</span>
        {!change.is_declined && ' waits for confirmation'}. Leads go to{' '}
        <span className="font-semibold text-ink">{requestEmail}</span>.
      </p>
      {!change.is_declined && <Asked change={change} to={email} />}
      {can('provider.manage') && (
        <div className="flex flex-wrap gap-3">
          {DECISIONS.filter(({ decision }) => decision === 'confirm' || !change.is_declined).map(
            ({ decision, label }) => (
              <Button
                key={decision}
                variant="outline"
                size="small"
                busy={decide.isPending}
                onClick={() => decide.mutate({ email: change.email, decision })}
              >
                {label}
                <span className="sr-only"> of {practiceName || name}</span>
              </Button>
            ),
          )}
        </div>
      )}
    </li>
  )
}

/** Shows the delivery of the e-mail that asks the clinic to confirm. */
function Asked({ change, to }: { change: NonNullable<StaffProvider['new_email']>; to: string }) {
  if (change.asked === 'sent') return <p className="text-sm text-quiet">{to} was asked by e-mail.</p>
  if (change.asked === 'failed') {
    return (
      <p className="text-sm text-bad">
        The e-mail to {to} failed: {change.error} Call the clinic, then decide here.
      </p>
    )
  }
  return (
    <p className="text-sm text-quiet">
      The e-mail to {to} is on its way.{change.error && ` The last attempt failed: ${change.error}`}
    </p>
  )
}

/** Lists the new clinics of a sync that get no leads before they are activated. Renders nothing if there is none. */
export function ActivationCard({ providers = [] }: { providers: StaffProvider[] | undefined }) {
  const can = useAccess()
  const id = useId()
  const waiting = providers.filter(isWaiting)
  if (waiting.length === 0) return null
  return (
    <section aria-labelledby={id} className="overflow-hidden rounded-2xl border border-wait bg-background">
      <div className="grid gap-1 px-4 py-4 lg:px-6">
        <h2 id={id} className="font-display text-2xl font-medium text-ink">
          New clinics
        </h2>
        <p className="max-w-[75ch] text-quiet">
          WordPress has these new clinics. They get no leads, and visitors do not see them, until their address confirms
          by the link in an email, or {can('provider.manage') ? 'you activate them' : 'a manager activates them'}.
        </p>
      </div>
      <ul className="divide-y divide-line border-t border-line">
        {waiting.map(({ id, name, practiceName, address, zipCode, email, phone }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3.5 wrap-anywhere lg:px-6">
            <div className="grow">
              <p>
                <ProviderLink id={id}>{practiceName || name}</ProviderLink>{' '}
                <span className="text-quiet">{[address, zipCode].filter(Boolean).join(', ')}</span>
              </p>
              <p className="text-quiet">
                Leads would go to <span className="font-semibold text-ink">{email}</span>
                {phone && `, phone ${phone}`}
              </p>
            </div>
            {can('provider.manage') && <ActivateButton id={id} name={practiceName || name} />}
          </li>
        ))}
      </ul>
    </section>
  )
}
