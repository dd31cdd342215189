import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { formatPhone, initialOf, telUrl } from '../../../core/contract/texts.ts'
import {
  directionsUrl,
  fullAddress,
  hasStreet,
  type PublicProvider,
} from '../../../core/providers/contract/providers.ts'
import { websiteUrl } from '../../lib/texts.ts'
import { useImageFault } from '../../lib/use-hydrated.ts'
import { PROVIDER_FORM, paths } from '../../pages.ts'
import { INACTIVE_WORDS } from '../../shared/map/points.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Badge } from '../../ui/feedback.tsx'

function Avatar({ provider: { name, image_url } }: { provider: PublicProvider }) {
  const { isFaulty, ...image } = useImageFault()
  if (image_url && !isFaulty) {
    const look = 'size-14 shrink-0 rounded-full object-cover'
    return <img src={image_url} alt="" width={96} height={96} loading="lazy" {...image} className={look} />
  }
  const look = 'grid size-14 shrink-0 place-items-center rounded-full bg-lilac font-display text-2xl text-primary'
  return (
    <span aria-hidden="true" className={look}>
      {initialOf(name)}
    </span>
  )
}

type Props = {
  provider: PublicProvider
  /** The heading with the name, which has a level in the list only. */
  heading: (name: string) => ReactNode
  distance?: string
  isSmall?: boolean
  children?: ReactNode
}

export const LINK =
  'inline-flex min-h-11 items-center font-semibold text-secondary underline underline-offset-4 hover:text-primary md:min-h-6'

export function ProviderCard({ provider, heading, distance, isSmall = false, children }: Props) {
  const { name, practiceName, website } = provider
  const title = practiceName ?? name
  const isActive = provider.status === 't'
  return (
    <>
      <div className="flex gap-3 wrap-anywhere">
        <Avatar provider={provider} />
        <div className="min-w-0">
          {heading(title)}
          {practiceName && <p>{name}</p>}
          <p className="text-quiet">{fullAddress(provider)}</p>
          {distance && <p className="font-semibold">{distance}</p>}
          <Offers provider={provider} />
        </div>
      </div>
      {isActive && <Actions provider={provider} title={title} isSmall={isSmall} />}
      <p className="mt-1 flex flex-wrap gap-x-5 text-sm">
        {isActive && hasStreet(provider) && (
          <a href={directionsUrl(provider)} target="_blank" rel="noreferrer" className={LINK}>
            Directions
            <span className="sr-only">: {title}</span>
          </a>
        )}
        {isActive && website && (
          <a href={websiteUrl(website)} target="_blank" rel="noreferrer" className={LINK}>
            Visit Website
            <span className="sr-only">: {title}</span>
          </a>
        )}
        {children}
      </p>
    </>
  )
}

function Offers({ provider }: { provider: PublicProvider }) {
  const { status, accepts_free_consultation, accepts_financing } = provider
  const isActive = status === 't'
  if (isActive && !accepts_free_consultation && !accepts_financing) return null
  return (
    <p className="mt-1 flex flex-wrap gap-1.5">
      {!isActive && <Badge>{INACTIVE_WORDS}</Badge>}
      {isActive && accepts_free_consultation && <Badge tone="good">Free consultation</Badge>}
      {isActive && accepts_financing && <Badge>Financing</Badge>}
    </p>
  )
}

function Actions({ provider, title, isSmall }: { provider: PublicProvider; title: string; isSmall: boolean }) {
  const { id, phone } = provider
  const callUrl = phone && telUrl(phone)
  const look = 'max-md:min-h-11! tabular-nums'
  return (
    <p className={`mt-3 grid gap-2 ${isSmall ? 'grid-cols-[1fr_auto]' : 'sm:max-md:grid-cols-2'}`}>
      <Link
        to={{ pathname: paths.microsite, search: `?providerId=${id}`, hash: `#${PROVIDER_FORM}` }}
        className={`${buttonClass({ size: 'small' })} ${look}`}
      >
        <span>
          Request consultation
          <span className="sr-only">: {title}</span>
        </span>
      </Link>
      {phone && callUrl && (
        <a href={callUrl} className={`${buttonClass({ variant: 'outline', size: 'small' })} ${look}`}>
          <span>
            <span className="sr-only">{title}: </span>
            Call <span className={isSmall ? 'sr-only' : ''}>{formatPhone(phone)}</span>
          </span>
        </a>
      )}
    </p>
  )
}

/** Returns the city and state of a provider's address: `Austin, TX`. */
export function cityOf(provider: PublicProvider | undefined): string | undefined {
  const [, city, state] =
    (provider && /([^,]+),\s*([A-Z]{2})(?:\s+\d{5}(?:-\d{4})?)?$/.exec(fullAddress(provider))) ?? []
  return city && state ? `${city.trim()}, ${state}` : undefined
}
