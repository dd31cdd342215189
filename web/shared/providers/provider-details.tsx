import type { ReactNode } from 'react'
import { initialOf, telUrl } from '../../../core/contract/texts.ts'
import {
  directionsUrl,
  fullAddress,
  hasStreet,
  type PublicProvider,
} from '../../../core/providers/contract/providers.ts'
import { websiteUrl } from '../../lib/texts.ts'
import { useImageFault } from '../../lib/use-hydrated.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Drawing } from '../../ui/drawing.tsx'
import { PhoneLink } from '../contact-links.tsx'

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

export function ProviderActions({ provider }: { provider: PublicProvider }) {
  const callUrl = provider.phone && telUrl(provider.phone)
  return (
    <p className="grid gap-3 sm:auto-cols-fr sm:grid-flow-col">
      {callUrl && (
        <a href={callUrl} className={buttonClass()}>
          Call
        </a>
      )}
      {hasStreet(provider) && (
        <a
          href={directionsUrl(provider)}
          target="_blank"
          rel="noreferrer"
          className={buttonClass({ variant: 'outline' })}
        >
          Directions
        </a>
      )}
    </p>
  )
}

type Props = {
  provider: PublicProvider
  letterOf: string
  isFirst?: boolean
  className?: string
}

export function ClinicPicture({ provider: { image_url }, letterOf, isFirst = false, className = '' }: Props) {
  const { isFaulty, ...image } = useImageFault()
  const shape = `aspect-4/3 w-full overflow-hidden ${className}`

  if (image_url && !isFaulty) {
    return (
      <img
        src={image_url}
        alt=""
        width={640}
        height={480}
        fetchPriority={isFirst ? 'high' : undefined}
        loading={isFirst ? undefined : 'lazy'}
        {...image}
        className={`${shape} bg-lilac object-cover`}
      />
    )
  }
  return (
    <span
      aria-hidden="true"
      className={`${shape} @container relative isolate grid place-items-center bg-linear-to-br from-dusk to-secondary text-white`}
    >
      <Drawing of="dial" className="absolute top-1/2 left-1/2 -z-10 w-[94%] -translate-1/2 text-lilac" />
      <span className="font-display text-[26cqw] leading-none font-medium">{initialOf(letterOf)}</span>
    </span>
  )
}
