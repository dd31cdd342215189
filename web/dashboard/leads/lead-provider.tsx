import type { Lead } from '../../../core/contract/leads.ts'
import type { PublicProvider } from '../../../core/contract/providers.ts'
import { milesInWords } from '../../lib/distance.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useSettings } from '../settings.ts'

/** `providers` is undefined until they are loaded. `onMatch` is left out for those who may not act. */
type Props = { lead: Lead; providers: PublicProvider[] | undefined; onMatch?: (lead: Lead) => void }

/** The provider of a lead, or the means to give it one. */
export function LeadProvider({ lead, providers, onMatch }: Props) {
  if (lead.provider_id === null) {
    return (
      <div className="grid justify-items-start gap-1.5">
        <Badge tone="wait">Unmatched</Badge>
        {onMatch && (
          <Button
            variant="outline"
            size="small"
            aria-label={`Match with provider... ${lead.first_name} ${lead.last_name}`}
            onClick={() => onMatch(lead)}
          >
            Match with provider...
          </Button>
        )}
      </div>
    )
  }
  if (!providers) return <Skeleton className="h-5 w-32" />

  const provider = providers.find(({ id }) => id === lead.provider_id)
  return (
    <div className="grid justify-items-start gap-0.5">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span>{nameOfProvider(lead, providers)}</span>
        {provider?.status === 'f' && <Badge tone="bad">Inactive</Badge>}
      </div>
      {provider?.practiceName && provider.practiceName !== provider.name && (
        <span className="text-sm text-quiet wrap-anywhere">{provider.practiceName}</span>
      )}
      {lead.match_distance_miles !== null && <Distance miles={lead.match_distance_miles} />}
    </div>
  )
}

/** How far the clinic is from the lead's zip code. No lead is matched by itself beyond the radius, so that stands out. */
function Distance({ miles }: { miles: number }) {
  const { data: settings } = useSettings()
  const isFar = settings !== undefined && miles > settings.match_radius_miles
  return (
    <span className={`text-sm ${isFar ? 'font-semibold text-wait' : 'text-quiet'}`}>
      {milesInWords(miles)}
      {isFar && ', beyond the radius'}
    </span>
  )
}

/** Undefined where the lead has none. */
export function nameOfProvider({ provider_id }: Lead, providers: PublicProvider[] = []): string | undefined {
  if (provider_id === null) return undefined
  return providers.find(({ id }) => id === provider_id)?.name ?? `Provider #${provider_id}`
}
