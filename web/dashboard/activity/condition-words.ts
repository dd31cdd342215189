import { CAUSE_WORDS, DELIVERY_WORDS } from '../../../core/contract/failure-causes.ts'
import type { DeliveryTarget, FailureCause } from '../../../core/contract/jobs.ts'
import { OUTCOME_WORDS, type OutcomeKind } from '../../../core/contract/outcomes.ts'
import { formatIsoDay } from '../../lib/dates.ts'
import { countOf } from '../../lib/numbers.ts'

/** Names a provider, or an account of the staff, by its id. */
export type NameOf = (id: number, of?: 'account') => string

/**
 * Describes the conditions of a filter in brackets, as in ` (failed, since Nov 1, 2026)`. Returns an empty string
 * without conditions.
 */
export function conditionsIn(filter: object, nameOf: NameOf): string {
  const conditions = Object.entries(filter).flatMap(([name, value]) =>
    NO_CONDITIONS.has(name) ? [] : [conditionWords(name, value, nameOf)],
  )
  return conditions.length > 0 ? ` (${conditions.join(', ')})` : ''
}

const NO_CONDITIONS = new Set(['sort', 'filter'])

function conditionWords(name: string, value: unknown, nameOf: NameOf): string {
  switch (name) {
    case 'conversions':
      return `bookings for ${value === 'google' ? 'Google Ads' : 'Microsoft Advertising'}`
    case 'failed':
      return value ? 'failed' : 'not failed'
    case 'unmatched':
      return value ? 'unmatched' : 'matched'
    case 'held':
      return value ? 'held' : 'not held'
    case 'outcome':
      return `outcome: ${value === 'none' ? 'none' : lowerFirst(OUTCOME_WORDS[value as OutcomeKind])}`
    case 'late':
      return value ? 'answer is late' : 'answer is not late'
    case 'not_reached':
      return value ? 'clinic not reached' : 'not those with an unreached clinic'
    case 'state':
      return `in ${value}`
    case 'source':
      return `source: ${value === 'none' ? 'unknown' : value}`
    case 'campaign':
      return `campaign: ${value}`
    case 'min_miles':
      return `${value} miles or more`
    case 'max_miles':
      return `up to ${value} miles`
    case 'min_age_days':
      return `${countOf(Number(value), 'day')} old or older`
    case 'max_age_days':
      return `up to ${countOf(Number(value), 'day')} old`
    case 'repeat':
      return value ? 'asked before' : 'first request'
    case 'search':
      return 'found by a search'
    case 'provider_id':
      return `of ${nameOf(Number(value))}`
    case 'crm_sync_status':
      return `CRM sync: ${value}`
    case 'email_status':
      return `e-mail: ${value}`
    case 'asked_by_sync':
      return 'within reach of new clinics'
    case 'cause':
      return lowerFirst(CAUSE_WORDS[value as FailureCause].words.replace(/\.$/, ''))
    case 'target':
      return `failing: ${lowerFirst(DELIVERY_WORDS[value as DeliveryTarget])}`
    case 'owner':
      return `owner: ${value === 'none' ? 'nobody' : nameOf(Number(value), 'account')}`
    case 'tag':
      return `tag: ${value}`
    case 'due':
      return value ? 'next action is due' : 'next action is not due'
    case 'from':
      return `since ${formatIsoDay(String(value))}`
    case 'to':
      return `until ${formatIsoDay(String(value))}`
    default:
      return String(value)
  }
}

const lowerFirst = (text: string) => text.replace(/^[A-Z](?=[a-z-])/, (letter) => letter.toLowerCase())
