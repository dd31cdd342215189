import type { Lead } from '../../contract/leads.ts'
import { AppError } from '../../errors.ts'
import type { Db } from '../../platform/db.ts'
import { MIN_PHONE_DIGITS } from '../../rules/person-hash.ts'
import { nationalDigits } from '../../rules/phone-numbers.ts'
import { hasExpired, isOfMatch, type RequestLink } from '../../rules/request-links.ts'
import * as outcomes from '../../stores/outcomes.ts'
import * as suppressions from '../../stores/suppressions.ts'
import { editOn } from './edit-lead.ts'
import { onLead } from './on-lead.ts'
import { recordOn } from './record-outcome.ts'

const VISITOR = { source: 'visitor', actor: 'visitor' } as const

/** Returns whether the visitor's link still asks for the right phone number: the clinic has the lead, and the last word is its own. */
export async function asksForNumber(db: Db, link: RequestLink, lead: Lead): Promise<boolean> {
  const isOpen = link.of === 'visitor' && !hasExpired(link) && isOfMatch(link, lead) && lead.held_reason === null
  if (!isOpen || lead.outcome !== 'wrong_number') return false
  return (await outcomes.findCurrent(db, [lead.id])).get(lead.id)?.source !== 'visitor'
}

/**
 * Gives a lead the phone number that its visitor has typed, and its clinic the request once more. The number of somebody who
 * asked for no contact changes nothing; staff see it, and the visitor does not learn of it.
 * @throws AppError `not_found` for a deleted lead, `conflict` when nothing is asked any more, `invalid` for a number that
 *   nobody can dial, or the one that the clinic could not reach
 */
export async function correctNumber(
  db: Db,
  link: RequestLink,
  phone: string,
  { personKey }: { personKey: Buffer },
): Promise<void> {
  await onLead(db, link.leadId, async (trx, lead) => {
    if (!(await asksForNumber(trx, link, lead))) throw new AppError('conflict', 'There is nothing to correct any more.')
    const digits = nationalDigits(phone)
    if (digits.length < MIN_PHONE_DIGITS) throw invalid('Please enter a phone number with its area code')
    if (digits === nationalDigits(lead.phone)) {
      throw invalid('This is the number that the clinic could not reach. Please check it digit by digit')
    }
    if (await suppressions.isSuppressed(trx, personKey, { phone })) {
      await recordOn(trx, lead, { ...VISITOR, kind: 'wrong_number', note: LISTED })
      return
    }
    await editOn(trx, lead, { phone }, { ...VISITOR, personKey })
  })
}

/** For staff. */
const LISTED = 'The visitor typed a number that is on the do-not-contact list, so it was not changed.'

const invalid = (phone: string) => new AppError('invalid', phone, { fields: { phone } })
