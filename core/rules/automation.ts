import type { HeldReason, Signals } from '../contract/forms.ts'
import { SECOND } from '../time.ts'

/** Nobody types five fields and agrees to a wording in less. In milliseconds. */
const FASTEST_PERSON = 2 * SECOND

/**
 * Why a form looks automated, or null when it does not. A guess: what it sent is held for staff, never dropped.
 *
 * - `honeypot`: the field that nobody sees was filled in.
 * - `too_fast`: it was sent within two seconds of the page's opening, and the browser saw no trusted event. Either alone
 *   happens to people: a password manager fills a form in an instant, but a person's click on the button is trusted
 *   (`isTrusted`, https://dom.spec.whatwg.org/#dom-event-istrusted).
 *
 * Signals that are missing say nothing: API clients and browsers without JavaScript send none.
 */
export function heldReason({ topic = '', elapsed_ms = FASTEST_PERSON, touched = true }: Signals): HeldReason | null {
  if (topic.trim() !== '') return 'honeypot'
  if (elapsed_ms < FASTEST_PERSON && !touched) return 'too_fast'
  return null
}
