import { z } from 'zod'
import { defineCall } from './call.ts'
import { DeliveryTarget, FailureCause } from './jobs.ts'

/** Days that one overview may span: with a million leads a year, three months take a few seconds. */
export const MAX_PERIOD_DAYS = 92

/** The query of `GET /api/overview`: first and last day of the network. Without them the last 30 days, today among them. */
export const OverviewQuery = z.object({
  from: z.iso.date({ error: 'Choose a first day like 2026-11-01' }).optional(),
  to: z.iso.date({ error: 'Choose a last day like 2026-11-30' }).optional(),
})
export type OverviewQuery = z.output<typeof OverviewQuery>

const count = z.number().int()

/** Each lead that was received is one of the other three. */
const Counts = z.object({ received: count, matched: count, unmatched: count, held: count })

/** Leads by the state of all their deliveries of one kind. Those that owe none are in none. */
const DeliveryCounts = z.object({ success: count, pending: count, failed: count })

/** From the form to the delivery, in milliseconds. Null while none was delivered. */
const DeliveryTime = z.object({ count, p50: z.number().nullable(), p95: z.number().nullable() })

export const DeliveryKind = z.enum(['email', 'crm'])
export type DeliveryKind = z.infer<typeof DeliveryKind>

/** Leads of which a delivery to one target has failed for good, or failed and is retried, for one cause. */
const Failure = z.object({
  target: DeliveryTarget,
  cause: FailureCause,
  /** What happened, and what to do: each a sentence. */
  words: z.string(),
  advice: z.string(),
  failed: count,
  /** None of which has failed for good. */
  retrying: count,
  /** The clinics whose e-mails these are, those with the most leads first, up to three; `clinics` is how many there are. */
  topClinics: z.array(z.object({ id: z.number().int(), name: z.string(), leads: count })),
  clinics: count,
})

/**
 * A zip whose leads had no provider within reach when they came, with the distance to the nearest active provider today,
 * null for an unknown zip. Leads that staff have matched since are counted. Leads that were matched automatically with a
 * newer provider are not.
 */
const UncoveredZip = z.object({
  zip: z.string(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  leads: count,
  nearestMiles: z.number().nullable(),
  /** How many of the leads staff have matched since, and how far the farthest of these goes. */
  matchedByHand: count,
  matchedMiles: z.number().nullable(),
})

export const Overview = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  /** `matchedShare` is of those that are not held, from 0 to 1; null when there are none. */
  totals: Counts.extend({ matchedShare: z.number().nullable() }),
  /** Every day of the period, the first one first. */
  days: z.array(Counts.extend({ day: z.iso.date() })),
  deliveries: z.record(DeliveryKind, DeliveryCounts),
  timeToDelivery: z.record(DeliveryKind, DeliveryTime),
  /** The most frequent first. */
  failures: z.array(Failure),
  /** The 100 zips with the most leads, of `totalZips`. */
  coverage: z.object({ zips: z.array(UncoveredZip), totalZips: count }),
})
export type Overview = z.infer<typeof Overview>

export const getOverview = defineCall({
  method: 'GET',
  path: '/api/overview',
  summary: 'How a period went: leads per day, deliveries, failures by cause, and the zips without a provider in reach.',
  access: 'viewer',
  input: { query: OverviewQuery },
  output: Overview,
})
