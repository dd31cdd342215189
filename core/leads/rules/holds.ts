import type { HeldReason, Signals } from '../../contract/forms.ts'
import { SECOND } from '../../contract/time.ts'

/** In milliseconds: faster than a person types five fields and agrees to a wording. */
const FASTEST_PERSON = 2 * SECOND

/** In characters. */
const MAX_NAME = 60
/** A phone number without its area code has seven. */
const MAX_DIGITS = 6
/** What names are made of: letters and digits of any language, spaces, emoji, and the punctuation of names and practices. */
const OF_NAMES =
  /^[\p{L}\p{M}\p{N}\p{Zs}\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}'‘’`"“”(),&#+!/·・‐–—.-]*$/u
/** A dot before a digit, or before two letters, as in a host name: no top-level domain has a single letter. */
const DOT_OF_HOST = /\.\p{M}*(?:\p{N}|\p{L}\p{M}*[\p{L}\p{N}])/u
/**
 * An abbreviation before a name, without a space: `St.John`, `Chas.Edward`, `Ma.Theresa`. A host name may look like that, too.
 * `spaced` makes sure that no mail program takes it for one.
 */
const ABBREVIATED =
  /(?<![\p{L}\p{N}.])(St|Ste|Sta|Chas|Wm|Geo|Jas|Jos|Thos|Robt|Edw|Benj|Saml|Danl|Ma|Fco|Dr|Mr|Mrs|Ms|Prof|Rev|Fr|Sr|Jr)\.(?!(?:Com|Net|Org|Info|Biz|App|Dev|Shop|Store|Site|Online|Xyz|Club|Live|Link|Click|Page|Top|Win)\b)(?=\p{Lu}\p{Ll}{2,}(?![\p{L}\p{N}./]))/gu

/** Puts a space after an abbreviation that has none, so that it is not shown as a link: `St. John`. */
export function spaced(name: string): string {
  return name.replace(ABBREVIATED, '$1. ')
}

/**
 * Returns whether a text may be the name of a person or a practice, which our emails then show in their headings. Judges it
 * as mail programs and browsers may read it: in compatibility form (NFKC) and without invisible characters. An abbreviation
 * counts as one only as it is typed, because only then `spaced` finds it.
 */
export function looksLikeName(text: string): boolean {
  const name = spaced(text)
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
  const digits = name.match(/\p{N}/gu) ?? []
  return text.length <= MAX_NAME && digits.length <= MAX_DIGITS && OF_NAMES.test(name) && !DOT_OF_HOST.test(name)
}

/** The reasons that a form itself gives. */
type SuspiciousForm = Extract<HeldReason, 'honeypot' | 'too_fast' | 'other_site' | 'odd_name'>

type Circumstances = { isFromAnotherSite?: boolean }

/**
 * Returns why a form is held, or null when it is delivered. A guess: what it sent is held for staff, never dropped.
 *
 * - `honeypot`: the field that nobody sees was filled in.
 * - `too_fast`: it was sent within two seconds of the page's opening, and the browser saw no trusted event. Either alone
 *   happens to people: a password manager fills a form in an instant, but a person's click on the button is trusted
 *   (`isTrusted`, https://dom.spec.whatwg.org/#dom-event-istrusted).
 * - `other_site`: the browser says that the page of another site sent it, which is not in `FORM_ORIGINS`.
 * - `odd_name`: a name carries a link or the like, which our emails would take to a stranger.
 *
 * Signals that are missing say nothing: API clients and browsers without JavaScript send none.
 */
export function heldReason(
  { topic = '', elapsed_ms = FASTEST_PERSON, touched = true }: Signals,
  names: string[] = [],
  { isFromAnotherSite = false }: Circumstances = {},
): SuspiciousForm | null {
  if (topic.trim() !== '') return 'honeypot'
  if (elapsed_ms < FASTEST_PERSON && !touched) return 'too_fast'
  if (isFromAnotherSite) return 'other_site'
  // Our emails show them beside each other, so that a phone number may be in both.
  const digits = names.join().match(/\p{N}/gu) ?? []
  if (!names.every(looksLikeName) || digits.length > MAX_DIGITS) return 'odd_name'
  return null
}

/**
 * The most forms that are delivered within an hour: to one visitor's mailbox, from one network address, to one clinic, and
 * in all.
 */
export type MailCaps = { visitor: number; address: number; clinic: number; all: number }

export type CapsEnv = Record<
  'VISITOR_LEADS_PER_HOUR' | 'ADDRESS_LEADS_PER_HOUR' | 'CLINIC_LEADS_PER_HOUR' | 'LEADS_PER_HOUR',
  number
>

export function mailCaps(env: CapsEnv): MailCaps {
  return {
    visitor: env.VISITOR_LEADS_PER_HOUR,
    address: env.ADDRESS_LEADS_PER_HOUR,
    clinic: env.CLINIC_LEADS_PER_HOUR,
    all: env.LEADS_PER_HOUR,
  }
}

/** The daily limit of a mailbox, as a multiple of the hourly limit. */
const MAX_DAILY_FACTOR = 2

/**
 * Counts of the earlier forms that concern the same mailbox, network and clinic as a form, within an hour (and a day). Held
 * ones do not count, but for those of people who asked not to be contacted: their sender must not learn of the hold.
 */
export type RecentForms = {
  /** To its mailbox (`recipientOf`): leads and applications. */
  visitor: { hour: number; day: number }
  /** From its network. */
  address: number
  /** To its clinic. */
  clinic: number
  /** Leads and applications. */
  all: number
}

/**
 * Returns the mailbox of an address: ignores case, a tag after a plus sign (RFC 5233), the dots of Gmail, and its second
 * domain. The function `recipient_of` of the database is the same.
 */
export function recipientOf(email: string): string {
  const address = email.toLowerCase().replace(/\+[^@]*@/, '@')
  return address.replace(GMAIL, (_, local: string) => `${local.replaceAll('.', '')}@gmail.com`)
}

/** Source: https://support.google.com/mail/answer/7436150 */
const GMAIL = /([^@]*)@(?:gmail|googlemail)\.com$/

/**
 * Returns the limit that one more form would exceed, or null. Those of a mailbox and of a network come first, so that one
 * sender cannot use up what a clinic or the site may get.
 */
export function exceededCap({ visitor, address, clinic, all }: RecentForms, caps: MailCaps): HeldReason | null {
  if (visitor.hour >= caps.visitor || visitor.day >= MAX_DAILY_FACTOR * caps.visitor) return 'many_to_visitor'
  if (address >= caps.address) return 'many_from_address'
  if (clinic >= caps.clinic) return 'many_to_clinic'
  return all >= caps.all ? 'many_in_all' : null
}
