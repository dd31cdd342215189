import type { Lead } from '../../../core/contract/leads.ts'
import type { PublicProvider } from '../../../core/contract/providers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useAssignProvider } from './api/assign-provider.ts'
import { ProviderSelect } from './provider-select.tsx'

/** `providers` is undefined until they are loaded. */
type Props = { lead: Lead; providers: PublicProvider[] | undefined; canAct: boolean }

/** The provider of a lead, or the means to give it one. */
export function LeadProvider({ lead, providers, canAct }: Props) {
  if (lead.provider_id === null) {
    return (
      <div className="grid justify-items-start gap-1.5">
        <Badge tone="wait">Unmatched</Badge>
        {canAct && <MatchWithProvider lead={lead} providers={providers} />}
      </div>
    )
  }
  if (!providers) return <Skeleton className="h-5 w-32" />

  const provider = providers.find(({ id }) => id === lead.provider_id)
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <span>{provider?.name ?? `Provider #${lead.provider_id}`}</span>
      {provider?.status === 'f' && <Badge tone="bad">Inactive</Badge>}
    </div>
  )
}

function MatchWithProvider({ lead, providers }: Omit<Props, 'canAct'>) {
  const assignment = useAssignProvider()

  function choose(providerId: number | undefined) {
    if (providerId !== undefined) assignment.mutate({ leadId: lead.id, providerId })
  }

  return (
    <ProviderSelect
      label={`Match ${lead.first_name} ${lead.last_name} with a provider`}
      first="Match with provider..."
      group="Select Provider"
      providers={providers?.filter(({ status }) => status === 't')}
      chosen={undefined}
      onChoose={choose}
      disabled={assignment.isPending}
      className="max-w-60 xl:min-w-52"
    />
  )
}
