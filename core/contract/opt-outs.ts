import { z } from 'zod'
import { ActionAnswer, defineCall, RowParams } from './call.ts'
import { Email, line } from './forms.ts'

/** How a person said it: by the link in an e-mail, to staff, or with a STOP that staff entered. */
export const OptOutReason = z.enum(['link', 'staff', 'stop'])
export type OptOutReason = z.infer<typeof OptOutReason>

/**
 * An e-mail address or a phone number that must not be contacted. Which one it is cannot be read from what is stored.
 */
export const Suppression = z.object({
  id: z.number().int(),
  kind: z.enum(['email', 'phone']),
  reason: OptOutReason,
  /** The lead with which it was said. It may be deleted by now. */
  lead_id: z.number().int().nullable(),
  /** As in the audit log. */
  actor: z.string(),
  actor_name: z.string().nullable(),
  created_at: z.iso.datetime(),
  lifted_at: z.iso.datetime().nullable(),
  lifted_because: z.string().nullable(),
})
export type Suppression = z.infer<typeof Suppression>

/** A clinic that was asked to stop contacting the person of a lead, and by when it has to confirm that it did. */
export const ClinicOptOut = z.object({
  id: z.number().int(),
  lead_id: z.number().int(),
  clinic: z.string(),
  asked_at: z.iso.datetime(),
  due_at: z.iso.datetime(),
  confirmed_at: z.iso.datetime().nullable(),
  /** As in the audit log. */
  confirmed_by: z.string().nullable(),
  confirmed_by_name: z.string().nullable(),
})
export type ClinicOptOut = z.infer<typeof ClinicOptOut>

/** What is known of the wish of a lead's person. `since` is null while that person may be contacted. */
export const LeadOptOut = z.object({ since: Suppression.nullable(), clinics: z.array(ClinicOptOut) })
export type LeadOptOut = z.infer<typeof LeadOptOut>

/** How many suppressions a list has. */
export const RECENT_SUPPRESSIONS = 20

/** The clinics that have not confirmed in time, the longest overdue first, and the newest suppressions. */
export const OptOuts = z.object({ overdue: z.array(ClinicOptOut), recent: z.array(Suppression) })
export type OptOuts = z.infer<typeof OptOuts>

const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((typed) => (typed === '' ? undefined : typed), schema.optional())

/** The body of `POST /api/opt-outs`: how the person who said STOP is reached. */
export const StopByHand = z
  .object({
    email: optional(Email),
    phone: optional(
      line('Phone number', 40).refine((typed) => typed.replace(/\D/g, '').length >= 7, 'Enter a whole phone number'),
    ),
  })
  .refine(({ email, phone }) => email !== undefined || phone !== undefined, {
    path: ['email'],
    message: 'Enter an e-mail address or a phone number',
  })
export type StopByHand = z.output<typeof StopByHand>

/** How many leads of the person were found. */
export const OptOutAnswer = ActionAnswer.extend({ leads: z.number().int() })
export type OptOutAnswer = z.infer<typeof OptOutAnswer>

/** The body of the calls that allow contact again: why. */
export const LiftOptOut = z.object({ because: line('A reason', 300) })

export const listOptOuts = defineCall({
  method: 'GET',
  path: '/api/opt-outs',
  summary: 'The clinics that have not confirmed in time that they stopped, and the newest suppressions.',
  access: 'viewer',
  output: OptOuts,
})

export const stopByHand = defineCall({
  method: 'POST',
  path: '/api/opt-outs',
  summary: 'Stop contacting a person who said STOP, with or without a lead.',
  access: 'agent',
  input: { body: StopByHand },
  output: OptOutAnswer,
})

export const getLeadOptOut = defineCall({
  method: 'GET',
  path: '/api/leads/:id/opt-out',
  summary: 'Whether the person of a lead may be contacted, and which clinics were told to stop.',
  access: 'viewer',
  input: { params: RowParams },
  output: LeadOptOut,
})

export const stopContact = defineCall({
  method: 'POST',
  path: '/api/leads/:id/opt-out',
  summary: 'Stop contacting the person of a lead. The clinic and the CRM are told.',
  access: 'agent',
  input: { params: RowParams },
  output: ActionAnswer,
})

export const liftLeadOptOut = defineCall({
  method: 'POST',
  path: '/api/leads/:id/lift-opt-out',
  summary: 'Allow contact with the person of a lead again.',
  access: 'manager',
  input: { params: RowParams, body: LiftOptOut },
  output: ActionAnswer,
})

export const confirmOptOut = defineCall({
  method: 'POST',
  path: '/api/opt-outs/:id/confirm',
  summary: 'Note that a clinic has said that it stopped contacting the person of a lead.',
  access: 'agent',
  input: { params: RowParams },
  output: ActionAnswer,
})

export const liftSuppression = defineCall({
  method: 'POST',
  path: '/api/suppressions/:id/lift',
  summary: 'Allow contact at one suppressed address or number again.',
  access: 'manager',
  input: { params: RowParams, body: LiftOptOut },
  output: ActionAnswer,
})
