import { useQuery } from '@tanstack/react-query'
import { getNextClinic, passOn } from '../../../core/leads/contract/lead-changes.ts'
import type { Lead, ListedLead } from '../../../core/leads/contract/leads.ts'
import type { PublicProvider } from '../../../core/providers/contract/providers.ts'
import { call } from '../../lib/call.ts'
import { milesInWords } from '../../lib/distance.ts'
import { Button } from '../../ui/button.tsx'
import { useLeadAction, useLeadActs } from './use-lead-action.ts'

/** Returns whether the clinic should have answered by now. */
export function isLate({ answer }: Pick<ListedLead, 'answer'>): boolean {
  return answer?.due_at != null && answer.answered_at === null && Date.parse(answer.due_at) <= Date.now()
}

/** Says where a lead went: `Passed on to Granite Wellness, 12 miles`. */
export function passedOnWords({ provider_id, match_distance_miles: miles }: Lead, providers: PublicProvider[] = []) {
  const clinic = providers.find(({ id }) => id === provider_id)
  if (!clinic) return 'Lead passed on successfully'
  return `Passed on to ${clinic.practiceName || clinic.name}${miles === null ? '' : `, ${milesInWords(miles)}`}`
}

/** Shows which clinic a lead would be passed on to, with a button that does it. */
export function PassOn({ lead }: { lead: ListedLead }) {
  const { data, error } = useQuery({
    queryKey: ['leads', 'next-clinic', lead.id, lead.provider_id],
    queryFn: () => call(getNextClinic, { params: { id: lead.id } }),
  })
  const { mutate, isPending } = usePassOn()
  if (error) return <p className="text-sm text-bad">{error.message || 'Failed to find the next clinic'}</p>
  if (!data) return null
  if (!data.clinic) return <p className="text-sm text-quiet">No other clinic in reach can take this lead.</p>

  const { name, practiceName, miles } = data.clinic
  return (
    <Button
      variant={isLate(lead) ? 'primary' : 'outline'}
      size="small"
      busy={isPending}
      className="justify-self-start whitespace-normal!"
      onClick={() => mutate(lead.id)}
    >
      Pass on to {practiceName || name}
      {miles !== null && `, ${milesInWords(miles)}`}
    </Button>
  )
}

/** Shows the button that passes a late lead on, in its row. */
export function PassOnLate({ lead, className }: { lead: ListedLead; className?: string }) {
  const { mutate, isPending } = usePassOn()
  return (
    <Button
      variant={className ? 'ghost' : 'outline'}
      size="small"
      busy={isPending}
      className={className}
      aria-label={`Pass on ${lead.first_name} ${lead.last_name} to the next clinic`}
      onClick={() => mutate(lead.id)}
    >
      Pass on
    </Button>
  )
}

function usePassOn() {
  const { passedOn } = useLeadActs()
  return useLeadAction({
    act: (id: number) => call(passOn, { params: { id } }),
    done: passedOn,
    failed: 'Failed to pass the lead on',
  })
}
