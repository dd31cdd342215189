import { createHash } from 'node:crypto'
import type { NewLead } from '../contract/leads.ts'
import { MINUTE } from '../time.ts'

/** How long the same person's second form counts as a repeat of the first. */
export const REPEAT_WINDOW = 10 * MINUTE

/**
 * Who sent the form: the same e-mail (whatever its case), phone (whatever its punctuation) and zip. The first 128 bits
 * of a SHA-256, as a UUID, which the database indexes best.
 */
export function personKey({ email, phone, zip_code }: Pick<NewLead, 'email' | 'phone' | 'zip_code'>): string {
  return sha256([email.toLowerCase(), phone.replace(/\D/g, '') || phone, zip_code])
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** What the form said: two requests with one idempotency key must agree in it. A SHA-256 in hex. */
export function requestHash(lead: NewLead, chosenProviderId: number | undefined): string {
  const { first_name, last_name, email, phone, zip_code, acceptance_message } = lead
  return sha256([first_name, last_name, email, phone, zip_code, acceptance_message, String(chosenProviderId ?? '')])
}

/** A SHA-256 in hex over values that no separator can confuse. */
function sha256(values: string[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex')
}
