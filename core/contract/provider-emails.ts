import { z } from 'zod'
import { ActionAnswer, defineCall } from './call.ts'

/**
 * An address that WordPress says, while mail goes to the one before: until the clinic confirms it by a link in an e-mail
 * to the old address, or a manager does. `is_declined`: a manager keeps the old address.
 */
export const NewEmail = z.object({
  email: z.string(),
  since: z.iso.datetime(),
  /** The run of the provider sync that found it. */
  sync_id: z.number().int().nullable(),
  is_declined: z.boolean(),
  /** Whether the e-mail that asks for the confirmation has reached the old address. */
  asked: z.enum(['pending', 'sent', 'failed']),
  /** What went wrong with it. */
  error: z.string().nullable(),
})
export type NewEmail = z.infer<typeof NewEmail>

/** The body of `POST /api/providers/{providerId}/new-email`. `email` is the address that was seen, so that no other is confirmed. */
export const NewEmailDecision = z.object({
  email: z.string().min(1).max(254),
  decision: z.enum(['confirm', 'keep'], { error: 'Choose confirm or keep' }),
})
export type NewEmailDecision = z.output<typeof NewEmailDecision>

/** The body of the calls that a link in an e-mail leads to. */
export const EmailToken = z.object({
  token: z.string().regex(/^[\w-]{43}$/, 'This link is not complete. Open it again from the e-mail.'),
})

/** What a link confirms: the name of the clinic, and its new address. */
export const NewEmailSummary = z.object({ name: z.string(), email: z.string() })
export type NewEmailSummary = z.infer<typeof NewEmailSummary>

export const findNewEmail = defineCall({
  method: 'POST',
  path: '/api/email-confirmations/look-up',
  summary: 'What a link in an e-mail to a clinic would confirm.',
  access: 'public',
  input: { body: EmailToken },
  output: NewEmailSummary,
})

export const confirmNewEmail = defineCall({
  method: 'POST',
  path: '/api/email-confirmations',
  summary: 'Confirm the new address of a clinic with the token of a link. It works once.',
  access: 'public',
  input: { body: EmailToken },
  output: ActionAnswer,
})
