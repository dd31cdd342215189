import type { DeliveryHealth, ProviderFigures } from '../../../core/contract/provider-record.ts'
import type { StaffProvider } from '../../../core/contract/providers.ts'
import { formatShortDay } from '../../lib/dates.ts'
import { formatCount, formatDuration } from '../../lib/numbers.ts'
import { telUrl, websiteUrl } from '../../lib/texts.ts'
import { useImageFault } from '../../lib/use-image-fault.ts'
import { wordpressEditUrl } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Cell, Row } from '../../ui/table.tsx'
import { offer } from '../commands.ts'
import { obstacleWords } from '../obstacles.ts'
import { HealthDot, healthWords } from '../provider-health.tsx'
import { ProviderLink } from '../provider-link.tsx'

const LINK = 'inline-flex min-h-6 items-center text-secondary underline-offset-4 hover:underline max-lg:min-h-11'

type Props = {
  provider: StaffProvider
  /** Undefined until they are loaded. */
  figures: ProviderFigures | undefined
  /** Undefined until it is known. */
  health: DeliveryHealth | undefined
  /** The WordPress site in which providers are edited, if there is one. */
  wordpressUrl: string | null
  /** Opens its rules. */
  onRules: (provider: StaffProvider) => void
}

export const COLUMNS = ['Provider', 'Place', 'Leads', 'Last lead', 'E-mails', 'Response', 'Reached', 'Links'] as const

const CELL = 'lg:h-12 lg:px-2! lg:py-1! lg:align-middle'

/** Shows a provider as a row of the table, or as a card on a narrow screen. */
export function ProviderRow({ provider, figures, health, wordpressUrl, onRules }: Props) {
  const { id, wordpress_id, name, practiceName, address, zipCode, status, image_url, leadCount, phone, website } =
    provider
  const place = figures?.place

  return (
    <Row data-provider={id} data-subject={`${practiceName || name} (${zipCode})`} className="text-[0.8125rem]">
      <Cell label="Provider" className={`col-span-full ${CELL} lg:w-2/5 lg:max-w-0 lg:pl-4!`}>
        <div className="flex items-center gap-2.5">
          <StatusDot isActive={status === 't'} />
          <ProviderPicture url={image_url} />
          <div className="min-w-0 wrap-anywhere">
            <p className="lg:truncate" title={name}>
              <ProviderLink
                id={id}
                className="font-semibold text-ink underline-offset-3 hover:text-secondary hover:underline inline-block min-h-6"
              >
                {name}
              </ProviderLink>
            </p>
            <p className="text-quiet lg:truncate" title={practiceName ?? address ?? undefined}>
              {practiceName || address || zipCode}
            </p>
            <Remarks provider={provider} health={health} />
          </div>
        </div>
      </Cell>
      <Cell label="Place" className={CELL}>
        {place ? `${place.city}, ${place.state}` : '-'}
      </Cell>
      <Cell label="Leads" className={`tabular-nums ${CELL}`}>
        <Badge>{leadsText(leadCount)}</Badge>
        <span className="block whitespace-nowrap text-quiet">
          {figures ? `${formatCount(figures.leads)} in 30 days` : '…'}
        </span>
      </Cell>
      <Cell label="Last lead" className={`whitespace-nowrap ${CELL}`}>
        {figures?.last_lead_at ? formatShortDay(figures.last_lead_at) : '-'}
      </Cell>
      <Cell label="E-mails" className={CELL}>
        <HealthDot health={health} />
      </Cell>
      <Cell label="Response" className={`whitespace-nowrap tabular-nums ${CELL}`}>
        {figures?.answer_time == null ? '-' : formatDuration(figures.answer_time)}
      </Cell>
      <Cell label="Reached" className={`tabular-nums ${CELL}`}>
        {figures?.reached == null ? '-' : `${Math.round(figures.reached * 100)}%`}
      </Cell>
      <Cell label="Links" className={`col-span-full ${CELL} lg:pr-4!`}>
        <div className="flex flex-wrap gap-x-2.5 lg:w-38">
          {phone && (
            <a href={telUrl(phone)} className={`${LINK} whitespace-nowrap`}>
              {phone}
            </a>
          )}
          {website && (
            <a href={websiteUrl(website)} target="_blank" rel="noopener noreferrer" className={LINK}>
              Website<span className="sr-only"> of {name}</span>
            </a>
          )}
          {wordpressUrl && wordpress_id !== null && (
            <a href={wordpressEditUrl(wordpressUrl, wordpress_id)} target="_blank" rel="noreferrer" className={LINK}>
              Edit<span className="sr-only"> {name} in WordPress</span>
            </a>
          )}
          <button
            ref={offer({ label: 'Rules...', keywords: 'pause cap hours territory' })}
            type="button"
            className={LINK}
            onClick={() => onRules(provider)}
          >
            Rules...<span className="sr-only"> of {name}</span>
          </button>
        </div>
      </Cell>
    </Row>
  )
}

/** Says what is special about a provider; nothing for most. */
function Remarks({ provider, health }: Pick<Props, 'provider' | 'health'>) {
  const { status, picture_problem, email, requestEmail, new_email, hidden, obstacle } = provider
  return (
    <>
      {health?.state === 'bouncing' && (
        <p aria-hidden="true" className="font-semibold text-bad">
          {healthWords(health)}
        </p>
      )}
      {requestEmail !== email && (
        <p className="text-quiet">
          Leads go to <span className="text-ink">{requestEmail}</span>, as the clinic has decided
        </p>
      )}
      {picture_problem && <p className="text-quiet">{picture_problem} Change it in WordPress.</p>}
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
    </>
  )
}

function StatusDot({ isActive }: { isActive: boolean }) {
  const label = isActive ? 'Active' : 'Inactive'
  return (
    <span title={label} className={`size-2.5 shrink-0 rounded-full ${isActive ? 'bg-good' : 'bg-bad'}`}>
      <span className="sr-only">{label}</span>
    </span>
  )
}

const capitalized = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

function leadsText(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'lead' : 'leads'}`
}

const SHAPE = 'size-9 shrink-0 rounded-full'

/** Shows a provider's picture, or an icon without one. */
function ProviderPicture({ url }: { url: string | null }) {
  const { isFaulty, ...image } = useImageFault()
  if (url && !isFaulty) {
    return <img src={url} alt="" width={36} height={36} loading="lazy" {...image} className={`${SHAPE} object-cover`} />
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
