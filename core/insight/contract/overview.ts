import { z } from 'zod'
import { defineCall } from '../../contract/call.ts'
import { OutcomeKind } from '../../leads/contract/outcomes.ts'

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

/** The stages of a lead, in their order. `delivered`: the mail server of its clinic has accepted the email. */
export const FUNNEL_STAGES = ['received', 'delivered', 'opened', 'reached', 'booked', 'attended'] as const
export const FunnelStage = z.enum(FUNNEL_STAGES)
export type FunnelStage = z.infer<typeof FunnelStage>

/** The number of leads that have come at least as far as each stage. No number is higher than the one before it. */
export const StageCounts = z.record(FunnelStage, count)
export type StageCounts = z.infer<typeof StageCounts>

/** What leads can be grouped by. `campaign`: with its source, because campaigns of two sources may have the same name. */
export const FunnelDimension = z.enum(['clinic', 'source', 'campaign', 'state'])
export type FunnelDimension = z.infer<typeof FunnelDimension>

/** The most groups of a dimension that are listed. Anybody can invent a campaign in an address. */
export const MAX_FUNNEL_GROUPS = 500

/** The most clinics that need attention that are listed. */
export const MAX_ATTENTION = 100

/** A group of leads. `name` is null for leads without that property, such as those that came directly. */
export const FunnelGroup = z.object({
  name: z.string().nullable(),
  /** Of a campaign. */
  source: z.string().nullable(),
  /** Of a clinic. */
  providerId: count.nullable(),
  stages: StageCounts,
  before: StageCounts,
})
export type FunnelGroup = z.infer<typeof FunnelGroup>

/** The time that clinics took for their first answer. */
const Answers = z.object({
  /** Leads whose clinic has answered. */
  answered: count,
  /** The median time to the first answer, in milliseconds. */
  medianMs: z.number().nullable(),
  /** Leads that were answered in time, and all whose time has ended or that were answered. */
  inTime: count,
  due: count,
})

/** Why a clinic needs attention. */
export const AttentionReason = z.discriminatedUnion('kind', [
  /** Requests without an answer, past their time. */
  z.object({ kind: z.literal('late'), leads: count }),
  /** Requests whose email the clinic's mail server has refused. */
  z.object({ kind: z.literal('refused'), leads: count }),
  /** None of its last requests has got an answer. */
  z.object({ kind: z.literal('silent'), leads: count }),
  /** The share of booked requests, now and in the period before. From 0 to 1. */
  z.object({ kind: z.literal('declining'), share: z.number(), before: z.number() }),
])
export type AttentionReason = z.infer<typeof AttentionReason>

export const Funnel = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  /** The period of the same length before. */
  before: z.object({ from: z.iso.date(), to: z.iso.date() }),
  /** `people` counts the different email addresses of the leads, each by its furthest lead. */
  leads: z.object({ now: StageCounts, before: StageCounts }),
  people: z.object({ now: StageCounts, before: StageCounts }),
  /** Leads by their current outcome. */
  outcomes: z.record(OutcomeKind, count),
  answers: z.object({ now: Answers, before: Answers }),
  /** Most leads first, up to `MAX_FUNNEL_GROUPS` of each dimension; `totalGroups` counts all. */
  groups: z.record(FunnelDimension, z.array(FunnelGroup)),
  totalGroups: z.record(FunnelDimension, count),
  /** Clinics that need attention, most reasons first, up to `MAX_ATTENTION`; `totalAttention` counts all. */
  attention: z.array(z.object({ providerId: count, name: z.string(), reasons: z.array(AttentionReason) })),
  totalAttention: count,
  /** The number of leads of both periods that were made up for the demo. */
  madeUp: count,
})
export type Funnel = z.infer<typeof Funnel>

export const getFunnel = defineCall({
  method: 'GET',
  path: '/api/funnel',
  summary:
    'Get the outcomes of the leads of a period, compared with the previous period: stages, answer times, and providers that need attention.',
  access: 'viewer',
  input: { query: OverviewQuery },
  output: Funnel,
})
