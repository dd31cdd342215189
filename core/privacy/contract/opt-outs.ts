import { z } from 'zod'
import { ActionAnswer, defineCall, RowParams } from '../../contract/call.ts'
import { Email, line } from '../../contract/forms.ts'
import { asciiDigits } from '../../contract/texts.ts'

/** The way of an opt-out: the link in an email, a word to staff, a STOP that staff entered, or a word to the clinic. */
export const OptOutReason = z.enum(['link', 'staff', 'stop', 'clinic'])
export type OptOutReason = z.infer<typeof OptOutReason>

/** An email address or a phone number that must not be contacted. Only a hash of it is stored. */
export const Suppression = z.object({
  id: z.number().int(),
  kind: z.enum(['email', 'phone']),
  reason: OptOutReason,
  /** The lead of the opt-out, which may be deleted by now. */
  lead_id: z.number().int().nullable(),
  /** As in the audit log. */
  actor: z.string(),
  actor_name: z.string().nullable(),
  created_at: z.iso.datetime(),
  lifted_at: z.iso.datetime().nullable(),
  lifted_because: z.string().nullable(),
})
export type Suppression = z.infer<typeof Suppression>

/** A request to a clinic to stop contacting the person of a lead, and to confirm that by `due_at`. */
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

/** The opt-out of a lead's person. `since` is null while the person may be contacted. */
export const LeadOptOut = z.object({ since: Suppression.nullable(), clinics: z.array(ClinicOptOut) })
export type LeadOptOut = z.infer<typeof LeadOptOut>

export const RECENT_SUPPRESSIONS = 20

const OptOuts = z.object({ recent: z.array(Suppression) })

const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((typed) => (typed === '' ? undefined : typed), schema.optional())

/** The body of `stopByHand`: the contact of the person. */
export const StopByHand = z
  .object({
    lead_id: RowParams.shape.id.optional(),
    email: optional(Email),
    phone: optional(
      line('Phone number', 40).refine(
        (typed) => asciiDigits(typed).replace(/\D/g, '').length >= 7,
        'Enter a whole phone number',
      ),
    ),
  })
  .refine(({ lead_id, email, phone }) => (lead_id ?? email ?? phone) !== undefined, {
    path: ['email'],
    message: 'Enter an email address or a phone number',
  })
export type StopByHand = z.output<typeof StopByHand>

/** `leads` is the number of leads of the person. */
const OptOutAnswer = ActionAnswer.extend({ leads: z.number().int() })

/** The body of `liftOptOut`: the person of a lead, or one suppression. */
const LiftOptOut = z
  .object({
    lead_id: RowParams.shape.id.optional(),
    suppression_id: RowParams.shape.id.optional(),
    because: line('A reason', 300),
  })
  .refine(({ lead_id, suppression_id }) => (lead_id === undefined) !== (suppression_id === undefined), {
    message: 'Name a lead or a suppression',
  })

export const listOptOuts = defineCall({
  method: 'GET',
  path: '/api/opt-outs',
  summary: 'List the newest suppressions.',
  access: 'viewer',
  output: OptOuts,
})

export const stopContact = defineCall({
  method: 'POST',
  path: '/api/opt-outs',
  summary:
    'Stop contact with the person of a lead, or with an email address or phone number. Clinics and the CRM are notified.',
  access: 'agent',
  input: { body: StopByHand },
  output: OptOutAnswer,
})

export const liftOptOut = defineCall({
  method: 'POST',
  path: '/api/opt-outs/lift',
  summary: 'Allow contact again with the person of a lead, or at one suppressed address or number.',
  access: 'manager',
  input: { body: LiftOptOut },
})

export const confirmOptOut = defineCall({
  method: 'POST',
  path: '/api/opt-outs/:id/confirm',
  summary: 'Record that a clinic has confirmed to have stopped contact.',
  access: 'agent',
  input: { params: RowParams },
})
