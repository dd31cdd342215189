import type { HeldReason } from '../contract/forms.ts'

/**
 * The most forms that are delivered within an hour: to one visitor's mailbox, from one network address, to one clinic, and
 * in all.
 */
export type MailCaps = { visitor: number; address: number; clinic: number; all: number }

/** The daily limit of a mailbox, as a multiple of the hourly limit. */
export const MAX_DAILY_FACTOR = 2

/**
 * Counts of the forms of the last hour and day that concern the same mailboxes, addresses and clinics as a batch. Held
 * ones do not count, but for those of people who asked not to be contacted: their sender must not learn of the hold.
 */
export type RecentForms = {
  /** By mailbox (`recipientOf`): leads and applications. */
  visitors: Map<string, { hour: number; day: number }>
  /** By network (`FormsByAddress`), in the last hour. */
  addresses: Map<string, number>
  /** By provider, in the last hour. */
  clinics: Map<number, number>
  /** Leads and applications. */
  all: number
}

type Form = {
  email: string
  /** The network that sent it; null for one that is not counted. */
  network: string | null
  providerId: number | null
  heldReason: HeldReason | null
  /** The key that repeats of a form share (`repeatKey`). */
  repeatKey: string
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
const GMAIL = /^([^@]*)@(?:gmail|googlemail)\.com$/

/**
 * Returns for each form the reason why it is held: an earlier one, or that it exceeds a limit. Those of a mailbox and of a
 * network come first, so that one sender cannot use up what a clinic or the site may get. Forms count in their order. Held
 * forms and repeats do not count, and a repeat is not held, because it sends no mail.
 *
 * @param repeated the keys of forms that were delivered before and are not delivered again
 */
export function holdBeyondCaps(
  forms: Form[],
  recent: RecentForms,
  caps: MailCaps,
  repeated: ReadonlySet<string> = new Set(),
): (HeldReason | null)[] {
  const [visitors, addresses, clinics] = [new Map(recent.visitors), new Map(recent.addresses), new Map(recent.clinics)]
  const delivered = new Set(repeated)
  let { all } = recent
  return forms.map(({ email, network, providerId, heldReason, repeatKey }) => {
    if (heldReason) return heldReason
    if (delivered.has(repeatKey)) return null
    const visitor = visitors.get(recipientOf(email)) ?? { hour: 0, day: 0 }
    const address = network === null ? 0 : (addresses.get(network) ?? 0)
    const clinic = providerId === null ? 0 : (clinics.get(providerId) ?? 0)
    if (visitor.hour >= caps.visitor || visitor.day >= MAX_DAILY_FACTOR * caps.visitor) return 'many_to_visitor'
    if (address >= caps.address) return 'many_from_address'
    if (clinic >= caps.clinic) return 'many_to_clinic'
    if (all >= caps.all) return 'many_in_all'

    visitors.set(recipientOf(email), { hour: visitor.hour + 1, day: visitor.day + 1 })
    if (network !== null) addresses.set(network, address + 1)
    if (providerId !== null) clinics.set(providerId, clinic + 1)
    all += 1
    delivered.add(repeatKey)
    return null
  })
}
