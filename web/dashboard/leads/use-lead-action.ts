import { milesInWords } from '../../../core/contract/texts.ts'
import {
  type Lead,
  MAX_COUNTED_REQUESTS,
  type RelatedLead,
  type RequestCount,
} from '../../../core/leads/contract/leads.ts'
import type { PublicProvider } from '../../../core/providers/contract/providers.ts'
import { formatDay, isOfToday } from '../../lib/dates.ts'
import { useAction } from '../../ui/use-action.ts'
import { obstacleWords, pastObstacleWords } from '../provider-link.tsx'

type Action<Input, Result> = Omit<Parameters<typeof useAction<Input, Result>>[0], 'changes'>

export function useLeadAction<Input, Result>(action: Action<Input, Result>) {
  return useAction({ ...action, changes: 'leads' })
}

const MATCHES = {
  chosen: 'The visitor chose this provider',
  nearest: 'Nearest provider that can take it',
  staff: 'Matched by staff',
} as const

export function matchSentence({ provider_id, match_kind, repeat_of }: Lead): string {
  if (provider_id === null) return 'No provider yet'
  if (match_kind === 'again') return `Asked again, so matched with the provider of request #${repeat_of}`
  return match_kind ? MATCHES[match_kind] : 'Matched'
}

/** Returns, for example, `Nearest, Bluebonnet, was full: 10 of 10 today; next, Granite, 12 miles`, or an empty text. */
export function skippedSentence(lead: Lead, clinic?: string): string {
  const { match_skipped: skipped, match_distance_miles: miles, provider_id } = lead
  if (!skipped || skipped.length === 0) return ''
  if (provider_id === null) {
    const each = skipped.map(({ name, obstacle }) => `${name} (${obstacleWords(obstacle)})`)
    return `No provider in reach could take it: ${each.join(', ')}`
  }
  const isToday = lead.matched_at !== null && isOfToday(lead.matched_at)
  const parts = skipped.map(({ name, obstacle, isChosen, isAgain, miles: away }, position) => {
    const why = pastObstacleWords(obstacle, { isToday })
    if (isChosen) return `The visitor chose ${name}, which ${why}`
    if (isAgain) return `${name}, which has an earlier request, ${why}`
    if (position > 0) return `then ${name}, which ${why}`
    return `${away !== null && miles !== null && away > miles ? 'Preferred' : 'Nearest'}, ${name}, ${why}`
  })
  return [
    ...parts,
    ['next', clinic ?? `provider #${provider_id}`, ...(miles === null ? [] : [milesInWords(miles)])].join(', '),
  ].join('; ')
}

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

export function samePersonSentence({ id, created_at, provider_id, provider_name, held_reason }: RelatedLead): string {
  const what = `The same person sent request #${id} on ${formatDay(created_at)}`
  if (provider_id !== null) return `${what}, which ${provider_name ?? `provider #${provider_id}`} has.`
  return held_reason === null ? `${what}, which no provider has.` : `${what}, which is held.`
}

export function nameOfProvider({ provider_id }: Lead, providers: PublicProvider[] = []): string | undefined {
  if (provider_id === null) return undefined
  return providers.find(({ id }) => id === provider_id)?.name ?? `Provider #${provider_id}`
}
