import { Link } from 'react-router-dom'
import type { LeadDetails, RelatedLead } from '../../../core/contract/leads.ts'
import { OUTCOME_WORDS } from '../../../core/contract/outcomes.ts'
import { formatDay } from '../../lib/dates.ts'
import { Badge } from '../../ui/badge.tsx'
import { useLinkTo } from '../address.ts'

/** Lists the other requests of a lead's person, with the same email or phone. */
export function LeadPerson({ lead: { samePerson: others, requests } }: { lead: LeadDetails }) {
  const older = requests.total - 1 - others.length
  return (
    <div className="grid justify-items-start gap-2 text-[0.9375rem]">
      <ul className="grid w-full gap-2">
        {others.map((other) => (
          <li key={other.id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <OtherRequest other={other} />
          </li>
        ))}
      </ul>
      {older > 0 && <p className="text-sm text-quiet">And {older} older.</p>}
    </div>
  )
}

function OtherRequest({ other }: { other: RelatedLead }) {
  const { id, created_at, provider_id, provider_name, held_reason, outcome } = other
  const linkTo = useLinkTo()
  const clinic = provider_id === null ? 'No clinic' : (provider_name ?? `Provider #${provider_id}`)
  return (
    <>
      <span className="min-w-0 wrap-anywhere">
        <Link
          to={{ search: linkTo({ lead: id }) }}
          preventScrollReset
          className="font-semibold text-secondary underline-offset-4 hover:underline"
        >
          Request #{id}
        </Link>
        <span className="text-quiet">
          , {formatDay(created_at)}, {clinic}
        </span>
      </span>
      {held_reason !== null && <Badge tone="wait">Held</Badge>}
      {outcome !== null && <Badge>{OUTCOME_WORDS[outcome]}</Badge>}
    </>
  )
}
