import { type Lead, MAX_COUNTED_REQUESTS, type RelatedLead, type RequestCount } from '../../../core/contract/leads.ts'
import type { OutcomeKind } from '../../../core/contract/outcomes.ts'
import { formatDay } from '../../lib/dates.ts'

const MATCHES = {
  chosen: 'The visitor chose this clinic',
  nearest: 'Nearest clinic within reach',
  staff: 'Matched by staff',
} as const

/** Describes how a lead was matched, with the distance if it is known. */
export function matchSentence({ provider_id, match_kind, match_distance_miles: miles, repeat_of }: Lead): string {
  if (provider_id === null) return 'No clinic yet'
  if (match_kind === 'again') return `Asked again, so matched with the clinic of request #${repeat_of}${away(miles)}`
  const how = match_kind ? MATCHES[match_kind] : 'Matched'
  return `${how}${away(miles)}`
}

const away = (miles: number | null) => (miles === null ? '' : `, ${miles.toFixed(1)} miles away`)

const SUFFIXES: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' }
const ordinals = new Intl.PluralRules('en-US', { type: 'ordinal' })

/** Returns, for example, `3rd request of 4`. Returns null for the only request of a person. */
export function requestWords({ number, total }: RequestCount): string | null {
  if (total === 1) return null
  if (total >= MAX_COUNTED_REQUESTS) return `One of ${MAX_COUNTED_REQUESTS} requests or more`
  return `${number}${SUFFIXES[ordinals.select(number)] ?? 'th'} request of ${total}`
}

/** Returns, for example, `Asked 3 times`. Returns null for the only request of a person. */
export function askedWords({ total }: RequestCount): string | null {
  if (total === 1) return null
  return total >= MAX_COUNTED_REQUESTS
    ? `Asked ${total} times or more`
    : `Asked ${total === 2 ? 'twice' : `${total} times`}`
}

export const OUTCOMES: Record<OutcomeKind, string> = {
  opened: 'Opened',
  reached: 'Reached',
  no_answer: 'No answer yet',
  booked: 'Booked',
  attended: 'Attended',
  no_show: 'Did not come',
  treated: 'Treated',
  declined: 'Declined',
  opted_out: 'Asked for no contact',
}

/** Describes another request of the lead's person and its clinic. */
export function samePersonSentence({ id, created_at, provider_id, provider_name, held_reason }: RelatedLead): string {
  const what = `The same person sent request #${id} on ${formatDay(created_at)}`
  if (provider_id !== null) return `${what}, which ${provider_name ?? `provider #${provider_id}`} has.`
  return held_reason === null ? `${what}, which no clinic has.` : `${what}, which is held.`
}
