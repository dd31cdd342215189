import type { MatchCandidates } from '../../../core/contract/lead-match.ts'
import type { Lead } from '../../../core/contract/leads.ts'
import { formatDay } from '../../lib/dates.ts'

const MATCHES = {
  chosen: 'The visitor chose this clinic',
  nearest: 'Nearest clinic that can take it',
  staff: 'Matched by staff',
} as const

/** Describes how a lead was matched, with the distance if it is known. */
export function matchSentence({ provider_id, match_kind, match_distance_miles: miles }: Lead): string {
  if (provider_id === null) return 'No clinic yet'
  const how = match_kind ? MATCHES[match_kind] : 'Matched'
  return miles === null ? how : `${how}, ${miles.toFixed(1)} miles away`
}

type RelatedLead = MatchCandidates['samePerson'][number]

/** Describes another request of the lead's person and its clinic. */
export function samePersonSentence({ id, created_at, provider_id, provider_name, held_reason }: RelatedLead): string {
  const what = `The same person sent request #${id} on ${formatDay(created_at)}`
  if (provider_id !== null) return `${what}, which ${provider_name ?? `provider #${provider_id}`} has.`
  return held_reason === null ? `${what}, which no clinic has.` : `${what}, which is held.`
}
