import { z } from 'zod'
import { text } from './forms.ts'

/** What became of a lead. `opened`: the clinic has opened its page for the request. All others are answers. */
export const OutcomeKind = z.enum([
  'opened',
  'reached',
  'no_answer',
  'booked',
  'attended',
  'no_show',
  'treated',
  'declined',
  'opted_out',
])
export type OutcomeKind = z.infer<typeof OutcomeKind>

/** An outcome that somebody states. */
export const AnswerKind = OutcomeKind.exclude(['opened'])
export type AnswerKind = z.infer<typeof AnswerKind>

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

export const MAX_NOTE_LENGTH = 500

/** A day such as 2026-11-23. */
const Day = z.iso.date('Write the day like 2026-11-23')

/** The body of calls that record an answer. */
export const NewAnswer = z
  .object({
    kind: AnswerKind,
    reason: OutcomeReason.optional(),
    /** The day of the appointment. */
    booked_for: Day.optional(),
    /** What the treatment is worth, in cents of a US dollar. */
    value_cents: z.number().int().min(0).max(100_000_000, 'A value must be $1,000,000 or less').optional(),
    note: text('A note', MAX_NOTE_LENGTH)
      .transform((typed) => typed.trim() || undefined)
      .optional(),
  })
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
export type NewAnswer = z.output<typeof NewAnswer>

/** Returns the reasons that an answer of this kind may have. */
export function reasonsOf(kind: OutcomeKind): readonly OutcomeReason[] {
  return kind in OUTCOME_REASONS ? OUTCOME_REASONS[kind as keyof typeof OUTCOME_REASONS] : []
}

/** One outcome of a lead, for staff. */
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
  at: z.iso.datetime(),
})
export type LeadOutcome = z.infer<typeof LeadOutcome>

/** The time that a clinic has for its answer. `due_at` is null until it is worked out. */
export const AnswerClock = z.object({
  started_at: z.iso.datetime(),
  due_at: z.iso.datetime().nullable(),
  answered_at: z.iso.datetime().nullable(),
})
export type AnswerClock = z.infer<typeof AnswerClock>
