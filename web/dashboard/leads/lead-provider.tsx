import type { Lead } from '../../../core/leads/contract/leads.ts'
import type { PublicProvider } from '../../../core/providers/contract/providers.ts'
import { milesInWords } from '../../lib/distance.ts'
import { formatCount } from '../../lib/text.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, Skeleton } from '../../ui/feedback.tsx'
import { useAccess } from '../access.tsx'
import { HealthDot, ProviderLink, useProviderHealth } from '../provider-link.tsx'
import { useSettings } from '../settings.ts'
import { useLeadActs } from './use-lead-action.ts'

type Props = {
  lead: Lead
  /** Undefined until they are loaded. */
  providers: PublicProvider[] | undefined
}

/** Shows the provider of a lead with its delivery health, or a button to match it. */
export function LeadProvider({ lead, providers }: Props) {
  if (lead.provider_id === null) {
    return <Unmatched lead={lead} />
  }
  if (!providers) return <Skeleton className="h-5 w-32" />

  const provider = providers.find(({ id }) => id === lead.provider_id)
  return (
    <div className="grid justify-items-start gap-0.5">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <ProviderLink id={lead.provider_id}>{nameOfProvider(lead, providers)}</ProviderLink>
        <ProviderHealth id={lead.provider_id} />
        {provider?.status === 'f' && <Badge tone="bad">Inactive</Badge>}
      </div>
      {provider?.practiceName && provider.practiceName !== provider.name && (
        <span className="text-sm text-quiet wrap-anywhere">{provider.practiceName}</span>
      )}
      {lead.match_distance_miles !== null && <Distance miles={lead.match_distance_miles} />}
    </div>
  )
}

/** Says that a lead has no clinic, with the button that chooses one. `inRow` is the look of the button in a row. */
export function Unmatched({ lead, inRow }: { lead: Lead; inRow?: string }) {
  const can = useAccess()
  const { match } = useLeadActs()
  return (
    <div className={`grid justify-items-start ${inRow ? '' : 'gap-1.5'}`}>
      <Badge tone="wait">Unmatched</Badge>
      {can('lead.match') && (
        <Button
          variant={inRow ? 'ghost' : 'outline'}
          size="small"
          aria-label={`Match with provider... ${lead.first_name} ${lead.last_name}`}
          className={inRow}
          onClick={() => match(lead)}
        >
          Match with provider...
        </Button>
      )}
    </div>
  )
}

function ProviderHealth({ id }: { id: number }) {
  return <HealthDot health={useProviderHealth([id]).get(id)} />
}

const BEYOND = ', beyond the radius'

/**
 * Shows the distance of the clinic from the lead's zip code. Distances beyond the match radius stand out: only staff
 * match those.
 */
export function Distance({ miles, isInRow = false }: { miles: number; isInRow?: boolean }) {
  const { data: settings } = useSettings()
  const isFar = settings !== undefined && miles > settings.match_radius_miles
  return (
    <span
      className={`${isInRow ? '' : 'text-sm'} ${isFar ? 'font-semibold text-wait' : 'text-quiet'}`}
      title={isFar ? 'Beyond the radius' : undefined}
    >
      {isInRow ? (miles < 1 ? '<1 mi' : `${formatCount(Math.round(miles))} mi`) : milesInWords(miles)}
      {isFar && (isInRow ? <span className="sr-only">{BEYOND}</span> : BEYOND)}
    </span>
  )
}

/** Returns the name of a lead's provider; undefined without a provider. */
export function nameOfProvider({ provider_id }: Lead, providers: PublicProvider[] = []): string | undefined {
  if (provider_id === null) return undefined
  return providers.find(({ id }) => id === provider_id)?.name ?? `Provider #${provider_id}`
}
