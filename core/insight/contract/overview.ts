import { z } from 'zod'
import { defineCall } from '../../contract/call.ts'

/** The longest period of an overview. With a million leads a year, three months take a few seconds. */
export const MAX_PERIOD_DAYS = 92

/** The query of `getOverview`: first and last day in the network's time zone. Default: the last 30 days with today. */
export const OverviewQuery = z.object({
  from: z.iso.date({ error: 'Choose a first day like 2026-11-01' }).optional(),
  to: z.iso.date({ error: 'Choose a last day like 2026-11-30' }).optional(),
})
export type OverviewQuery = z.output<typeof OverviewQuery>

const count = z.number().int()

/** Each received lead is matched, unmatched or held. */
const Counts = z.object({ received: count, matched: count, unmatched: count, held: count })

/** Leads by the combined state of their deliveries of one kind. Leads without such deliveries are not counted. */
const DeliveryCounts = z.object({ success: count, pending: count, failed: count })

export const DeliveryKind = z.enum(['email', 'crm'])
export type DeliveryKind = z.infer<typeof DeliveryKind>

/**
 * A zip code whose leads had no provider in reach when they came. `nearestMiles` is the distance to the nearest active
 * provider today, null for an unknown zip code. Leads that staff have matched since are counted; leads that were matched
 * automatically since are not.
 */
const UncoveredZip = z.object({
  zip: z.string(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  leads: count,
  nearestMiles: z.number().nullable(),
  /** The number of leads that staff have matched since, and the largest distance of these. */
  matchedByHand: count,
  matchedMiles: z.number().nullable(),
})

export const Overview = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  /** `matchedShare` is the share of the leads that are not held, from 0 to 1; null if there are none. */
  totals: Counts.extend({ matchedShare: z.number().nullable() }),
  /** Every day of the period, oldest first. */
  days: z.array(Counts.extend({ day: z.iso.date() })),
  deliveries: z.record(DeliveryKind, DeliveryCounts),
  /** The 100 zip codes with the most leads; `totalZips` counts all. */
  coverage: z.object({ zips: z.array(UncoveredZip), totalZips: count }),
})
export type Overview = z.infer<typeof Overview>

export const getOverview = defineCall({
  method: 'GET',
  path: '/api/overview',
  summary: 'Get the figures of a period: leads per day, deliveries, and zip codes without a provider in reach.',
  access: 'viewer',
  input: { query: OverviewQuery },
  output: Overview,
})
