import type { Lead } from '../../../core/contract/leads.ts'
import type { PublicProvider } from '../../../core/contract/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

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

  const isInactive = providers.find(({ id }) => id === lead.provider_id)?.status === 'f'
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <span>{nameOfProvider(lead, providers)}</span>
      {isInactive && <Badge tone="bad">Inactive</Badge>}
    </div>
  )
}

/** Undefined where the lead has none. */
export function nameOfProvider({ provider_id }: Lead, providers: PublicProvider[] = []): string | undefined {
  if (provider_id === null) return undefined
  return providers.find(({ id }) => id === provider_id)?.name ?? `Provider #${provider_id}`
}
