import { z } from 'zod'
import { defineCall, RowParams } from '../../contract/call.ts'
import { HeldReason } from '../../contract/forms.ts'
import { DAY } from '../../contract/time.ts'
import { SendingPause } from './integrations.ts'

/** What every process and the browser know of a condition. */
export type ConditionFacts = {
  label: string
  /** How it is found, in a sentence. */
  about: string
  /** `high` conditions also reach the operator by Prometheus, if they last. */
  severity: 'high' | 'medium' | 'low'
  /** The one act of its lines in Needs attention. A condition without an act is no line there. */
  act?: 'confirm' | 'resend' | 'pass-on' | 'correct' | 'match' | 'activate' | 'release' | 'open'
  /** Whether channels of alerts are told of its start, or of its end as well. */
  alerts?: 'start' | 'start-and-end'
  /** Whether each newer event is an alert of its own, though the condition lasts. */
  alertsAgain?: true
  /** Whether other emails to the team’s own address say so already. */
  isMailedToTeam?: true
  /** Whether it stands above every tab. */
  isNotice?: true
}

/** Everything that can be wrong, the most urgent first, as its definition in `core/conditions` states it. */
// biome-ignore format: generated
export const CONDITIONS = {
  // conditions: npm run generate
  'stop': { label: 'Stop not confirmed', about: 'A provider has not confirmed in time that it stopped contacting a person.', severity: 'high', act: 'confirm', alerts: 'start', isNotice: true },
  'not-reached': { label: 'Provider not reached', about: 'An email to a provider about a request failed permanently, or has been retried for an hour.', severity: 'high', act: 'resend', alerts: 'start-and-end' },
  'crm': { label: 'CRM does not accept leads', about: 'A CRM call about a lead failed permanently, or has been retried for an hour.', severity: 'high', act: 'resend', alerts: 'start-and-end' },
  'sending': { label: 'Sending fails', about: 'The CRM or the mail server has refused everything for five minutes: three attempts in a row or more.', severity: 'high', alerts: 'start-and-end' },
  'credentials': { label: 'Credentials refused', about: 'The CRM or the mail server refuses our key or password.', severity: 'high', alerts: 'start-and-end' },
  'worker': { label: 'Worker silent', about: 'No worker ran for five minutes, or due deliveries of a kind have waited for five.', severity: 'high', alerts: 'start-and-end' },
  'outcomes': { label: 'Outcomes are missing', about: 'The CRM could not be asked for outcomes, or the mailbox for replies, for a quarter of an hour.', severity: 'high', alerts: 'start-and-end', isNotice: true },
  'read-limit': { label: 'Reading limit reached', about: 'Somebody of the staff opened more people’s details within an hour than the role allows, and was stopped.', severity: 'high', alerts: 'start' },
  'no-answer': { label: 'No answer in time', about: 'A provider has not answered a request in time.', severity: 'medium', act: 'pass-on', alerts: 'start', alertsAgain: true, isMailedToTeam: true },
  'wrong-number': { label: 'Wrong number', about: 'The phone number of a lead is wrong, and nobody has corrected it.', severity: 'medium', act: 'correct' },
  'unmatched': { label: 'Unmatched', about: 'A lead has no provider, and none is looked for automatically.', severity: 'medium', act: 'match', alerts: 'start', isMailedToTeam: true },
  'old-leads': { label: 'Old leads with a new provider', about: 'A sync brought a provider in reach of leads that are too old to be matched automatically.', severity: 'medium', act: 'open' },
  'paused': { label: 'Paused by the provider', about: 'A provider has paused itself on its own pages.', severity: 'medium', act: 'open', alerts: 'start', alertsAgain: true },
  'activation': { label: 'New providers', about: 'A provider that is new in WordPress gets no leads before it is activated.', severity: 'medium', act: 'activate' },
  'bouncing': { label: 'Provider bounces', about: 'Three emails in a row to a provider’s address did not arrive.', severity: 'medium', alerts: 'start-and-end' },
  'sync': { label: 'Provider sync', about: 'The newest sync with WordPress failed, two scheduled ones were missed, or one waits for approval.', severity: 'medium', act: 'open', alerts: 'start-and-end', isNotice: true },
  'no-leads': { label: 'No leads', about: 'No lead has come for a number of business hours.', severity: 'medium', alerts: 'start-and-end' },
  'held': { label: 'Held for review', about: 'A lead is held for review.', severity: 'low', act: 'release', alerts: 'start', isMailedToTeam: true },
  'hours': { label: 'Hours changed by the provider', about: 'A provider has changed its opening hours on its own pages.', severity: 'low', act: 'open', alerts: 'start', alertsAgain: true },
  'application': { label: 'Applications', about: 'A provider’s application is held, or has been new for more than 48 hours.', severity: 'low', act: 'open', alerts: 'start' },
  // end
} as const satisfies Record<string, ConditionFacts>
export type ConditionId = keyof typeof CONDITIONS
export const CONDITION_IDS = Object.keys(CONDITIONS) as [ConditionId, ...ConditionId[]]
export const ConditionId = z.enum(CONDITION_IDS)
export const conditionOf = (id: ConditionId): ConditionFacts => CONDITIONS[id]

/** The most lines of a kind in an answer. `counts` has the rest. */
export const MAX_LINES_PER_KIND = 50

const Page = {
  /** Names what it is about, and says what is wrong. */
  title: z.string(),
  words: z.string(),
  /** The query of the page about it. */
  search: z.string(),
  /** The label of a link there, where it is the act of the line. */
  open: z.string().optional(),
}

export const ConditionLine = z.object({
  kind: ConditionId,
  /** Names the trouble. It stays the same as long as the trouble lasts. The part after the kind says what it is about. */
  key: z
    .string()
    .max(120)
    .regex(new RegExp(`^(${CONDITION_IDS.join('|')})(:[a-z0-9_-]+)+$`), 'There is no such line'),
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
  ...Page,
  /** The clinic that a call helps with. */
  clinic: z
    .object({ id: z.number().int(), name: z.string(), phone: z.string().nullable(), email: z.string().nullable() })
    .optional(),
  leadId: z.number().int().optional(),
  applicationId: z.number().int().optional(),
  optOutId: z.number().int().optional(),
  heldReason: HeldReason.optional(),
  /** The name of the person of a lead where the title is another; null if the lead was deleted. */
  person: z.string().nullish(),
  do_not_contact: z.boolean().optional(),
  /** No provider is within reach of a lead; `no_provider_near` says whether the person was written to about it. */
  no_provider_near: z.enum(['unsaid', 'said']).optional(),
  owner: z.object({ id: z.number().int(), name: z.string() }).nullable().optional(),
  /** The leads of a group: their number, how many of them are older than `RECENT_DAYS` days, and the newest of them. */
  leads: z
    .object({ total: z.number().int(), older: z.number().int().default(0), ids: z.array(z.number().int()) })
    .optional(),
  /** It must be noted elsewhere by hand, because the CRM does not take it. */
  is_by_hand: z.boolean().optional(),
})
export type ConditionLine = z.infer<typeof ConditionLine>

/** The most urgent kind first, then the newest line. */
export const Attention = z.object({
  lines: z.array(ConditionLine),
  /** The numbers of lines that need attention, by kind. Kinds without any are left out. */
  counts: z.partialRecord(ConditionId, z.number().int()),
  total: z.number().int(),
  /** The number of lines that were set aside and have no news. */
  aside: z.number().int(),
  /** Since when nothing needs attention, to the minute; null while something does, or if that is not known yet. */
  quiet_since: z.iso.datetime().nullable(),
  /** What stands above every tab, whether it was set aside or not: the newest of its kind, and how many more there are. */
  notices: z.array(z.object({ kind: ConditionId, ...Page, more: z.number().int() })),
  pauses: z.array(SendingPause),
  /** Whether a part of the system fails that is no line here: Health shows which. */
  is_red: z.boolean(),
})
export type Attention = z.infer<typeof Attention>

/** The query of `listAttention`: `aside` for the lines that were set aside instead. */
const AttentionQuery = z.object({
  aside: z.union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' })]).default(false),
})

export const MAX_SNOOZE_DAYS = 31

/** The body of `setAside`: until a time, or until there is news. `undo` takes the lines back. */
export const SetAside = z.object({
  lines: z
    .array(
      z.object({
        key: ConditionLine.shape.key,
        /** As it was shown, so that news since then are not hidden. */
        version: ConditionLine.shape.version,
      }),
    )
    .min(1)
    .max(MAX_LINES_PER_KIND),
  until: z.iso
    .datetime({ offset: true })
    .refine((time) => Date.parse(time) > Date.now(), 'Choose a time in the future')
    .refine(
      (time) => Date.parse(time) < Date.now() + (MAX_SNOOZE_DAYS + 1) * DAY,
      `A line can be snoozed for ${MAX_SNOOZE_DAYS} days at most`,
    )
    .optional(),
  undo: z.literal(true).optional(),
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
  summary: 'Set lines aside until a time or until there is news, or take that back.',
  access: 'agent',
  input: { body: SetAside },
})

export const sayNoProvider = defineCall({
  method: 'POST',
  path: '/api/leads/:id/no-provider',
  summary: 'Write to the person of a lead that no provider is within reach yet. Each person is written to once.',
  access: 'agent',
  input: { params: RowParams },
})
