import { brand } from '../../core/brand/brand.ts'
import type { Lead } from '../../core/contract/leads.ts'
import type { StaffProvider } from '../../core/contract/providers.ts'
import { looksLikeName } from '../../core/rules/automation.ts'

/** Marks that turn the direction of what follows: in a name they could turn round the words beside it. */
const DIRECTION_MARKS = /[\u202a-\u202e\u2066-\u2069]/g
/** Why a clinic gets an e-mail. */
export const TO_A_CLINIC = `You received this e-mail because your clinic is a provider in the ${brand.company} network.`

/** A line that a stranger typed, as it may stand in a sentence, a subject or a header. */
export function plain(typed: string): string {
  return typed.replace(DIRECTION_MARKS, '')
}

export function nameOf({ first_name, last_name }: Pick<Lead, 'first_name' | 'last_name'>): string {
  return plain(`${first_name} ${last_name}`)
}

/** Thanks a person by name, unless the name could be a message to them: a stranger may have typed it. */
export function thanks(name: string): string {
  return looksLikeName(name) ? `Thank you, ${plain(name)}` : 'Thank you'
}

/** Where replies go: to the address alone if the name could be a message. */
export function replyTo(name: string, address: string): { name: string; address: string } {
  return { name: looksLikeName(name) ? plain(name) : '', address }
}

/** What the clinic offers: it may not say that it is free where the clinic does not. */
export function consultationOf({
  accepts_free_consultation,
}: Pick<StaffProvider, 'accepts_free_consultation'>): string {
  return accepts_free_consultation ? 'free consultation' : 'consultation'
}

/** A distance in miles, as exact as zip codes are. */
export function distance(miles: number): string {
  if (miles < 1) return 'less than a mile'
  const whole = Math.round(miles)
  return `about ${whole.toLocaleString('en-US')} ${whole === 1 ? 'mile' : 'miles'}`
}

/**
 * The `tel:` address (RFC 3966) of a phone number as people write it, without its extension; a US number gets its
 * country code. Null if it is none that a telephone could dial.
 */
export function telUrl(phone: string): string | null {
  const number = phone.split(/\s*(?:ext|x|#)/i, 1)[0] ?? ''
  const digits = number.replace(/\D/g, '')
  if (/^\s*\+/.test(number)) return /^\d{7,15}$/.test(digits) ? `tel:+${digits}` : null
  return /^1?\d{10}$/.test(digits) ? `tel:+1${digits.slice(-10)}` : null
}

/** The `mailto:` address (RFC 6068) of an e-mail address. */
export function mailtoUrl(address: string, subject?: string): string {
  const to = encodeURIComponent(address).replaceAll('%40', '@')
  return `mailto:${to}${subject ? `?subject=${encodeURIComponent(subject)}` : ''}`
}
