import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { LeadDetails, RelatedLead } from '../../../core/contract/leads.ts'
import { OUTCOME_WORDS } from '../../../core/contract/outcomes.ts'
import { unlinkPerson } from '../../../core/contract/person-links.ts'
import { act } from '../../lib/call.ts'
import { formatDay } from '../../lib/dates.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useLinkTo } from '../address.ts'
import { offer } from '../commands.ts'
import { SamePersonDialog } from './same-person-dialog.tsx'
import { useLeadAction } from './use-lead-action.ts'

type Props = {
  lead: LeadDetails
  /** Whether the viewer may link requests: agents and managers. */
  canLink: boolean
}

/** Lists the other requests of a lead's person. Staff can add one that the same person sent under another address. */
export function LeadPerson({ lead, canLink }: Props) {
  const [isLinking, setLinking] = useState(false)
  const unlink = useLeadAction({
    act: (leadId: number) => act(unlinkPerson, { params: { id: lead.id, leadId } }),
    done: 'The requests are of two people again',
    failed: 'Failed to undo the link',
  })
  const { samePerson: others, requests } = lead
  const older = requests.total - 1 - others.length

  return (
    <div className="grid justify-items-start gap-2 text-[0.9375rem]">
      {others.length === 0 && <p className="text-quiet">No other request is known.</p>}
      {others.length > 0 && (
        <ul className="grid w-full gap-2">
          {others.map((other) => (
            <li key={other.id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <OtherRequest other={other} />
              {other.linked && canLink && (
                <Button
                  variant="outline"
                  size="small"
                  ref={offer({ label: `Not the same person: request #${other.id}` })}
                  aria-label={`Not the same person: request #${other.id}`}
                  busy={unlink.isPending && unlink.variables === other.id}
                  onClick={() => unlink.mutate(other.id)}
                >
                  Not the same person
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {older > 0 && <p className="text-sm text-quiet">And {older} older.</p>}
      {canLink && (
        <Button
          ref={offer({ label: 'Same person as...', keywords: 'link merge duplicate request' })}
          variant="outline"
          size="small"
          onClick={() => setLinking(true)}
        >
          Same person as...
        </Button>
      )}
      {isLinking && <SamePersonDialog lead={lead} onClose={() => setLinking(false)} />}
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
