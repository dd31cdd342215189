import { z } from 'zod'
import { ActionAnswer, defineCall } from './call.ts'
import { HeldReason } from './forms.ts'
import { FailureCause } from './jobs.ts'
import { WeekHours } from './provider-rules.ts'

/** The kinds of lines, the most urgent first. */
export const ATTENTION_KINDS = [
  'stop',
  'not-reached',
  'no-answer',
  'wrong-number',
  'unmatched',
  'paused',
  'crm',
  'sync',
  'activation',
  'held',
  'hours',
  'application',
] as const
export const AttentionKind = z.enum(ATTENTION_KINDS)
export type AttentionKind = z.infer<typeof AttentionKind>

/** The heading of each kind, for staff. */
export const ATTENTION_WORDS: Record<AttentionKind, string> = {
  stop: 'Stop not confirmed',
  'not-reached': 'Clinic not reached',
  'no-answer': 'No answer in time',
  'wrong-number': 'Wrong number',
  unmatched: 'Unmatched',
  paused: 'Paused by the clinic',
  crm: 'CRM does not accept leads',
  sync: 'Provider sync',
  activation: 'New clinics',
  held: 'Held for review',
  hours: 'Hours changed by the clinic',
  application: 'Applications',
}

/** The most lines of a kind in an answer. `counts` has the rest. */
export const MAX_LINES_PER_KIND = 50
/** For so many days a clinic's own change of its hours is a line. */
export const HOURS_SHOWN_DAYS = 7
/** The most leads of a line that are named, the newest first. */
export const MAX_LEADS_PER_LINE = 200

/** The part of a key after the kind says what the line is about. */
const Key = z
  .string()
  .max(120)
  .regex(new RegExp(`^(${ATTENTION_KINDS.join('|')})(:[a-z0-9_-]+)+$`), 'There is no such line')

const Common = {
  /** Names the trouble. It stays the same as long as the trouble lasts. */
  key: Key,
  /** The time of the newest event, in milliseconds since 1970. A line that was set aside returns with a higher version. */
  version: z.number().int().min(0),
  since: z.iso.datetime(),
  /** Set on lines that were set aside; `until` is null for those that are done. */
  mark: z
    .object({
      until: z.iso.datetime().nullable(),
      /** As in the audit log. */
      by: z.string(),
      by_name: z.string().nullable(),
    })
    .nullable(),
}

const Clinic = z.object({
  id: z.number().int(),
  name: z.string(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
})

/** Failing deliveries. `leads` counts the leads, `leadIds` has up to `MAX_LEADS_PER_LINE` of them. */
const Failing = {
  leads: z.number().int(),
  leadIds: z.array(z.number().int()),
  /** Of the latest failure. `detail` holds the words of the other side. */
  cause: FailureCause.nullable().catch(null),
  error: z.string().nullable(),
  detail: z.string().nullable(),
  /** Whether all of them are retried automatically; so for more than an hour. */
  isRetrying: z.boolean(),
}

export const AttentionLine = z.discriminatedUnion('kind', [
  /** A clinic has not confirmed in time that it stopped contacting a person. `since` is the deadline. */
  z.object({
    kind: z.literal('stop'),
    ...Common,
    optOutId: z.number().int(),
    leadId: z.number().int(),
    /** Null if the lead was deleted. */
    name: z.string().nullable(),
    clinic: Clinic,
  }),
  /** A clinic does not get our e-mails about leads. */
  z.object({ kind: z.literal('not-reached'), ...Common, clinic: Clinic, ...Failing }),
  /**
   * A clinic is late with its answers. `since` is the deadline of the first. `older` of the leads came more than `RECENT_DAYS`
   * days ago.
   */
  z.object({
    kind: z.literal('no-answer'),
    ...Common,
    clinic: Clinic,
    leads: z.number().int(),
    older: z.number().int().default(0),
    leadIds: z.array(z.number().int()),
  }),
  /** A clinic or staff said that the phone number of a lead is wrong, and nobody has corrected it. */
  z.object({
    kind: z.literal('wrong-number'),
    ...Common,
    leadId: z.number().int(),
    name: z.string(),
    clinic: z.string().nullable(),
    /** Whether the visitor was asked by email for the right number, or is being asked. */
    asked: z.boolean(),
    /** The person asked not to be contacted. */
    do_not_contact: z.boolean(),
  }),
  /** No clinic has a lead, and none is looked for automatically. */
  z.object({
    kind: z.literal('unmatched'),
    ...Common,
    leadId: z.number().int(),
    name: z.string(),
    zip: z.string(),
    city: z.string().nullable(),
    state: z.string().nullable(),
    /** The nearest active clinic, at any distance. */
    nearest: z.object({ id: z.number().int(), name: z.string(), miles: z.number() }).nullable(),
    /** The person asked not to be contacted, so no clinic is needed. */
    do_not_contact: z.boolean(),
  }),
  /** The CRM does not take leads, by its answer. `isStop`: it does not know that a person must not be contacted. */
  z.object({ kind: z.literal('crm'), ...Common, ...Failing, isStop: z.boolean().default(false) }),
  /** A clinic has paused itself. `until` is null for a pause without an end. `leads` came to it in the last 30 days. */
  z.object({
    kind: z.literal('paused'),
    ...Common,
    clinic: Clinic,
    until: z.iso.datetime().nullable(),
    because: z.string().nullable(),
    leads: z.number().int(),
  }),
  /** `old-leads`: leads that a sync found too old to be matched automatically. */
  z.object({
    kind: z.literal('sync'),
    ...Common,
    trouble: z.enum(['overdue', 'failed', 'approval', 'old-leads']),
    /** Null for an overdue sync. */
    runId: z.number().int().nullable(),
    leads: z.number().int(),
    error: z.string().nullable(),
  }),
  /** A clinic that a sync has created, and that gets no leads before it is activated. */
  z.object({ kind: z.literal('activation'), ...Common, clinic: Clinic, zip: z.string() }),
  z.object({
    kind: z.literal('held'),
    ...Common,
    leadId: z.number().int(),
    name: z.string(),
    zip: z.string(),
    reason: HeldReason,
  }),
  /** A clinic has changed its opening hours itself within `HOURS_SHOWN_DAYS` days. Null are the usual hours. */
  z.object({ kind: z.literal('hours'), ...Common, clinic: Clinic, hours: WeekHours.nullable() }),
  /** An application that is held, or new for longer than promised. */
  z.object({
    kind: z.literal('application'),
    ...Common,
    applicationId: z.number().int(),
    practice: z.string(),
    name: z.string(),
    zip: z.string(),
    heldReason: HeldReason.nullable(),
  }),
])
export type AttentionLine = z.infer<typeof AttentionLine>
export type AttentionOf<Kind extends AttentionKind> = Extract<AttentionLine, { kind: Kind }>

/** The most urgent kind first, then the newest line. */
export const Attention = z.object({
  lines: z.array(AttentionLine),
  /** The numbers of lines that need attention, by kind. Kinds without any are left out. */
  counts: z.partialRecord(AttentionKind, z.number().int()),
  total: z.number().int(),
  /** The number of lines that were set aside and have no news. */
  aside: z.number().int(),
  /** Since when nothing needs attention, to the minute; null while something does, or if that is not known yet. */
  quiet_since: z.iso.datetime().nullable(),
})
export type Attention = z.infer<typeof Attention>

/** The query of `listAttention`: `aside` for the lines that were set aside instead. */
export const AttentionQuery = z.object({
  aside: z.union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' })]).default(false),
})

export const MAX_SNOOZE_DAYS = 31

/** The body of `setAside`: until a time, or until there is news. */
export const SetAside = z.object({
  key: Key,
  /** As it was shown, so that news since then are not hidden. */
  version: Common.version,
  until: z.iso
    .datetime({ offset: true })
    .refine((time) => Date.parse(time) > Date.now(), 'Choose a time in the future')
    .refine(
      (time) => Date.parse(time) < Date.now() + (MAX_SNOOZE_DAYS + 1) * 24 * 60 * 60 * 1000,
      `A line can be snoozed for ${MAX_SNOOZE_DAYS} days at most`,
    )
    .optional(),
})
export type SetAside = z.output<typeof SetAside>

export const listAttention = defineCall({
  method: 'GET',
  path: '/api/attention',
  summary: 'List what needs the attention of staff, the most urgent first.',
  access: 'viewer',
  input: { query: AttentionQuery },
  output: Attention,
})

export const setAside = defineCall({
  method: 'POST',
  path: '/api/attention/mark',
  summary: 'Set a line aside until a time or until there is news or, without its version, take that back.',
  access: 'agent',
  input: { body: SetAside.partial({ version: true }) },
  output: ActionAnswer,
})
