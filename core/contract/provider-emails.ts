import { z } from 'zod'
import { ActionAnswer, defineCall } from './call.ts'

/**
 * A new address from WordPress that is not in use yet. The clinic confirms it by a link in an e-mail to the old address,
 * or a manager does. `is_declined`: a manager keeps the old address.
 */
export const NewEmail = z.object({
  email: z.string(),
  since: z.iso.datetime(),
  /** The run of the provider sync that found it. */
  sync_id: z.number().int().nullable(),
  is_declined: z.boolean(),
  /** The state of the e-mail that asks for the confirmation. */
  asked: z.enum(['pending', 'sent', 'failed']),
  /** The error of that e-mail. */
  error: z.string().nullable(),
})
export type NewEmail = z.infer<typeof NewEmail>

/** The body of `decideNewEmail`. `email` is the address that was shown, so that no other is confirmed. */
export const NewEmailDecision = z.object({
  email: z.string().min(1).max(254),
  decision: z.enum(['confirm', 'keep'], { error: 'Choose confirm or keep' }),
})
export type NewEmailDecision = z.output<typeof NewEmailDecision>

/** The body of the calls made for a link in an e-mail. */
export const EmailToken = z.object({
  token: z.string().regex(/^[\w-]{43}$/, 'This link is not complete. Open it again from the e-mail.'),
})

/**
 * The clinic, and the address that a link is about: a new one of WordPress, that of a new clinic (`activate`), or one that the
 * clinic asked for (`requests`, `late`). `undo`, `undo_late`: `email` is used again instead of `other`; null means no second
 * address.
 */
export const NewEmailSummary = z.object({
  name: z.string(),
  email: z.string().nullable(),
  does: z.enum(['wordpress', 'activate', 'requests', 'late', 'undo', 'undo_late']),
  other: z.string().optional(),
  asked_by: z.string().optional(),
})
export type NewEmailSummary = z.infer<typeof NewEmailSummary>

export const findNewEmail = defineCall({
  method: 'POST',
  path: '/api/email-confirmations/look-up',
  summary: 'Get what a link in an e-mail to a clinic confirms or undoes.',
  access: 'public',
  input: { body: EmailToken },
  output: NewEmailSummary,
})

export const confirmNewEmail = defineCall({
  method: 'POST',
  path: '/api/email-confirmations',
  summary: 'Confirm the new address of a clinic, or undo the change, with the token of a link. A token works once.',
  access: 'public',
  input: { body: EmailToken },
  output: ActionAnswer,
})
