import { brand } from '../../core/brand/brand.ts'
import { countOf, formatPhone } from '../../core/contract/texts.ts'
import { DAY, HOUR, MINUTE } from '../../core/contract/time.ts'
import type { Lead } from '../../core/leads/contract/leads.ts'
import { looksLikeName, spaced } from '../../core/leads/rules/holds.ts'
import type { StaffProvider } from '../../core/providers/contract/providers.ts'

/** Marks that change the text direction. In a name they could reverse the words beside it. */
const DIRECTION_MARKS = /[\u202a-\u202e\u2066-\u2069]/g
export const TO_A_CLINIC = `You received this email because your clinic is a provider in the ${brand.company} network.`

export const TO_THE_TEAM =
  'You received this email because this address is the team’s. Change what it gets in the dashboard: Settings › Alerts.'
export const TO_A_VISITOR = `You received this email because you sent a request to ${brand.company}.`

/** Removes direction marks from a line of untrusted input for a sentence, a subject or a header. */
export function plain(typed: string): string {
  return typed.replace(DIRECTION_MARKS, '')
}

export function nameOf({ first_name, last_name }: Pick<Lead, 'first_name' | 'last_name'>): string {
  return plain(`${first_name} ${last_name}`)
}

/** Returns the name by which a clinic is known: that of its practice, if it has one. */
export function clinicName({ practiceName, name }: Pick<StaffProvider, 'practiceName' | 'name'>): string {
  return plain(practiceName || name)
}

/** Thanks a person by name, or without it if the untrusted name could be a message. */
export function thanks(name: string): string {
  return looksLikeName(name) ? `Thank you, ${spaced(plain(name))}` : 'Thank you'
}

/** Returns the first name of a person for a question, or other words if the untrusted name could be a message. */
export function firstNameOf({ first_name }: Pick<Lead, 'first_name'>): string {
  return looksLikeName(first_name) ? spaced(plain(first_name)) : 'the person'
}

/** Returns the address for replies, without the name if that could be a message. */
export function replyTo(name: string, address: string): { name: string; address: string } {
  return { name: looksLikeName(name) ? spaced(plain(name)) : '', address }
}

/** Names the consultation. It may be called free only if the clinic's is. */
export function consultationOf(clinic: Pick<StaffProvider, 'accepts_free_consultation'>): string {
  return clinic.accepts_free_consultation ? 'free consultation' : 'consultation'
}

/** Formats a time in the unit that suits it: `40 minutes`, `3.5 hours`, `2.1 days`. `ms` is in milliseconds. */
export function duration(ms: number): string {
  const [size, unit] = ms < HOUR ? [MINUTE, 'minute'] : ms < 2 * DAY ? [HOUR, 'hour'] : [DAY, 'day']
  const rounded = unit === 'minute' ? Math.max(1, Math.round(ms / size)) : Math.round((ms / size) * 10) / 10
  return countOf(rounded, String(unit))
}

/** Returns a phone number as `Phone` shows it: formatted, or like any untrusted line. */
export function shownPhone(phone: string): string {
  return formatPhone(plain(phone))
}

/** Returns an email address as a `mailto:` address has it (RFC 6068). */
export function mailbox(address: string): string {
  return encodeURIComponent(address).replaceAll('%40', '@')
}

/** Returns the `mailto:` address (RFC 6068) of an email address. */
export function mailtoUrl(address: string, subject?: string): string {
  return `mailto:${mailbox(address)}${subject ? `?subject=${encodeURIComponent(subject)}` : ''}`
}

/** Returns the address of our mark as a picture for emails. It is the same in all of them, so that it does not identify a reader. */
export function markUrl(publicUrl: string): string {
  return `${publicUrl}/art/mark.png`
}

/** Returns the address of a provider's picture for emails (`api/routes/site.ts`). It is the same for all visitors. */
export function providerPictureUrl(publicUrl: string, providerId: number): string {
  return `${publicUrl}/pictures/clinic-${providerId}.png`
}
