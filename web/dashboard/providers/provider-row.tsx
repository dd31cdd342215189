import type { ReactNode } from 'react'
import type { DeliveryHealth } from '../../../core/contract/provider-record.ts'
import type { StaffProvider } from '../../../core/contract/providers.ts'
import { telUrl, websiteUrl } from '../../lib/texts.ts'
import { useImageFault } from '../../lib/use-image-fault.ts'
import { wordpressEditUrl } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { obstacleWords } from '../obstacles.ts'
import { HealthDot, healthWords } from '../provider-health.tsx'
import { ProviderLink } from '../provider-link.tsx'

const LINK = 'inline-flex min-h-6 items-center font-semibold text-secondary underline-offset-4 hover:underline'

type Props = {
  provider: StaffProvider
  /** Undefined until it is known. */
  health: DeliveryHealth | undefined
  /** The WordPress site in which providers are edited, if there is one. */
  wordpressUrl: string | null
  /** Opens its rules. */
  onRules: (provider: StaffProvider) => void
}

/** Shows a provider in one line, or in two on a narrow screen. */
export function ProviderRow({ provider, health, wordpressUrl, onRules }: Props) {
  const {
    id,
    wordpress_id,
    name,
    practiceName,
    address,
    zipCode,
    status,
    image_url,
    leadCount,
    phone,
    website,
    picture_problem,
    email,
    requestEmail,
    new_email,
    hidden,
    obstacle,
  } = provider
  return (
    <li
      data-provider={id}
      className="grid grid-cols-[auto_auto_minmax(0,1fr)] items-center gap-x-4 gap-y-2 px-4 py-3.5 lg:grid-cols-[auto_auto_minmax(0,1fr)_7.5rem_9.5rem_5.5rem_3rem_4rem] lg:px-6"
    >
      <StatusDot isActive={status === 't'} />
      <ProviderPicture url={image_url} />
      <div className="min-w-0 wrap-anywhere">
        <p className="flex items-center gap-2">
          <ProviderLink
            id={id}
            className="inline-block min-h-6 font-semibold text-ink underline-offset-3 hover:text-secondary hover:underline"
          >
            {name}
          </ProviderLink>
          <HealthDot health={health} />
        </p>
        <p className="text-[0.9375rem] text-quiet">{practiceName || address || zipCode}</p>
        {health?.state === 'bouncing' && (
          <p aria-hidden="true" className="text-sm font-semibold text-bad">
            {healthWords(health)}
          </p>
        )}
        {requestEmail !== email && (
          <p className="text-sm text-quiet">
            Leads go to <span className="text-ink">{requestEmail}</span>, as the clinic has decided
          </p>
        )}
        {picture_problem && <p className="text-sm text-quiet">{picture_problem} Change it in WordPress.</p>}
        {status === 'f' && hidden && (
          <p className="mt-1">
            <Badge>Unpublished: only staff see it</Badge>
          </p>
        )}
        {new_email && !new_email.is_declined && (
          <p className="mt-1">
            <Badge tone="wait">New address waits for confirmation</Badge>
          </p>
        )}
        {obstacle && (
          <p className="mt-1">
            <Badge tone="wait">{capitalized(obstacleWords(obstacle))}</Badge>
          </p>
        )}
      </div>
      <div className="col-start-3 flex flex-wrap items-center gap-x-5 gap-y-1 text-[0.9375rem] lg:contents">
        <Part>
          <Badge>{leadsText(leadCount)}</Badge>
        </Part>
        <Part>
          {phone && (
            <a href={telUrl(phone)} className={LINK}>
              {phone}
            </a>
          )}
        </Part>
        <Part>
          {website && (
            <a href={websiteUrl(website)} target="_blank" rel="noopener noreferrer" className={LINK}>
              Website<span className="sr-only"> of {name}</span>
            </a>
          )}
        </Part>
        <Part>
          {wordpressUrl && wordpress_id !== null && (
            <a href={wordpressEditUrl(wordpressUrl, wordpress_id)} target="_blank" rel="noreferrer" className={LINK}>
              Edit<span className="sr-only"> {name} in WordPress</span>
            </a>
          )}
        </Part>
        <Part>
          <button type="button" className={LINK} onClick={() => onRules(provider)}>
            Rules...<span className="sr-only"> of {name}</span>
          </button>
        </Part>
      </div>
    </li>
  )
}

function StatusDot({ isActive }: { isActive: boolean }) {
  const label = isActive ? 'Active' : 'Inactive'
  return (
    <span title={label} className={`size-3 rounded-full ${isActive ? 'bg-good' : 'bg-bad'}`}>
      <span className="sr-only">{label}</span>
    </span>
  )
}

/** Renders a cell that keeps its column when it is empty. */
function Part({ children }: { children: ReactNode }) {
  return <div className="min-w-0 wrap-anywhere max-lg:empty:hidden">{children}</div>
}

const capitalized = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

function leadsText(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'lead' : 'leads'}`
}

const SHAPE = 'size-11 shrink-0 rounded-full'

/** Shows a provider's picture, or an icon without one. */
function ProviderPicture({ url }: { url: string | null }) {
  const { isFaulty, ...image } = useImageFault()
  if (url && !isFaulty) {
    return <img src={url} alt="" width={44} height={44} loading="lazy" {...image} className={`${SHAPE} object-cover`} />
  }
  return (
    <svg
      viewBox="0 0 44 44"
      aria-hidden="true"
      className={`${SHAPE} bg-lilac text-primary`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinejoin="round"
      strokeLinecap="round"
    >
      <path d="M13 32V16l9-5 9 5v16M11 32h22M22 17.5v6M19 20.5h6M19.5 32v-4.5h5V32" />
    </svg>
  )
}
