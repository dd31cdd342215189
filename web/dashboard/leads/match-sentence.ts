import type { Lead } from '../../../core/contract/leads.ts'

const MATCHES = {
  chosen: 'The visitor chose this clinic',
  nearest: 'Nearest clinic within reach',
  staff: 'Matched by staff',
} as const

/** How a lead came to its provider, with the distance if it is known. */
export function matchSentence({ provider_id, match_kind, match_distance_miles: miles }: Lead): string {
  if (provider_id === null) return 'No clinic yet'
  const how = match_kind ? MATCHES[match_kind] : 'Matched'
  return miles === null ? how : `${how}, ${miles.toFixed(1)} miles away`
}
