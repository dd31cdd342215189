import type { Lead } from '../../../core/contract/leads.ts'
import type { PublicProvider } from '../../../core/contract/providers.ts'
import { milesInWords } from '../../lib/distance.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useSettings } from '../settings.ts'

/** `providers` is undefined until they are loaded; `onMatch` if the viewer may not act. */
type Props = { lead: Lead; providers: PublicProvider[] | undefined; onMatch?: (lead: Lead) => void }

/** Shows the provider of a lead, or a button to match it. */
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

/**
 * Shows the distance of the clinic from the lead's zip code. Distances beyond the match radius stand out: only staff
 * match those.
 */
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

/** Returns the name of a lead's provider; undefined without a provider. */
export function nameOfProvider({ provider_id }: Lead, providers: PublicProvider[] = []): string | undefined {
  if (provider_id === null) return undefined
  return providers.find(({ id }) => id === provider_id)?.name ?? `Provider #${provider_id}`
}
