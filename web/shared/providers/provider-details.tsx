import type { ReactNode } from 'react'
import { directionsUrl, fullAddress } from '../../../core/contract/addresses.ts'
import { telUrl } from '../../../core/contract/contact.ts'
import type { PublicProvider } from '../../../core/providers/contract/providers.ts'
import { websiteUrl } from '../../lib/text.ts'
import { buttonClass } from '../../ui/button.tsx'
import { PhoneLink } from '../phone-link.tsx'

/** Shows a provider's phone, website and address. */
export function ProviderFacts({ provider }: { provider: PublicProvider }) {
  const { phone, website } = provider
  const link = 'inline-block min-h-6 font-semibold text-secondary underline underline-offset-4 hover:text-primary'

  return (
    <dl className="grid gap-3 wrap-anywhere">
      {phone && (
        <Detail label="Phone">
          <PhoneLink phone={phone} className={link} />
        </Detail>
      )}
      {website && (
        <Detail label="Website">
          <a href={websiteUrl(website)} target="_blank" rel="noreferrer" className={link}>
            Visit Website
          </a>
        </Detail>
      )}
      <Detail label="Address">{fullAddress(provider)}</Detail>
    </dl>
  )
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[5rem_1fr]">
      <dt className="text-quiet">{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Shows the buttons to call a provider and to find the way, side by side where there is room. */
export function ProviderActions({ provider }: { provider: PublicProvider }) {
  const callUrl = provider.phone && telUrl(provider.phone)
  return (
    <p className="grid gap-3 sm:auto-cols-fr sm:grid-flow-col">
      {callUrl && (
        <a href={callUrl} className={buttonClass()}>
          Call
        </a>
      )}
      <a
        href={directionsUrl(provider)}
        target="_blank"
        rel="noreferrer"
        className={buttonClass({ variant: 'outline' })}
      >
        Directions
      </a>
    </p>
  )
}
