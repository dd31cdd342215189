import type { MatchCandidates } from '../../../core/contract/leads.ts'
import { formatDay } from '../../lib/dates.ts'

type RelatedLead = MatchCandidates['samePerson'][number]

/** Another request of a lead's person, and who has it. */
export function samePersonSentence({ id, created_at, provider_id, provider_name, held_reason }: RelatedLead): string {
  const what = `The same person sent request #${id} on ${formatDay(created_at)}`
  if (provider_id !== null) return `${what}, which ${provider_name ?? `provider #${provider_id}`} has.`
  return held_reason === null ? `${what}, which no clinic has.` : `${what}, which is held.`
}
