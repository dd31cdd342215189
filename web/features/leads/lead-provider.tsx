import { type ChangeEvent, useState } from 'react'
import type { Lead } from '../../../core/contract/leads.ts'
import type { PublicProvider } from '../../../core/contract/providers.ts'
import { parseId } from '../../lib/ids.ts'
import { Badge } from '../../ui/badge.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useAssignProvider } from './api/assign-provider.ts'

/** `providers` is undefined until they are loaded. */
type Props = { lead: Lead; providers: PublicProvider[] | undefined }

/** The provider of a lead, or the means to give it one. */
export function LeadProvider({ lead, providers }: Props) {
  if (lead.provider_id === null) return <MatchWithProvider lead={lead} providers={providers} />
  if (!providers) return <Skeleton className="h-5 w-32" />

  const provider = providers.find(({ id }) => id === lead.provider_id)
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <span>{provider?.name ?? `Provider #${lead.provider_id}`}</span>
      {provider?.status === 'f' && <Badge tone="bad">Inactive</Badge>}
    </div>
  )
}

/** A page has up to 40 of these lists; beyond this length one is only filled when somebody turns to it. */
const SHORT_LIST = 200

function MatchWithProvider({ lead, providers = [] }: Props) {
  const [isWanted, setWanted] = useState(false)
  const assignment = useAssignProvider()
  const active = providers.filter(({ status }) => status === 't')
  const want = () => setWanted(true)

  function choose({ target }: ChangeEvent<HTMLSelectElement>) {
    const providerId = parseId(target.value)
    if (providerId !== undefined) assignment.mutate({ leadId: lead.id, providerId })
  }

  return (
    <div className="grid justify-items-start gap-1.5">
      <Badge tone="wait">Unmatched</Badge>
      <select
        aria-label={`Match ${lead.first_name} ${lead.last_name} with a provider`}
        value=""
        onChange={choose}
        onFocus={want}
        onPointerEnter={want}
        disabled={assignment.isPending || active.length === 0}
        className="min-h-9 w-full max-w-60 xl:min-w-52 rounded-lg border border-edge bg-white px-2 text-sm text-ink hover:border-secondary disabled:opacity-60"
      >
        <option value="">Match with provider...</option>
        <optgroup label="Select Provider">
          {(isWanted || active.length <= SHORT_LIST) &&
            active.map(({ id, name, zipCode }) => (
              <option key={id} value={id}>
                {name} - {zipCode}
              </option>
            ))}
        </optgroup>
      </select>
    </div>
  )
}
