import { z } from 'zod'
import { text } from '../../contract/forms.ts'
import type { CalledPlace } from '../../contract/hours.ts'
import {
  MAX_NOTE_LENGTH,
  OUTCOME_REASONS,
  type OutcomeKind,
  type OutcomeReason,
  type OutcomeSource,
} from './outcomes.ts'

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
    z.object({ answer: z.literal('reached'), note }),
    z.object({ answer: z.literal('booked'), booked_for: optional(z.iso.date('Choose a day')), note }),
    z.object({ answer: z.literal('no_answer'), note }),
    z.object({ answer: z.literal('wrong_number'), note }),
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
 * the link that counts; `other_address`: the clinic does not use the address any more that got the link; `left`: the clinic is no
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
export type ClinicRequest = {
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
  /** The further fields of the form. */
  wishes: { label: string; value: string }[]
  /** `wording` is empty if the client stated none. `isOurs`: it is a text of ours, not one that the client states. */
  consent: { wording: string; isOurs: boolean; givenAt: string } | null
  createdAt: string
  /** The current answer, of whichever source. */
  current: GivenAnswer | null
  /** All answers of this clinic, the newest first. */
  history: GivenAnswer[]
}

/** The page behind a clinic's link to a request. */
export type RequestPage =
  | { state: 'ended'; because: RequestEnd; leadId?: number }
  /** `now` is the time of the server, from which ages count. */
  | { state: 'open'; request: ClinicRequest; now: string; typed: TypedAnswer; errors: Record<string, string> }
  /** Asks once more before contact with the person, or by the number only, is stopped. */
  | { state: 'stop'; answer: 'wrong_person' | 'stop'; leadId: number; name: string; note: string }
