import type { ReactNode } from 'react'
import type { DeliveryHealth, ProviderFigures } from '../../../core/providers/contract/provider-record.ts'
import type { StaffProvider } from '../../../core/providers/contract/providers.ts'
import { formatShortDay } from '../../lib/dates.ts'
import { countOf, formatCount, formatDuration } from '../../lib/numbers.ts'
import { websiteUrl, wordpressEditUrl } from '../../lib/texts.ts'
import { useImageFault } from '../../lib/use-hydrated.ts'
import { PhoneLink } from '../../shared/contact-links.tsx'
import { Icon } from '../../ui/drawing.tsx'
import { Badge, type Tone } from '../../ui/feedback.tsx'
import { MenuItem, MoreButton } from '../../ui/menu.tsx'
import { useSettings } from '../access.tsx'
import { HealthDot, healthWords, obstacleWords, ProviderLink } from '../provider-link.tsx'
import type { SortKey } from './list-providers.tsx'

const LINK =
  'inline-flex min-h-6 items-center whitespace-nowrap text-secondary underline-offset-4 hover:underline max-lg:min-h-11'

type Props = {
  provider: StaffProvider
  figures: ProviderFigures | undefined
  onRules: (provider: StaffProvider) => void
}

export const COLUMNS: { label: string; key?: SortKey }[] = [
  { label: 'Provider', key: 'name' },
  { label: 'Place', key: 'place' },
  { label: 'Leads', key: 'leads' },
  { label: 'Last lead', key: 'last' },
  { label: 'Emails', key: 'emails' },
  { label: 'Response', key: 'response' },
  { label: 'Reached', key: 'reached' },
  { label: 'Contact' },
]

const CELL = 'lg:h-12 lg:border-t lg:border-line lg:px-2 lg:py-0 lg:align-middle'

export function ProviderRow({ provider, figures, onRules }: Props) {
  const { id, name, practiceName, address, zipCode, status, image_url, leadCount, phone, website } = provider
  const { wordpress_id } = provider
  const wordpressUrl = useSettings().data?.wordpress_url
  const place = figures?.place

  return (
    <tr
      data-provider={id}
      className="flex flex-wrap items-center gap-x-3 border-t border-line px-4 py-2 text-[0.8125rem] leading-4.5 first:border-0 lg:table-row lg:p-0"
    >
      <td className={`w-full ${CELL} lg:max-w-0 lg:pl-4`}>
        <div className="flex items-center gap-2.5">
          <StatusDot isActive={status === 't'} />
          <ProviderPicture url={image_url} />
          <div className="min-w-0 wrap-anywhere">
            <p className="lg:truncate" title={name}>
              <ProviderLink
                id={id}
                className="py-1 font-semibold text-ink underline-offset-3 hover:text-secondary hover:underline max-lg:inline-flex max-lg:min-h-6"
              >
                {name}
              </ProviderLink>
            </p>
            <Second provider={provider} health={figures?.health} practice={practiceName || address || zipCode} />
          </div>
        </div>
      </td>
      <Fact isEmpty={!place}>
        <span className="whitespace-nowrap">{place ? `${place.city}, ${place.state}` : '-'}</span>
      </Fact>
      <Fact>
        {leadCount > 0 ? <Badge>{countOf(leadCount, 'lead')}</Badge> : <span className="text-quiet">0 leads</span>}
        {leadCount > 0 && (
          <span className="text-quiet max-lg:pl-1.5 lg:block lg:text-xs lg:leading-4">
            {figures ? `${formatCount(figures.leads)} in 30 days` : '…'}
          </span>
        )}
      </Fact>
      <Fact isEmpty={!figures?.last_lead_at} words="Last">
        {figures?.last_lead_at ? formatShortDay(figures.last_lead_at) : '-'}
      </Fact>
      <Fact>
        <HealthDot health={figures?.health} />
      </Fact>
      <Fact isEmpty={figures?.answer_time == null} words="Response">
        {figures?.answer_time == null ? '-' : formatDuration(figures.answer_time)}
      </Fact>
      <Fact isEmpty={figures?.reached == null} words="Reached">
        {figures?.reached == null ? '-' : `${Math.round(figures.reached * 100)}%`}
      </Fact>
      <td className={`w-full lg:w-auto ${CELL} lg:pr-4`}>
        <div className="flex items-center gap-x-2.5">
          {phone && <PhoneLink phone={phone} className={LINK} />}
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
          <MoreButton label={`More for ${name}`} className="-mr-2 ml-auto">
            <MenuItem onChoose={() => onRules(provider)}>Rules...</MenuItem>
          </MoreButton>
        </div>
      </td>
    </tr>
  )
}

type FactProps = {
  isEmpty?: boolean
  /** Stand before it in the card, which has no column heads. */
  words?: string
  children: ReactNode
}

function Fact({ isEmpty = false, words, children }: FactProps) {
  return (
    <td className={`whitespace-nowrap tabular-nums ${CELL} ${isEmpty ? 'max-lg:hidden' : ''}`}>
      {words && <span className="text-quiet lg:hidden">{words} </span>}
      {children}
    </td>
  )
}

type Remark = { words: string; tone?: Tone }

function Second({
  provider,
  health,
  practice,
}: Pick<Props, 'provider'> & { health: DeliveryHealth | undefined; practice: string }) {
  const remarks = remarksOn(provider)
  // Screen readers hear it from the envelope.
  const bouncing = health?.state === 'bouncing' && healthWords(health)
  return (
    <div
      title={[practice, bouncing, ...remarks.map(({ words }) => words)].filter(Boolean).join(' · ')}
      className="flex flex-wrap gap-x-2 gap-y-1 text-quiet lg:block lg:truncate"
    >
      <span>{practice}</span>
      {bouncing && (
        <span aria-hidden="true" className="font-semibold text-bad lg:ml-2">
          {bouncing}
        </span>
      )}
      {remarks.map(({ words, tone }) => (
        <span key={words} className="lg:ml-2">
          {tone ? <Badge tone={tone}>{words}</Badge> : words}
        </span>
      ))}
    </div>
  )
}

/** Returns what is special about a provider; nothing for most. The most important comes first. */
function remarksOn({ picture_problem, email, requestEmail, new_email, obstacle, ...provider }: StaffProvider) {
  const remarks: (Remark | false)[] = [
    isWaiting(provider) && { words: 'Waits for activation', tone: 'wait' },
    obstacle !== null && { words: capitalized(obstacleWords(obstacle)), tone: 'wait' },
    new_email !== null && !new_email.is_declined && { words: 'New address waits for confirmation', tone: 'wait' },
    isUnpublished(provider) && { words: 'Unpublished: only staff see it', tone: 'neutral' },
    requestEmail !== email && { words: `Leads go to ${requestEmail}, as the provider has decided` },
    picture_problem !== null && { words: `${picture_problem} Change it in WordPress.` },
  ]
  return remarks.filter((remark) => remark !== false)
}

function StatusDot({ isActive }: { isActive: boolean }) {
  const label = isActive ? 'Active' : 'Inactive'
  return (
    <span title={label} className={`size-2.5 shrink-0 rounded-full ${isActive ? 'bg-good' : 'bg-bad'}`}>
      <span className="sr-only">{label}</span>
    </span>
  )
}

/** Tells whether a new provider of a sync gets no leads before it is activated. */
export const isWaiting = ({ activation }: Pick<StaffProvider, 'activation'>) => activation === 'waiting'

/** Tells whether only staff see a provider because its post is not published. */
export const isUnpublished = ({ status, hidden, ...rest }: Pick<StaffProvider, 'status' | 'hidden' | 'activation'>) =>
  status === 'f' && hidden && !isWaiting(rest)

const capitalized = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

const BUILDING = 'M13 32V16l9-5 9 5v16M11 32h22M22 17.5v6M19 20.5h6M19.5 32v-4.5h5V32'
const SHAPE = 'size-8 shrink-0 rounded-full'

function ProviderPicture({ url }: { url: string | null }) {
  const { isFaulty, ...image } = useImageFault()
  if (url && !isFaulty) {
    return <img src={url} alt="" width={32} height={32} loading="lazy" {...image} className={`${SHAPE} object-cover`} />
  }
  return <Icon d={BUILDING} box={44} width={1.75} className={`${SHAPE} bg-lilac text-primary`} />
}
