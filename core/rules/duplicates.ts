import { createHash } from 'node:crypto'
import type { NewApplication } from '../contract/applications.ts'
import type { NewLead } from '../contract/leads.ts'
import { MINUTE } from '../time.ts'

type Held = { held?: boolean }

/** How long the same person's second form counts as a repeat of the first. */
export const REPEAT_WINDOW = 10 * MINUTE

/**
 * Who sent the form: the same e-mail (whatever its case), phone (whatever its punctuation) and zip. The first 128 bits
 * of a SHA-256, as a UUID, which the database indexes best.
 *
 * Held leads have keys of their own, so that they repeat only each other: a program that sends a person's details must
 * not swallow the form that the person sends next.
 */
export function personKey(
  { email, phone, zip_code }: Pick<NewLead, 'email' | 'phone' | 'zip_code'>,
  { held = false }: Held = {},
): string {
  const person = [email.toLowerCase(), phone.replace(/\D/g, '') || phone, zip_code]
  return asUuid(sha256(held ? ['held', ...person] : person))
}

/** The same for an application: the same e-mail and practice, whatever their case and the spaces in its name. */
export function practiceKey(
  { email, practice_name }: Pick<NewApplication, 'email' | 'practice_name'>,
  { held = false }: Held = {},
): string {
  const practice = [email.toLowerCase(), practice_name.toLowerCase().replace(/\s+/g, ' ')]
  return asUuid(sha256(held ? ['held', ...practice] : practice))
}

/**
 * The idempotency key as it is stored. For the reason above a held lead's is set apart: with a space, which no key that
 * comes in a header has. A form whose first attempt was held may be sent again by a person, with the same key.
 */
export function storedKey(idempotencyKey: string | undefined, { held = false }: Held = {}) {
  return held && idempotencyKey !== undefined ? `held ${idempotencyKey}` : idempotencyKey
}

/** What the form said: two requests with one idempotency key must agree in it. A SHA-256 in hex. */
export function requestHash(lead: NewLead, chosenProviderId: number | undefined): string {
  const { first_name, last_name, email, phone, zip_code, acceptance_message } = lead
  return sha256([first_name, last_name, email, phone, zip_code, acceptance_message, String(chosenProviderId ?? '')])
}

/** The same of an application. */
export function applicationHash(application: NewApplication): string {
  const { name, practice_name, email, phone, zip_code, website = '', message = '', acceptance_message } = application
  return sha256([name, practice_name, email, phone, zip_code, website, message, acceptance_message])
}

/** A SHA-256 in hex over values that no separator can confuse. */
function sha256(values: string[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex')
}

function asUuid(hex: string): string {
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
