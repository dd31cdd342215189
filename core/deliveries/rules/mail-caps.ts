import type { HeldReason } from '../../contract/forms.ts'

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
export const MAX_DAILY_FACTOR = 2

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
