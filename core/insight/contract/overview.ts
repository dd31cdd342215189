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

/** The stages of a lead, in their order. `delivered`: the mail server of its provider has accepted the email. */
export const FUNNEL_STAGES = ['received', 'delivered', 'opened', 'reached', 'booked', 'attended'] as const
export type FunnelStage = (typeof FUNNEL_STAGES)[number]

/**
 * The counts of some leads. A stage counts the leads that have come at least as far, so none is higher than the one before it.
 * Received leads are unmatched, held or matched. `due` are those that were answered or whose time for an answer has ended,
 * and `inTime` those of them that were answered within it.
 */
export const FIGURES = [...FUNNEL_STAGES, 'unmatched', 'held', 'due', 'inTime'] as const
export const Figures = z.record(z.enum(FIGURES), count)
export type Figures = z.infer<typeof Figures>

const Compared = z.object({ now: Figures, before: Figures })

/** What leads can be grouped by. `campaign`: with its source, because campaigns of two sources may have the same name. */
export const Dimension = z.enum(['source', 'provider', 'state', 'campaign'])
export type Dimension = z.infer<typeof Dimension>

/** The most groups of a dimension that are listed. Anybody can invent a campaign in an address. */
export const MAX_GROUPS = 500

/** A group of leads. `name` is null for leads without that property, such as those that came directly. */
const Group = Compared.extend({
  name: z.string().nullable(),
  /** Of a campaign. */
  source: z.string().nullable(),
  providerId: count.nullable(),
})
export type Group = z.infer<typeof Group>

/** Leads by the combined state of their deliveries of one kind, as in the list of leads. */
const DeliveryCounts = z.object({ success: count, pending: count, failed: count })

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
  before: z.object({ from: z.iso.date(), to: z.iso.date() }),
  totals: Compared,
  /** The median time to the first answer in each period, in milliseconds; null without answers. */
  answerTime: z.object({ now: z.number().nullable(), before: z.number().nullable() }),
  outcomes: z.record(OutcomeKind, count),
  /** Most leads first, up to `MAX_GROUPS` of each dimension; `totalGroups` counts all. */
  groups: z.record(Dimension, z.array(Group)),
  totalGroups: z.record(Dimension, count),
  /** Every day of the period, oldest first. */
  days: z.array(z.object({ day: z.iso.date(), received: count, matched: count, unmatched: count, held: count })),
  deliveries: z.object({ email: DeliveryCounts, crm: DeliveryCounts }),
  /** The 100 zip codes with the most leads; `totalZips` counts all. */
  coverage: z.object({ zips: z.array(UncoveredZip), totalZips: count }),
  /** The number of leads of both periods that were made up for the demo. */
  madeUp: count,
})
export type Overview = z.infer<typeof Overview>

export const getOverview = defineCall({
  method: 'GET',
  path: '/api/overview',
  summary:
    'Get the figures of a period beside the one before: stages, answers in time, groups, days, deliveries, and zip codes without a provider in reach.',
  access: 'viewer',
  input: { query: OverviewQuery },
  output: Overview,
})
