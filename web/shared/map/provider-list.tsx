import type { ProviderPoint } from '../../../core/contract/provider-points.ts'
import type { PublicProvider } from '../../../core/contract/providers.ts'
import { telUrl, websiteUrl } from '../../lib/links.ts'
import { Badge } from '../../ui/badge.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { INACTIVE_WORDS } from './points.ts'

type Near = ProviderPoint & { miles: number }

type Props = {
  /** The providers in view with their distances, nearest first. */
  listed: Near[]
  /** The origin of the distances, if the visitor chose it. */
  from?: string
  /** The loaded providers by id. */
  providers: Map<number, PublicProvider> | undefined
  hasFailed: boolean
  onShow(point: Near): void
}

/** The providers in sight as a list: everything that the map tells, for those who do not use it. */
export function ProviderList({ listed, from, providers, hasFailed, onShow }: Props) {
  if (listed.length === 0) return <p className="p-5 text-quiet">No providers in this part of the map.</p>
  if (hasFailed) return <p className="p-5 text-bad">Failed to fetch providers</p>

  return (
    <ol className="divide-y divide-line">
      {listed.map((point) => {
        const provider = providers?.get(point.id)
        return (
          <li key={point.id} className="px-5 py-4">
            {provider ? <Entry provider={provider} point={point} from={from} onShow={onShow} /> : <Waiting />}
          </li>
        )
      })}
    </ol>
  )
}

type EntryProps = { provider: PublicProvider; point: Near } & Pick<Props, 'from' | 'onShow'>

function Entry({ provider, point, from, onShow }: EntryProps) {
  const { name, practiceName, address, phone, website } = provider
  const isActive = provider.status === 't'
  const link =
    'inline-flex min-h-6 items-center font-semibold text-secondary underline underline-offset-4 hover:text-primary'
  return (
    <>
      <h3 className="font-semibold text-ink">{practiceName ?? name}</h3>
      {practiceName && <p>{name}</p>}
      {!isActive && (
        <p className="my-1">
          <Badge>{INACTIVE_WORDS}</Badge>
        </p>
      )}
      {address && <p className="text-quiet">{address}</p>}
      {from && (
        <p className="text-quiet">
          {milesText(point.miles)} from {from}
        </p>
      )}
      <p className="mt-1 flex flex-wrap gap-x-5 text-sm">
        {isActive && phone && (
          <a href={telUrl(phone)} className={link}>
            {phone}
          </a>
        )}
        {isActive && website && (
          <a href={websiteUrl(website)} target="_blank" rel="noreferrer" className={link}>
            Visit Website
          </a>
        )}
        <button type="button" onClick={() => onShow(point)} className={link}>
          Show on map
          <span className="sr-only">: {practiceName ?? name}</span>
        </button>
      </p>
    </>
  )
}

function Waiting() {
  return (
    <div className="grid gap-2">
      <Skeleton className="h-5 w-3/5" />
      <Skeleton className="h-4 w-4/5" />
    </div>
  )
}

function milesText(miles: number): string {
  return miles < 10 ? `${miles.toFixed(1)} miles` : `${Math.round(miles).toLocaleString('en-US')} miles`
}
