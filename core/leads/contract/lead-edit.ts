import { z } from 'zod'
import { ActionAnswer, defineCall, RowParams } from '../../contract/call.ts'
import { CONSENT } from '../../contract/consent.ts'
import { LEAD_FIELDS } from '../../contract/lead-form.ts'

/** The body of `editLead`. Missing fields stay unchanged. */
export const LeadEdit = z.strictObject(LEAD_FIELDS).partial()
export type LeadEdit = z.output<typeof LeadEdit>

const AGREED = 'Read the wording aloud, and check the box once the person has agreed'

/** The body of `enterLead`: what a person said on the phone. */
export const LeadByPhone = z.object({
  ...LEAD_FIELDS,
  /** The version of the wording that was read aloud. */
  consent_version: z.literal(
    CONSENT.phone.version,
    'The wording has changed. Reload the page, and read it aloud again.',
  ),
  /** Whether the wording was read aloud and the person agreed. */
  agreed: z.boolean({ error: AGREED }).refine((agreed) => agreed, AGREED),
})
export type LeadByPhone = z.output<typeof LeadByPhone>

/** The stored lead, and whether it is held. */
export const EnteredLead = z.object({ id: z.number().int(), held: z.boolean() })
export type EnteredLead = z.infer<typeof EnteredLead>

export const editLead = defineCall({
  method: 'PATCH',
  path: '/api/leads/:id',
  summary: 'Correct the name, the e-mail, the phone number or the zip code of a lead.',
  access: 'agent',
  input: { params: RowParams, body: LeadEdit },
  output: ActionAnswer,
})

export const redoLead = defineCall({
  method: 'POST',
  path: '/api/leads/:id/again',
  summary:
    'After a correction: send the e-mails to the visitor and to the clinic, or else to the team, again, or look for a clinic again for a lead that has none.',
  access: 'agent',
  input: { params: RowParams, body: z.object({ what: z.enum(['send', 'match']) }) },
  output: ActionAnswer,
})

export const enterLead = defineCall({
  method: 'POST',
  path: '/api/phone-leads',
  summary: 'Enter a lead that phoned, with the consent that was read aloud.',
  access: 'agent',
  input: { body: LeadByPhone },
  output: EnteredLead,
  status: 201,
})
