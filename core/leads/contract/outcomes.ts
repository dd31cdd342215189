import { z } from 'zod'
import { defineCall, RowId, RowParams } from '../../contract/call.ts'
import { line, text } from '../../contract/forms.ts'
import type { CalledPlace } from '../../contract/hours.ts'

/** What became of a lead. `opened`: the clinic has opened its page for the request. All others are answers. */
export const OutcomeKind = z.enum([
  'opened',
  'reached',
  'no_answer',
  'wrong_number',
  'booked',
  'attended',
  'no_show',
  'treated',
  'declined',
  'opted_out',
])
export type OutcomeKind = z.infer<typeof OutcomeKind>

export const OUTCOME_WORDS: Record<OutcomeKind, string> = {
  opened: 'Opened',
  reached: 'Reached',
  no_answer: 'No answer',
  wrong_number: 'Wrong number',
  booked: 'Booked',
  attended: 'Attended',
  no_show: 'Did not come',
  treated: 'Treated',
  declined: 'Declined',
  opted_out: 'Opted out',
}

export const AnswerKind = OutcomeKind.exclude(['opened'])
export type AnswerKind = z.infer<typeof AnswerKind>

const SETTLED: readonly (OutcomeKind | null)[] = ['booked', 'attended', 'no_show', 'treated', 'opted_out']

/** Returns whether a lead with this outcome stays with its clinic. */
export function isSettled(outcome: OutcomeKind | null): boolean {
  return SETTLED.includes(outcome)
}

/** Returns whether a lead with this outcome waits for its clinic's answer. */
export function waitsForAnswer(outcome: OutcomeKind | null): boolean {
  return outcome === null || outcome === 'opened'
}

/** The one who states an outcome. */
export const OutcomeSource = z.enum(['clinic', 'staff', 'visitor', 'crm'])
export type OutcomeSource = z.infer<typeof OutcomeSource>

/** The reasons that belong to a kind. Others have none. */
export const OUTCOME_REASONS = {
  declined: ['no_capacity', 'too_far', 'not_a_fit', 'price', 'wants_other_clinic', 'no_longer_wanted', 'other'],
  opted_out: ['asked_to_stop', 'wrong_person'],
} as const satisfies Partial<Record<OutcomeKind, readonly string[]>>

export const OutcomeReason = z.enum([...OUTCOME_REASONS.declined, ...OUTCOME_REASONS.opted_out])
export type OutcomeReason = z.infer<typeof OutcomeReason>

export const REASON_WORDS: Record<OutcomeReason, string> = {
  no_capacity: 'The clinic has no room',
  too_far: 'Too far away',
  not_a_fit: 'Not a fit for the treatment',
  price: 'The price',
  wants_other_clinic: 'Wants another clinic',
  no_longer_wanted: 'No longer wanted',
  other: 'Another reason',
  asked_to_stop: 'Asked for no contact',
  wrong_person: 'Wrong person',
}

export const MAX_NOTE_LENGTH = 500

/** A day such as 2026-11-23. */
const Day = z.iso.date('Write the day like 2026-11-23')

const ANSWER = {
  kind: AnswerKind,
  reason: OutcomeReason.optional(),
  booked_for: Day.optional(),
  /** What the treatment is worth, in cents of a US dollar. */
  value_cents: z.number().int().min(0).max(100_000_000, 'A value must be $1,000,000 or less').optional(),
  note: text('A note', MAX_NOTE_LENGTH)
    .transform((typed) => typed.trim() || undefined)
    .optional(),
}

type Stated = { kind: AnswerKind; reason?: OutcomeReason; booked_for?: string }

/** Adds the rules between the fields of an answer. */
const answer = <Schema extends z.ZodType<Stated>>(schema: Schema) =>
  schema
    .refine(({ kind, reason }) => kind !== 'declined' || reason !== undefined, {
      path: ['reason'],
      message: 'Choose a reason',
    })
    .refine(({ kind, reason }) => reason === undefined || reasonsOf(kind).includes(reason), {
      path: ['reason'],
      message: 'This reason belongs to another answer',
    })
    .refine(({ kind, booked_for }) => kind === 'booked' || booked_for === undefined, {
      path: ['booked_for'],
      message: 'Only a booking has a day',
    })

export const NewAnswer = answer(z.object(ANSWER))
export type NewAnswer = z.output<typeof NewAnswer>

/** The body of calls by which staff record an answer. An opt-out is more than an answer, and has a call of its own. */
export const StaffAnswer = NewAnswer.refine(({ kind }) => kind !== 'opted_out', {
  path: ['kind'],
  message: 'Use “Do not contact” for a person who asks for no contact',
})
export type StaffAnswer = z.output<typeof StaffAnswer>

/** Returns the reasons that an answer of this kind may have. */
export function reasonsOf(kind: OutcomeKind): readonly OutcomeReason[] {
  return kind in OUTCOME_REASONS ? OUTCOME_REASONS[kind as keyof typeof OUTCOME_REASONS] : []
}

export const LeadOutcome = z.object({
  id: z.number().int(),
  kind: OutcomeKind,
  reason: OutcomeReason.nullable().catch('other'),
  value_cents: z.number().int().nullable(),
  booked_for: Day.nullable(),
  note: z.string().nullable(),
  source: OutcomeSource,
  /** As in the audit log. */
  actor: z.string(),
  actor_name: z.string().nullable(),
  /** The clinic that had the lead then, by name. */
  clinic: z.string().nullable(),
  /** The time at which it was recorded, and the time that it states, which is earlier where the CRM told it later. */
  at: z.iso.datetime(),
  happened_at: z.iso.datetime(),
})
export type LeadOutcome = z.infer<typeof LeadOutcome>

/** The time that a clinic has for its answer. `due_at` is null until it is worked out. */
export const AnswerClock = z.object({
  started_at: z.iso.datetime(),
  due_at: z.iso.datetime().nullable(),
  answered_at: z.iso.datetime().nullable(),
})
export type AnswerClock = z.infer<typeof AnswerClock>

export const recordOutcome = defineCall({
  method: 'POST',
  path: '/api/leads/:id/outcomes',
  summary: 'Record an outcome of a lead.',
  access: 'agent',
  input: { params: RowParams, body: StaffAnswer },
})

/** The lead of a message: by our id, or by the id that the CRM gave it. */
const LeadOfMessage = z.union([
  z.strictObject({ id: RowId }),
  z.strictObject({ crm_id: line('The id of the CRM', 200) }),
])

/** A message of the CRM: an outcome, and when it happened; without `at`, at the time of the message. */
export const CrmMessage = z.strictObject({
  type: z.literal('lead.outcome'),
  timestamp: z.iso.datetime({ offset: true }),
  data: z.strictObject({
    lead: LeadOfMessage,
    outcome: answer(
      z.strictObject({ ...ANSWER, at: z.iso.datetime({ offset: true }).optional() }).omit({ note: true }),
    ),
  }),
})
export type CrmMessage = z.output<typeof CrmMessage>

export const receiveCrmMessage = defineCall({
  method: 'POST',
  path: '/api/hooks/crm',
  summary: 'Receive an outcome from the CRM, signed by Standard Webhooks 1.0.0.',
  access: 'public',
  isWebhook: true,
  noStore: true,
  input: { body: CrmMessage },
})

/**
 * The answers of a clinic on its page for a request, in words. `wrong_number` asks the person for the right one.
 * `wrong_person`: the number is somebody else's, and is no longer called. `stop`: the person wants no contact.
 */
export const REQUEST_ANSWERS = {
  reached: 'I reached them',
  booked: 'Booked',
  no_answer: 'No answer yet',
  wrong_number: 'Wrong number',
  declined: 'Cannot help',
  attended: 'They came',
  no_show: 'They did not come',
  treated: 'They were treated',
  wrong_person: 'Wrong person',
  stop: 'They do not want to be contacted',
} as const
export type RequestAnswer = keyof typeof REQUEST_ANSWERS

/** A field of a form, where an empty text counts as absent. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((typed) => (typed === '' ? undefined : typed), schema.optional())

const note = optional(text('A note', MAX_NOTE_LENGTH).trim())

/**
 * The form with an answer. Fields that belong to another answer are dropped, because a browser without JavaScript sends
 * them all. `wrong_person` and `stop` count only with `confirmed`.
 */
export const AnswerForm = z.discriminatedUnion(
  'answer',
  [
    z.object({ answer: z.enum(['reached', 'no_answer', 'wrong_number', 'attended', 'no_show', 'treated']), note }),
    z.object({ answer: z.literal('booked'), booked_for: optional(z.iso.date('Choose a day')), note }),
    z.object({ answer: z.literal('declined'), reason: z.enum(OUTCOME_REASONS.declined, 'Choose a reason'), note }),
    z.object({
      answer: z.enum(['wrong_person', 'stop']),
      confirmed: z.literal('yes').optional().catch(undefined),
      note,
    }),
  ],
  { error: 'Choose an answer' },
)
export type AnswerForm = z.output<typeof AnswerForm>

/** What the clinic has typed into the form, as it was sent. */
export type TypedAnswer = Partial<Record<'answer' | 'reason' | 'booked_for' | 'note', string>>

/**
 * The reason for which a link shows no request. `replaced`: a newer email to the same clinic has
 * the link that counts; `other_address`: the clinic no longer uses the address that got the link; `left`: the clinic is no
 * longer active; `number_stopped`: only the phone number is on the list of what must not be contacted.
 */
export type RequestEnd =
  | 'invalid'
  | 'expired'
  | 'deleted'
  | 'opted_out'
  | 'number_stopped'
  | 'passed_on'
  | 'taken_back'
  | 'replaced'
  | 'other_address'
  | 'left'
  | 'held'

/** An answer about a request, with the source of the answer. */
export type GivenAnswer = {
  kind: OutcomeKind
  reason: OutcomeReason | null
  booked_for: string | null
  /** Null for the notes of others. */
  note: string | null
  source: OutcomeSource
  at: string
}

/** A request as its clinic sees it. Times are ISO 8601. */
export type RequestView = {
  leadId: number
  clinic: string
  name: string
  phone: string
  /** The number in a `tel:` address; null if it cannot be dialed. */
  dial: string | null
  email: string
  zipCode: string
  /** City and state, if the zip is known. */
  place: string | null
  /** Where the person is called; null if the zip is not known. */
  calledAt: CalledPlace | null
  /** Between the clinic and the zip, in miles. */
  miles: number | null
  wishes: { label: string; value: string }[]
  /** `wording` is empty if the client stated none. `isOurs`: it is a text of ours, not one that the client states. */
  consent: { wording: string; isOurs: boolean; givenAt: string } | null
  createdAt: string
  /** The moment by which the clinic should answer, as long as it has not; null also before it is worked out. */
  dueAt: string | null
  /** The current answer, of whichever source. */
  current: GivenAnswer | null
  /** All answers of this clinic, the newest first. */
  history: GivenAnswer[]
}

/** The page behind a clinic's link to a request. */
export type RequestPage =
  | { state: 'ended'; because: RequestEnd; leadId?: number }
  /** `now` is the time of the server, from which ages count. */
  | {
      state: 'open'
      request: RequestView
      now: string
      typed: TypedAnswer
      errors: Record<string, string>
      /** The other requests that wait for the clinic, once this one has an answer, and where the next is. */
      waiting: { count: number; url: string } | null
    }
  /** Asks once more before contact with the person, or by the number only, is stopped. */
  | { state: 'stop'; answer: 'wrong_person' | 'stop'; leadId: number; name: string; note: string }
