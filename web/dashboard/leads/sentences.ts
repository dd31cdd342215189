import type { MatchCandidates } from '../../../core/contract/lead-match.ts'
import type { Lead } from '../../../core/contract/leads.ts'
import { formatDay, isOfToday } from '../../lib/dates.ts'
import { milesInWords } from '../../lib/distance.ts'
import { obstacleWords, pastObstacleWords } from '../obstacles.ts'

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

/**
 * Describes the clinics that came before and could not take the lead: `Nearest, Bluebonnet, was full: 10 of 10 today;
 * next, Granite, 12 miles`. Empty if there were none.
 * @param waits whether leads wait for room
 */
export function skippedSentence(lead: Lead, { clinic, waits }: { clinic?: string; waits: boolean }): string {
  const { match_skipped: skipped, match_distance_miles: miles, provider_id } = lead
  if (!skipped || skipped.length === 0) return ''
  if (provider_id === null) return unmatchedSentence(skipped, waits)
  const isToday = lead.matched_at !== null && isOfToday(lead.matched_at)
  const parts = skipped.map(({ name, obstacle, isChosen, miles: away }, position) => {
    const why = pastObstacleWords(obstacle, { isToday })
    if (isChosen) return `The visitor chose ${name}, which ${why}`
    if (position > 0) return `then ${name}, which ${why}`
    return `${away !== null && miles !== null && away > miles ? 'Preferred' : 'Nearest'}, ${name}, ${why}`
  })
  return [
    ...parts,
    ['next', clinic ?? `provider #${provider_id}`, ...(miles === null ? [] : [milesInWords(miles)])].join(', '),
  ].join('; ')
}

function unmatchedSentence(skipped: NonNullable<Lead['match_skipped']>, waits: boolean): string {
  const withoutRoom = skipped.filter(({ obstacle }) => obstacle.reason === 'paused' || obstacle.reason === 'full')
  const list = (clinics: typeof skipped) =>
    clinics.map(({ name, obstacle }) => `${name} (${obstacleWords(obstacle)})`).join(', ')
  if (waits && withoutRoom.length > 0) return `Waits for room at ${list(withoutRoom)}`
  return `No clinic in reach could take it: ${list(skipped)}`
}

type RelatedLead = MatchCandidates['samePerson'][number]

/** Describes another request of the lead's person and its clinic. */
export function samePersonSentence({ id, created_at, provider_id, provider_name, held_reason }: RelatedLead): string {
  const what = `The same person sent request #${id} on ${formatDay(created_at)}`
  if (provider_id !== null) return `${what}, which ${provider_name ?? `provider #${provider_id}`} has.`
  return held_reason === null ? `${what}, which no clinic has.` : `${what}, which is held.`
}
