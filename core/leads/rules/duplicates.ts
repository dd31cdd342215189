import { hash } from 'node:crypto'
import { findPhoneNumbersInText } from 'libphonenumber-js/min'
import type { NewApplication } from '../../applications/contract/applications.ts'
import { type HeldReason, LEAD_FIELD_NAMES, type NewLead } from '../../contract/forms.ts'
import { asciiDigits, phoneNumbers } from '../../contract/texts.ts'
import { MINUTE } from '../../contract/time.ts'

/** `wish`: held only because the person asked not to be contacted. */
type Held = { held?: boolean | 'wish' }

/** Forms repeat only those of the same kind: delivered, held for what they are, or held for the wish of the person. */
const kindOf = (held: Held['held']) => (held === 'wish' ? 'wish' : held ? 'held' : '')

/** Returns the kind of hold of a form by its reason. */
export function holdOf(reason: HeldReason | null | undefined): NonNullable<Held['held']> {
  return reason === 'do_not_contact' ? 'wish' : Boolean(reason)
}

/** The time within which the same person's second form is a repeat of the first. */
export const REPEAT_WINDOW = 10 * MINUTE

/**
 * Returns a key that is the same for repeats: forms with the same email, name, phone, zip, consent and chosen provider.
 * Ignores case, and the punctuation of the phone. The key is the first 128 bits of a SHA-256 as a UUID, the type that the
 * database indexes best.
 *
 * A form with another name, consent or clinic is not a repeat, because a stranger's form could then replace the person's
 * own. Held leads have keys of their own for the same reason. Those that are held for a wish have others again: they get the
 * receipts of delivered ones.
 */
export function repeatKey(lead: NewLead, chosenProviderId: number | undefined, { held = false }: Held = {}): string {
  const { email, phone, zip_code, first_name, last_name } = lead
  const person = [email, phone.replace(/\D/g, '') || phone, zip_code, first_name, last_name]
  const asked = [...consentNamed(lead), String(chosenProviderId ?? '')]
  return asUuid(sha256([kindOf(held), ...person.map((text) => text.toLowerCase()), ...asked]))
}

/** Returns the key of an application. Ignores case, white space, and the punctuation of the phone. */
export function practiceKey(application: NewApplication, { held = false }: Held = {}): string {
  const { email, practice_name, name, phone, zip_code, website = '', message = '' } = application
  const practice = [email, practice_name, name, phone.replace(/\D/g, '') || phone, zip_code, website, message]
  const texts = practice.map((text) => text.toLowerCase().replace(/\s+/g, ' '))
  return asUuid(sha256([kindOf(held), ...texts, ...consentNamed(application)]))
}

/**
 * Returns the idempotency key for storage. The key of a held lead has a prefix with a space, which a key from a header
 * cannot have. A person may thus send a form again with the same key after it was held. A lead held for a wish has the key of a
 * delivered one: otherwise the refusal of a second form with the same key would tell who is on the list.
 */
export function storedKey(idempotencyKey: string | undefined, { held = false }: Held = {}) {
  return held === true && idempotencyKey !== undefined ? `${kindOf(held)} ${idempotencyKey}` : idempotencyKey
}

/** Returns a SHA-256, in hex, of what a form says: two requests with one idempotency key must agree in it. */
export function requestHash(lead: NewLead, chosenProviderId: number | undefined): string {
  const [acceptance_message, ...version] = consentNamed(lead)
  const fields = LEAD_FIELD_NAMES.map((name) => lead[name])
  return sha256([...fields, acceptance_message, String(chosenProviderId ?? ''), ...version])
}

export function applicationHash(application: NewApplication): string {
  const { name, practice_name, email, phone, zip_code, website = '', message = '' } = application
  return sha256([name, practice_name, email, phone, zip_code, website, message, ...consentNamed(application)])
}

/**
 * Returns the wording and the version of a consent. A form without a version has the same hash as before there were
 * versions.
 */
function consentNamed({
  acceptance_message,
  consent_version,
}: Pick<NewLead, 'acceptance_message' | 'consent_version'>) {
  return [acceptance_message, ...(consent_version ? [consent_version] : [])] as [string, ...string[]]
}

function sha256(values: string[]): string {
  return hash('sha256', JSON.stringify(values), 'hex')
}

function asUuid(hex: string): string {
  return hex.slice(0, 32).replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** The days within which a person's next request goes to the same clinic. */
export const AGAIN_DAYS = 30

/** An earlier request with the same email or phone. Held requests are none, because a stranger may have sent them. */
export type EarlierRequest = {
  id: number
  /** The clinic that got the request within `AGAIN_DAYS`. */
  providerId: number | null
  /** Whether the clinic could not help. A person who no longer wanted it has not been turned down. */
  isDeclined: boolean
  /** Otherwise only the phone is the same. */
  isSameEmail: boolean
}

/** What earlier requests mean for a new one. */
export type Repeat = {
  /** The earlier request that the new one repeats, for staff: one with the same phone alone counts as well. */
  repeatOf: number | null
  /** The clinic that is to get the new request as well, with its earlier request. */
  again: { providerId: number; leadId: number } | null
  /** The clinics that declined an earlier request. They get the new one only if the person chooses them. */
  except: number[]
}

/**
 * Decides what the earlier requests of a person, the newest first, mean for a new one. Only those with the same email
 * address decide where it goes: the owner of that mailbox gets the confirmation. Anybody can type the phone and the name of
 * another person, and would learn from the confirmation which clinic that person asked.
 */
export function decideRepeat(earlier: EarlierRequest[]): Repeat {
  const given = earlier.filter(({ providerId, isSameEmail }) => providerId !== null && isSameEmail)
  const declined = given.filter(({ isDeclined }) => isDeclined)
  const except = [...new Set(declined.flatMap(({ providerId }) => providerId ?? []))]
  const last = given.find(({ providerId }) => !except.includes(providerId as number))
  if (!last) return { repeatOf: earlier[0]?.id ?? null, again: null, except }
  return { repeatOf: last.id, again: { providerId: last.providerId as number, leadId: last.id }, except }
}

/** No field and no search is longer. libphonenumber-js takes more than linear time. */
const MAX_FIELD = 250

/**
 * Returns the digits of each phone number in a field, by which numbers are searched, compared and hashed: without the
 * country code of the USA, and without extensions. The digits of the whole field are among them if they are something
 * else, because versions before 2026-11-27 compared and hashed these. The database's function `phone_digits` does the
 * same, but for numbers that only libphonenumber-js finds, which come last.
 */
export function phoneDigits(phone: string): string[] {
  const whole = asciiDigits(phone)
    .replace(/\D/g, '')
    .replace(/^1(?=\d{10}$)/, '')
  const numbers = phoneNumbers(phone)
  // Almost every field is one US number and nothing else.
  const isPlain = numbers[0] === `+1${whole}`
  const others = isPlain ? [] : findPhoneNumbersInText(asciiDigits(phone).slice(0, MAX_FIELD), 'US')
  const found = [...numbers, whole, ...others.map(({ number }) => number.number)].map(withoutCountry)
  return [...new Set(found)].filter(Boolean)
}

/** Returns the digits of the first phone number in a field, or else all its digits. */
export function nationalDigits(phone: string): string {
  return phoneDigits(phone)[0] ?? ''
}

const withoutCountry = (number: string) => number.replace(/[+]1?/, '')
