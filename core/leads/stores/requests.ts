import { dialable, formatPhone } from '../../contract/contact.ts'
import { LEAD_FIELD_NAMES } from '../../contract/lead-form.ts'
import { type Db, queryRows } from '../../platform/db.ts'
import * as suppressions from '../../privacy/stores/suppressions.ts'
import { calledPlace } from '../../providers/rules/business-hours.ts'
import * as clinicPeople from '../../providers/stores/clinic-people.ts'
import type { RowWith } from '../../tables/table.ts'
import { DAY } from '../../time.ts'
import type { Lead } from '../contract/leads.ts'
import type { ClinicRequest, GivenAnswer, RequestEnd } from '../contract/requests.ts'
import { hasExpired, isOfMatch, LINK_DAYS, markOf, type RequestLink } from '../rules/request-links.ts'
import * as leads from './leads.ts'
import * as zipCodes from './zip-codes.ts'

/**
 * Finds the lead of a clinic's link, or the reason for which the link shows none.
 * @param keys of the purposes `person-hash` and `request-link`
 */
export async function follow(
  db: Db,
  link: RequestLink,
  { personKey, linkKey }: { personKey: Buffer; linkKey: Buffer },
): Promise<Lead | RequestEnd> {
  const lead = await leads.find(db, link.leadId)
  if (!lead) return 'deleted'
  // Before the others, because it matters to each clinic that has ever had the request.
  const stopped = (await suppressions.ways(db, personKey, [lead])).get(lead)
  if (stopped) return stopped.has('email') ? 'opted_out' : 'number_stopped'
  if (!isOfMatch(link, lead)) {
    if (lead.provider_id === null) return 'taken_back'
    return lead.provider_id === link.providerId ? 'replaced' : 'passed_on'
  }
  if (hasExpired(link)) return 'expired'
  const inUse = await clinicPeople.listInUse(db, link.providerId)
  if (inUse === null) return 'left'
  // The emails of a test lead went to the person who sent it.
  if (!lead.is_test && !(await wasMailedTo(db, link, inUse, linkKey))) return 'other_address'
  return lead.held_reason === null ? lead : 'held'
}

/**
 * Returns whether a link was mailed to one of these addresses. A link without a mark was mailed to one of the recipients that the
 * ledger has for its day; without any record, it keeps working.
 */
async function wasMailedTo(db: Db, link: RequestLink, emails: string[], linkKey: Buffer): Promise<boolean> {
  if (link.recipient !== undefined) return emails.some((email) => markOf(linkKey, email) === link.recipient)
  const day = new Date((link.expiresOn - LINK_DAYS) * DAY).toISOString()
  const mailed = await queryRows<{ to: string }>(
    db,
    `select result ->> 'to' as "to" from jobs
     where lead_id = ? and name = 'send-email' and purpose in ('provider', 'reminder', 'late_clinic')
       and created_at >= ?::timestamptz and created_at < ?::timestamptz + interval '1 day' and result ->> 'to' is not null`,
    [link.leadId, day, day],
  )
  const known = new Set(emails.map((email) => email.toLowerCase()))
  return mailed.length === 0 || mailed.some(({ to }) => known.has(to.toLowerCase()))
}

/** The fields of the form that have their own place on the page. */
const SHOWN_APART = new Set<string>(['first_name', 'last_name', 'email', 'phone', 'zip_code'])

/** Reads a request as its clinic sees it. */
export async function read(db: Db, lead: Lead, providerId: number): Promise<ClinicRequest> {
  const [clinic, consent, zip, answers] = await Promise.all([
    db('providers').where('id', providerId).first('name', 'practice_name'),
    db('consents').where('lead_id', lead.id).first('wording', 'wording_version', 'given_at'),
    zipCodes.find(db, lead.zip_code),
    listAnswers(db, lead.id, providerId),
  ])
  const isAnswered = lead.outcome !== null && lead.outcome !== 'opened'
  return {
    leadId: lead.id,
    clinic: clinic?.practice_name || clinic?.name || '',
    name: `${lead.first_name} ${lead.last_name}`,
    phone: formatPhone(lead.phone),
    dial: dialable(lead.phone),
    email: lead.email,
    zipCode: lead.zip_code,
    place: zip?.city && zip.state ? `${zip.city}, ${zip.state}` : null,
    calledAt: calledPlace(zip),
    miles: lead.match_distance_miles,
    wishes: wishesOf(lead),
    consent: consent
      ? {
          wording: consent.wording,
          isOurs: consent.wording_version !== null,
          givenAt: consent.given_at.toISOString(),
        }
      : null,
    createdAt: lead.created_at,
    current: (isAnswered && answers[0]) || null,
    history: answers.filter(({ source }) => source === 'clinic'),
  }
}

/** Returns the fields that a form may have beyond the usual ones: `preferred_time` is labeled `Preferred time`. */
function wishesOf(lead: Lead): ClinicRequest['wishes'] {
  return LEAD_FIELD_NAMES.flatMap((name) => {
    const value: string | null | undefined = lead[name]
    if (SHOWN_APART.has(name) || !value) return []
    const words = name.replaceAll('_', ' ')
    return { label: words.charAt(0).toUpperCase() + words.slice(1), value }
  })
}

/** Lists the answers while this clinic had the lead, the newest first. A clinic does not see the notes of others. */
async function listAnswers(db: Db, leadId: number, providerId: number): Promise<GivenAnswer[]> {
  type Found = RowWith<'lead_outcomes', 'kind' | 'note' | 'source' | 'at', Pick<GivenAnswer, 'reason' | 'booked_for'>>
  const rows = await queryRows<Found>(
    db,
    `select kind, reason, booked_for::text, case when source = 'clinic' then note end as note, source, at
     from lead_outcomes where lead_id = ? and provider_id = ? and kind <> 'opened' order by id desc`,
    [leadId, providerId],
  )
  return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }))
}
