import { createHash } from 'node:crypto'
import type { NewApplication } from '../contract/applications.ts'
import { LEAD_FIELD_NAMES, type LeadField, type NewLead } from '../contract/leads.ts'
import { MINUTE } from '../time.ts'

type Held = { held?: boolean }

/** How long the same person's second form counts as a repeat of the first. */
export const REPEAT_WINDOW = 10 * MINUTE

/**
 * Returns the same key for forms that repeat each other: the same e-mail and name (whatever their case), phone (whatever
 * its punctuation), zip, consent and chosen provider. The first 128 bits of a SHA-256, as a UUID, which the database
 * indexes best.
 *
 * A form of the same person with another name, consent or clinic is none: else a stranger's form could swallow the
 * person's own. Held leads have keys of their own for the same reason.
 */
export function repeatKey(lead: NewLead, chosenProviderId: number | undefined, { held = false }: Held = {}): string {
  const { email, phone, zip_code, first_name, last_name } = lead
  const person = [email, phone.replace(/\D/g, '') || phone, zip_code, first_name, last_name]
  const asked = [...consentNamed(lead), String(chosenProviderId ?? '')]
  return asUuid(sha256([held ? 'held' : '', ...person.map((text) => text.toLowerCase()), ...asked]))
}

/** The same for an application: the same form, whatever its case, its spaces and the punctuation of its phone. */
export function practiceKey(application: NewApplication, { held = false }: Held = {}): string {
  const { email, practice_name, name, phone, zip_code, website = '', message = '' } = application
  const practice = [email, practice_name, name, phone.replace(/\D/g, '') || phone, zip_code, website, message]
  const texts = practice.map((text) => text.toLowerCase().replace(/\s+/g, ' '))
  return asUuid(sha256([held ? 'held' : '', ...texts, ...consentNamed(application)]))
}

/**
 * The idempotency key as it is stored. For the reason above a held lead's is set apart: with a space, which no key that
 * comes in a header has. A form whose first attempt was held may be sent again by a person, with the same key.
 */
export function storedKey(idempotencyKey: string | undefined, { held = false }: Held = {}) {
  return held && idempotencyKey !== undefined ? `held ${idempotencyKey}` : idempotencyKey
}

/** The fields that every form has. Others are hashed with their names, and only where they are filled in. */
const FIRST_FIELDS = ['first_name', 'last_name', 'email', 'phone', 'zip_code'] as const satisfies LeadField[]

/**
 * Returns a SHA-256, in hex, of what a form says: two requests with one idempotency key must agree in it. A form without
 * the newer fields has the same hash as before there were such fields.
 */
export function requestHash(lead: NewLead, chosenProviderId: number | undefined): string {
  const [acceptance_message, ...version] = consentNamed(lead)
  const newer = LEAD_FIELD_NAMES.filter((name) => !(FIRST_FIELDS as readonly string[]).includes(name))
  return sha256([
    ...FIRST_FIELDS.map((name) => lead[name]),
    ...[acceptance_message, String(chosenProviderId ?? ''), ...version],
    ...newer.flatMap((name) => (lead[name] ? [name, lead[name]] : [])),
  ])
}

/** The same of an application. */
export function applicationHash(application: NewApplication): string {
  const { name, practice_name, email, phone, zip_code, website = '', message = '' } = application
  return sha256([name, practice_name, email, phone, zip_code, website, message, ...consentNamed(application)])
}

/** How a form names its consent. Without a version the hashes are those of before there were versions. */
function consentNamed({
  acceptance_message,
  consent_version,
}: Pick<NewLead, 'acceptance_message' | 'consent_version'>) {
  return [acceptance_message, ...(consent_version ? [consent_version] : [])] as [string, ...string[]]
}

/** A SHA-256 in hex over values that no separator can confuse. */
function sha256(values: string[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex')
}

function asUuid(hex: string): string {
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
