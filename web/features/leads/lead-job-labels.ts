import { z } from 'zod'
import type { LeadJob } from '../../../core/contract/jobs.ts'
import type { Lead } from '../../../core/contract/leads.ts'
import type { Tone } from '../../ui/badge.tsx'

const LABELS: Record<string, string> = {
  'match-lead/nearest': 'Matching',
  'send-email/provider': 'E-mail to the clinic',
  'send-email/visitor': 'E-mail to the visitor',
  'send-email/team': 'E-mail to the team',
  'sync-crm/created': 'CRM: lead created',
  'sync-crm/matched': 'CRM: clinic assigned',
}

/** What a job does, in plain words. */
export function jobLabel({ name, purpose }: LeadJob): string {
  return LABELS[`${name}/${purpose}`] ?? `${name} (${purpose})`
}

/** Where a job stands. */
export function jobState({ state, attempts }: LeadJob): { label: string; tone: Tone } {
  switch (state) {
    case 'done':
      return { label: 'Done', tone: 'good' }
    case 'failed':
      return { label: 'Failed', tone: 'bad' }
    case 'cancelled':
      return { label: 'Cancelled', tone: 'neutral' }
    case 'enqueued':
      return { label: 'In progress', tone: 'wait' }
    case 'waiting':
      return { label: attempts > 0 ? 'Trying again' : 'Waiting', tone: 'wait' }
  }
}

const NoMatch = z.object({ providerId: z.null(), nearestMiles: z.number().nullable() })

/** What came of a job, if that needs saying: a matching may be done and have found nobody. */
export function jobNote({ name, state, result }: LeadJob): string | undefined {
  if (name !== 'match-lead' || state !== 'done') return undefined
  const noMatch = NoMatch.safeParse(result)
  if (!noMatch.success) return undefined

  const { nearestMiles } = noMatch.data
  if (nearestMiles === null) return 'Nobody in reach.'
  return `Nobody in reach: the nearest clinic is ${nearestMiles.toFixed(1)} miles away.`
}

const MATCHES = {
  chosen: 'The visitor chose this clinic',
  nearest: 'Nearest clinic in reach',
  staff: 'Matched by staff',
} as const

/** How a lead came to its provider, with the distance if it is known. */
export function matchSentence({ provider_id, match_kind, match_distance_miles: miles }: Lead): string {
  if (provider_id === null) return 'No clinic yet'
  const how = match_kind ? MATCHES[match_kind] : 'Matched'
  return miles === null ? how : `${how}, ${miles.toFixed(1)} miles away`
}
