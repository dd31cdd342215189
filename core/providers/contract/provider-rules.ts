import { z } from 'zod'
import { defineCall, RowId, RowParams } from '../../contract/call.ts'
import { line, UNUSABLE } from '../../contract/forms.ts'
import { formatCount } from '../../contract/texts.ts'
import { DAY } from '../../contract/time.ts'

const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'Write the time like 09:00')

/** Opening and closing time, local. Also as people type them: `["9am", "5 pm"]`, `"9-5"`. */
const Span = z.preprocess(
  readSpan,
  z.tuple([TimeOfDay, TimeOfDay]).refine(([from, to]) => from < to, 'The closing time must be the later one'),
)

function readSpan(typed: unknown): unknown {
  const times: unknown[] = typeof typed === 'string' ? typed.split(/-|–|to/) : Array.isArray(typed) ? typed : []
  if (times.length !== 2) return typed
  const [from, until] = times.map(readTime)
  // A bare hour that is not after the opening is one of the afternoon: 9 to 5.
  const isAfternoon = /^\s*([1-9]|1[01])\s*$/.test(String(times[1])) && String(until) <= String(from)
  return [from, isAfternoon ? readTime(`${times[1]}pm`) : until]
}

/** Returns a time of day as `09:00`: `9`, `9am`, `9:00`, `900`. Returns anything else as it is. */
function readTime(typed: unknown): unknown {
  const [, hour, minute = '00', half] =
    /^\s*(\d{1,2})(?::?(\d{2}))?\s*(?:([ap])\.?m\.?)?\s*$/i.exec(typeof typed === 'string' ? typed : '') ?? []
  if (hour === undefined) return typed
  const hours = half ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hour)
  return `${String(hours).padStart(2, '0')}:${minute}`
}

/** Opening hours by ISO weekday (1 is Monday). A day that is missing is closed. */
export const WeekHours = z.partialRecord(z.enum(['1', '2', '3', '4', '5', '6', '7']), z.array(Span).max(4))
export type WeekHours = z.infer<typeof WeekHours>

/** The hours of a provider that has stated none: Monday to Friday, nine to five. */
export const USUAL_HOURS: WeekHours = Object.fromEntries(
  ['1', '2', '3', '4', '5'].map((day) => [day, [['09:00', '17:00']]]),
)

/** Days, ISO weeks (from Monday) and months of the network's time zone. */
export const CapPeriod = z.enum(['day', 'week', 'month'])
export type CapPeriod = z.infer<typeof CapPeriod>

/** Why a provider cannot take a lead now. `until` is null for a pause without an end. Distances are in miles. */
export const Obstacle = z.discriminatedUnion('reason', [
  z.object({ reason: z.literal('paused'), until: z.iso.datetime().nullable() }),
  z.object({ reason: z.literal('full'), period: CapPeriod, used: z.number().int(), cap: z.number().int() }),
  z.object({ reason: z.literal('too_far'), radiusMiles: z.number() }),
  z.object({ reason: z.literal('excluded') }),
])
export type Obstacle = z.infer<typeof Obstacle>

/**
 * A provider that came before the one that got the lead, and could not take it. `isChosen`: the visitor's choice. `isAgain`: it
 * has an earlier request of the person.
 */
export const SkippedClinic = z.object({
  id: z.number().int(),
  name: z.string(),
  miles: z.number().nullable(),
  isChosen: z.boolean(),
  isAgain: z.literal(true).optional(),
  obstacle: Obstacle,
})
export type SkippedClinic = z.infer<typeof SkippedClinic>

/** The most zips in a list of a provider. */
export const MAX_RULE_ZIPS = 2000

const Cap = z
  .number({ error: 'Write a whole number, or leave it empty' })
  .int('Write a whole number, or leave it empty')
  .min(1, 'A limit must be 1 or more. To get no leads, pause the clinic')
  .max(100_000, 'A limit must be 100,000 or less')
  .nullable()

const Zips = z
  .array(z.string().regex(/^\d{5}$/, 'Write zip codes of five digits'))
  .max(MAX_RULE_ZIPS, `A list has ${formatCount(MAX_RULE_ZIPS)} zip codes at most`)
  .transform((zips) => [...new Set(zips)].toSorted())

/** Our own rules for a provider. A sync never changes them. Empty lists and nulls mean no rule. */
export const ProviderRules = z.object({
  is_paused: z.boolean(),
  /** Null while paused: until staff end the pause. */
  paused_until: z.iso.datetime({ offset: true, error: 'Write a time like 2026-12-01T00:00:00-05:00' }).nullable(),
  paused_because: z
    .string()
    .trim()
    .max(200, 'A reason must be 200 characters or fewer')
    .refine((text) => !UNUSABLE.test(text), 'A reason contains characters that cannot be used')
    .nullable(),
  daily_cap: Cap,
  weekly_cap: Cap,
  monthly_cap: Cap,
  /** Null: Monday to Friday, nine to five. */
  hours: WeekHours.nullable(),
  /** Null: the network's. */
  time_zone: z.string().max(64).refine(isTimeZone, 'This is not a time zone like America/Chicago').nullable(),
  /** The business hours for a first answer; null: the network's. */
  answer_hours: z
    .number({ error: 'Write a whole number of hours, or leave it empty' })
    .int('Write a whole number of hours, or leave it empty')
    .min(1, 'Write 1 hour or more')
    .max(200, 'Write 200 hours or fewer')
    .nullable(),
  /** The largest distance of a match, in miles, where it is less than the network's. */
  radius_miles: z
    .number({ error: 'Write a number of miles, or leave it empty' })
    .positive('The radius must be more than 0 miles')
    .max(12_500, 'The radius must be 12,500 miles or less')
    .nullable(),
  /** Taken at any distance. */
  extra_zips: Zips,
  /** Never taken, unless staff decide otherwise. */
  excluded_zips: Zips,
  /** Asked before other providers while this one is paused or full. */
  backup_provider_id: RowId.nullable(),
  /** 1: before nearer providers. -1: only when no other provider takes the lead. */
  priority: z.union([z.literal(-1), z.literal(0), z.literal(1)], { error: 'Choose a priority' }),
})
export type ProviderRules = z.output<typeof ProviderRules>

export const NO_RULES: ProviderRules = {
  ...(Object.fromEntries(ProviderRules.keyof().options.map((name) => [name, null])) as unknown as ProviderRules),
  ...{ is_paused: false, extra_zips: [], excluded_zips: [], priority: 0 },
}

/** The body of `changeProviderRules`. Fields that are left out stay as they are. */
export const RulesChange = ProviderRules.partial()
export type RulesChange = z.output<typeof RulesChange>

/** The rules of a provider, and how many leads it got in the current periods. */
export const ProviderRulesAnswer = z.object({
  rules: ProviderRules,
  used: z.object({ day: z.number().int(), week: z.number().int(), month: z.number().int() }),
  updated_at: z.iso.datetime().nullable(),
  updated_by: z.string().nullable(),
})
export type ProviderRulesAnswer = z.infer<typeof ProviderRulesAnswer>

export const getProviderRules = defineCall({
  method: 'GET',
  path: '/api/providers/:id/rules',
  summary: 'Get the rules of a provider: pause, limits, hours, zip codes, backup.',
  access: 'viewer',
  input: { params: RowParams },
  output: ProviderRulesAnswer,
})

export const changeProviderRules = defineCall({
  method: 'PATCH',
  path: '/api/providers/:id/rules',
  summary: 'Change the rules of a provider. Fields that are left out stay as they are.',
  access: 'manager',
  input: { params: RowParams, body: RulesChange },
  output: ProviderRulesAnswer,
})

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** The longest pause, in days. Providers that never have to answer would be a mistake. */
const MAX_PAUSE_DAYS = 60

/** A time in which no provider has to answer, such as a holiday. */
export const NetworkPause = z.object({
  id: z.number().int(),
  starts_at: z.iso.datetime(),
  ends_at: z.iso.datetime(),
  reason: z.string(),
  /** As in the audit log. */
  created_by: z.string(),
})
export type NetworkPause = z.infer<typeof NetworkPause>

const Moment = z.iso.datetime({ offset: true, error: 'Choose a day and a time' })

export const NewNetworkPause = z
  .object({ starts_at: Moment, ends_at: Moment, reason: line('A reason', 100) })
  .refine(({ starts_at, ends_at }) => Date.parse(ends_at) > Date.parse(starts_at), {
    path: ['ends_at'],
    message: 'The end must be after the start',
  })
  .refine(({ starts_at, ends_at }) => Date.parse(ends_at) - Date.parse(starts_at) <= MAX_PAUSE_DAYS * DAY, {
    path: ['ends_at'],
    message: `A pause must be ${MAX_PAUSE_DAYS} days or shorter`,
  })
export type NewNetworkPause = z.output<typeof NewNetworkPause>

export const listNetworkPauses = defineCall({
  method: 'GET',
  path: '/api/network-pauses',
  summary: 'List the present and future pauses of the network, and the federal holidays of the next year without one.',
  access: 'viewer',
  output: z.object({
    pauses: z.array(NetworkPause),
    holidays: z.array(NetworkPause.pick({ starts_at: true, ends_at: true, reason: true })),
  }),
})

export const addNetworkPause = defineCall({
  method: 'POST',
  path: '/api/network-pauses',
  summary: 'Pause the clocks of all clinics from one time to another.',
  access: 'manager',
  input: { body: NewNetworkPause },
  output: NetworkPause,
})

export const endNetworkPause = defineCall({
  method: 'DELETE',
  path: '/api/network-pauses/:id',
  summary: 'End a pause now, or cancel one that has not begun.',
  access: 'manager',
  input: { params: RowParams },
})
