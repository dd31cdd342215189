import type { HeldReason, Signals } from '../contract/forms.ts'
import { SECOND } from '../time.ts'

/** In milliseconds: faster than a person types five fields and agrees to a wording. */
const FASTEST_PERSON = 2 * SECOND

/** In characters. */
const MAX_NAME = 60
/** A phone number without its area code has seven. */
const MAX_DIGITS = 6
/** A link, an e-mail address, or a domain. */
const ADDRESS = /:\/\/|\bwww\.|@|[a-z0-9-]{3}\.[a-z]{2}/i

/** Returns whether a text may be the name of a person or a practice, which our e-mails then show in their headings. */
export function looksLikeName(text: string): boolean {
  return text.length <= MAX_NAME && !ADDRESS.test(text) && text.replace(/\D/g, '').length <= MAX_DIGITS
}

/** The reasons that a form itself gives. */
type SuspiciousForm = Extract<HeldReason, 'honeypot' | 'too_fast' | 'other_site' | 'unknown_wording' | 'odd_name'>

/** The circumstances of a form's request. */
type Circumstances = { isFromAnotherSite?: boolean; isWordingKnown?: boolean }

/**
 * Returns why a form is held, or null when it is delivered. A guess: what it sent is held for staff, never dropped.
 *
 * - `honeypot`: the field that nobody sees was filled in.
 * - `too_fast`: it was sent within two seconds of the page's opening, and the browser saw no trusted event. Either alone
 *   happens to people: a password manager fills a form in an instant, but a person's click on the button is trusted
 *   (`isTrusted`, https://dom.spec.whatwg.org/#dom-event-istrusted).
 * - `other_site`: the browser says that another site's page sent it.
 * - `unknown_wording`: it names no consent that we know.
 * - `odd_name`: a name carries a link or the like, which our e-mails would take to a stranger.
 *
 * Signals that are missing say nothing: API clients and browsers without JavaScript send none.
 */
export function heldReason(
  { topic = '', elapsed_ms = FASTEST_PERSON, touched = true }: Signals,
  names: string[] = [],
  { isFromAnotherSite = false, isWordingKnown = true }: Circumstances = {},
): SuspiciousForm | null {
  if (topic.trim() !== '') return 'honeypot'
  if (elapsed_ms < FASTEST_PERSON && !touched) return 'too_fast'
  if (isFromAnotherSite) return 'other_site'
  if (!isWordingKnown) return 'unknown_wording'
  if (!names.every(looksLikeName)) return 'odd_name'
  return null
}
