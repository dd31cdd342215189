import { useId } from 'react'
import type { StaffProvider } from '../../../core/contract/providers.ts'
import { ActivateButton } from '../activate-button.tsx'
import { ProviderLink } from '../provider-link.tsx'
import { isWaiting } from './provider-row.tsx'

type Props = { providers: StaffProvider[] | undefined; canAct: boolean }

/** Lists the new clinics of a sync that get no leads before they are activated. Renders nothing if there is none. */
export function ActivationCard({ providers = [], canAct }: Props) {
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
          by the link in an email, or {canAct ? 'you activate them' : 'a manager activates them'}.
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
            {canAct && <ActivateButton id={id} name={practiceName || name} />}
          </li>
        ))}
      </ul>
    </section>
  )
}
