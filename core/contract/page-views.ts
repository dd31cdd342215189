import { z } from 'zod'
import { defineCall } from './call.ts'
import { OverviewQuery } from './overview.ts'
import { PAGE_VIEWS_PATH } from './page.ts'

/**
 * What visitors do on the pages with a lead form, before there is a lead: counted by day, without any person. What becomes
 * of leads afterwards is in `funnel.ts`.
 */

/** The pages with a lead form, by their names in `web/pages.ts`. The home page of a clinic's own site is a microsite. */
export const LEAD_PAGES = ['home', 'start', 'findProvider', 'microsite'] as const
export const LeadPage = z.enum(LEAD_PAGES)
export type LeadPage = z.infer<typeof LeadPage>

/** The pages whose form asks for the zip code first, in a step of its own. */
export const TWO_STEP_PAGES: readonly LeadPage[] = ['start', 'findProvider']

/** By the width of the window: below 768 px, below 1024 px, and wider. */
export const Device = z.enum(['phone', 'tablet', 'desktop'])
export type Device = z.infer<typeof Device>

/** How far a visitor has come on a page. `zip_accepted`: only on pages that ask for the zip code first. */
export const VISIT_STEPS = ['seen', 'started', 'zip_accepted', 'submitted'] as const
export const VisitStep = z.enum(VISIT_STEPS)
export type VisitStep = z.infer<typeof VisitStep>

/** What a form was refused for: a field, the server's own refusal, or a connection that failed. */
export const FORM_FAULTS = [
  ...(['first_name', 'last_name', 'email', 'phone', 'zip_code', 'consent'] as const),
  ...(['server', 'connection'] as const),
] as const
export const FormFault = z.enum(FORM_FAULTS)
export type FormFault = z.infer<typeof FormFault>

/** The Core Web Vitals, and the time to the first byte. In milliseconds; `cls` is a score. */
export const VITALS = ['lcp', 'inp', 'cls', 'ttfb'] as const
export const Vital = z.enum(VITALS)
export type Vital = z.infer<typeof Vital>

/** The two headings of an experiment. */
export const VARIANTS = ['original', 'other'] as const
export const Variant = z.enum(VARIANTS)
export type Variant = z.infer<typeof Variant>

const unique = (list: readonly string[]) => new Set(list).size === list.length
const setOf = <Item extends z.ZodType<string>>(item: Item, max: number) =>
  z.array(item).max(max).refine(unique, 'must not repeat').default([])

/** As leads have them (`lead_source` and `lead_campaign` of the database); null without one. */
const Name = z
  .string()
  .trim()
  .toLowerCase()
  .min(1)
  .max(200)
  .regex(/^\P{Cc}*$/u, 'must not contain control characters')
  .nullable()
  .default(null)

/** What happened on a page since it was last told. Each step and each fault is told once for each view of a page. */
export const PageView = z.strictObject({
  page: LeadPage,
  device: Device,
  source: Name,
  campaign: Name,
  steps: setOf(VisitStep, VISIT_STEPS.length),
  faults: setOf(FormFault, FORM_FAULTS.length),
  vitals: z
    .strictObject({
      lcp: z.number().min(0).max(600_000).optional(),
      inp: z.number().min(0).max(600_000).optional(),
      cls: z.number().min(0).max(1000).optional(),
      ttfb: z.number().min(0).max(600_000).optional(),
    })
    .default({}),
  /** The heading that this page load has shown, if an experiment runs, and how far the visitor has come with it. */
  experiment: z
    .strictObject({
      id: z.string().regex(/^[0-9a-f]{12}$/),
      variant: Variant,
      steps: setOf(z.enum(['seen', 'submitted']), 2),
    })
    .optional(),
})
export type PageView = z.output<typeof PageView>

export const countPageView = defineCall({
  method: 'POST',
  path: PAGE_VIEWS_PATH,
  summary:
    'Add to the daily counts of a page with a lead form. Stores no person. Counts nothing with the header DNT or Sec-GPC, or while PAGE_VIEWS is off.',
  access: 'public',
  noStore: true,
  input: { body: PageView },
  output: z.object({ counted: z.boolean() }),
})

const count = z.number().int()

/** The number of page views that have come at least as far as each step. */
export const StepCounts = z.record(VisitStep, count)
export type StepCounts = z.infer<typeof StepCounts>

/** Page views of a group, with those among them whose form was refused at least once for that reason. */
const Group = z.object({ steps: StepCounts, faults: z.record(FormFault, count) })
export type PageViewGroup = z.infer<typeof Group>

/** The most campaigns that are counted apart on one day, and listed. Anybody can invent one in an address. */
export const MAX_CAMPAIGNS = 50

/** The source of page views whose campaign came after the first `MAX_CAMPAIGNS` of its day. */
export const OTHER_SOURCE = '(other)'

const CampaignGroup = Group.extend({ source: z.string().nullable(), campaign: z.string().nullable() })

/** The values of a vital. `page` and `device` are null where all are counted together. */
export const VitalSummary = z.object({
  vital: Vital,
  page: LeadPage.nullable(),
  device: Device.nullable(),
  count,
  /** Three quarters of the values are at most this: the upper end of a bucket. */
  p75: z.number(),
  /** Whether the 75th percentile is above all buckets, that is above `p75`. */
  isAbove: z.boolean(),
  rating: z.enum(['good', 'needs improvement', 'poor']),
  /** The number of values with each rating. */
  good: count,
  needsImprovement: count,
  poor: count,
})
export type VitalSummary = z.infer<typeof VitalSummary>

const share = z.number()

/** Two headings beside each other, over all days of the experiment. A share is from 0 to 1. */
export const Experiment = z.object({
  /** The heading beside the original. */
  heading: z.string(),
  isRunning: z.boolean(),
  from: z.iso.date(),
  to: z.iso.date(),
  variants: z.record(Variant, z.object({ seen: count, submitted: count, share: share.nullable() })),
  /** The share of the other heading minus that of the original, with its 95% interval; null without page loads of both. */
  difference: z.object({ share, from: share, to: share }).nullable(),
  /** The page loads that each heading needs, and the share from which that was worked out. */
  planned: z.object({ perVariant: count, baseline: share, isMeasured: z.boolean() }),
  /** Whether both headings have had as many page loads as planned. */
  isComplete: z.boolean(),
  /** Whether one heading was shown so much more often than the other that the result must not be trusted. */
  isSplitUneven: z.boolean(),
})
export type Experiment = z.infer<typeof Experiment>

export const PageViews = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  /** Whether page views are counted now. */
  isOn: z.boolean(),
  /** The first day with a count, also outside the period. */
  since: z.iso.date().nullable(),
  /** The leads of these days, whether or not the visit was counted. Without tests and deleted leads. */
  leads: count,
  all: Group,
  pages: z.array(Group.extend({ page: LeadPage })),
  devices: z.array(Group.extend({ device: Device })),
  /** Most views first, up to `MAX_CAMPAIGNS`; `totalCampaigns` counts all. */
  campaigns: z.array(CampaignGroup),
  totalCampaigns: count,
  vitals: z.array(VitalSummary),
  /** The experiment that runs, or else the last one. */
  experiment: Experiment.nullable(),
})
export type PageViews = z.infer<typeof PageViews>

export const getPageViews = defineCall({
  method: 'GET',
  path: PAGE_VIEWS_PATH,
  summary:
    'Get how far visitors came on the pages with a lead form in a period: views, starts, refused and sent forms by page, device and campaign; web vitals; and the experiment with two headings.',
  access: 'viewer',
  input: { query: OverviewQuery },
  output: PageViews,
})
