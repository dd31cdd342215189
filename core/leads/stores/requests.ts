import { LEAD_FIELD_NAMES } from '../../contract/forms.ts'
import { dialable, formatPhone } from '../../contract/texts.ts'
import { DAY } from '../../contract/time.ts'
import { countRows, type Db, only, queryRows } from '../../platform/db.ts'
import * as suppressions from '../../privacy/stores/suppressions.ts'
import type {
  ClinicMonth,
  ClinicRequest,
  ClinicRequests,
  ClinicRequestsQuery,
} from '../../providers/contract/clinic.ts'
import { calledPlace } from '../../providers/rules/business-hours.ts'
import * as clinicPeople from '../../providers/stores/clinic-people.ts'
import { type RowWith, readAll } from '../../tables/table.ts'
import type { Lead } from '../contract/leads.ts'
import type { GivenAnswer, RequestEnd, RequestView } from '../contract/outcomes.ts'
import { ATTENDED, BOOKED, REACHED } from '../rules/outcomes.ts'
import { hasExpired, isOfMatch, LINK_DAYS, markOf, type RequestLink } from '../rules/request-links.ts'
import * as answerClocks from './answer-clocks.ts'
import * as leads from './leads.ts'
import * as zipCodes from './places.ts'

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
     where subject_kind = 'lead' and subject_id = ? and name = 'send-email' and purpose in ('provider', 'reminder', 'late_clinic')
       and created_at >= ?::timestamptz and created_at < ?::timestamptz + interval '1 day' and result ->> 'to' is not null`,
    [link.leadId, day, day],
  )
  const known = new Set(emails.map((email) => email.toLowerCase()))
  return mailed.length === 0 || mailed.some(({ to }) => known.has(to.toLowerCase()))
}

const SHOWN_APART = new Set<string>(['first_name', 'last_name', 'email', 'phone', 'zip_code'])

export async function read(db: Db, lead: Lead, providerId: number): Promise<RequestView> {
  const [clinic, consent, zip, answers, clocks] = await Promise.all([
    db('providers').where('id', providerId).first('name', 'practice_name'),
    db('consents').where('lead_id', lead.id).first('wording', 'wording_version', 'given_at'),
    zipCodes.find(db, lead.zip_code),
    listAnswers(db, lead.id, providerId),
    answerClocks.findMany(db, [lead.id]),
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
    dueAt: isAnswered ? null : (clocks.get(lead.id)?.due_at ?? null),
    current: (isAnswered && answers[0]) || null,
    history: answers.filter(({ source }) => source === 'clinic'),
  }
}

/** Returns the fields that a form may have beyond the usual ones: `preferred_time` is labeled `Preferred time`. */
function wishesOf(lead: Lead): RequestView['wishes'] {
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

/*
 * The requests of one clinic, for its own pages: the leads that it has now and that are neither held nor tests. A lead that went to
 * another clinic is gone from here. Contact details of a person who asked for no contact are empty, and so are the notes of
 * others. `key` is that of the purpose `person-hash`.
 */

const REQUESTS = `from leads
  left join zip_codes on zip_codes.zip = leads.zip_code
  left join lateral (
    select reason, booked_for::text, case when source = 'clinic' then note end as note from lead_outcomes
    where lead_id = leads.id and lead_outcomes.provider_id = leads.provider_id and kind = leads.outcome
    order by id desc limit 1
  ) latest on outcome is not null
  where leads.provider_id = :clinic and held_reason is null and not is_test`

const COLUMNS = `leads.id, first_name, last_name, email, phone, zip_code, city, state, match_distance_miles as miles,
  matched_at as received_at, outcome, outcome_at, reason, booked_for, note`

type Found = Omit<ClinicRequest, 'url' | 'received_at' | 'outcome_at' | 'answer' | 'do_not_contact' | 'time_zone'> & {
  latitude: number | null
  longitude: number | null
  received_at: Date
  outcome_at: Date | null
}

/** Lists one page of the requests of a clinic, the newest first. */
export async function list(
  db: Db,
  clinicId: number,
  { show, page, limit }: ClinicRequestsQuery,
  key: Buffer,
  urlOf: (request: { id: number; provider_id: number; matched_at: string }) => string,
): Promise<ClinicRequests> {
  const wanted = { all: 'true', open: IS_OPEN, answered: `not (${IS_OPEN})` }[show as 'all'] ?? 'outcome = :show'
  const bindings = { clinic: clinicId, show, limit, offset: (page - 1) * limit }
  const [rows, counts] = await Promise.all([
    queryRows<Found>(
      db,
      `select ${COLUMNS}, zip_codes.latitude, zip_codes.longitude ${REQUESTS} and ${wanted} order by matched_at desc, leads.id desc limit :limit offset :offset`,
      bindings,
    ),
    queryRows<{ total: number; open: number }>(
      db,
      `select (count(*) filter (where ${wanted}))::integer as total, (count(*) filter (where ${IS_OPEN}))::integer as open
       from leads where provider_id = :clinic and held_reason is null and not is_test`,
      bindings,
    ),
  ])
  const [answers, suppressed] = await Promise.all([
    answerClocks.findMany(
      db,
      rows.map(({ id }) => id),
    ),
    suppressions.among(db, key, rows),
  ])
  const requests = rows.map((row) => {
    const { latitude, longitude, ...request } = row
    return {
      url: urlOf({ id: row.id, provider_id: clinicId, matched_at: row.received_at.toISOString() }),
      ...(suppressed.has(row) ? { ...request, ...NO_CONTACT } : { ...request, do_not_contact: false }),
      received_at: row.received_at.toISOString(),
      outcome_at: row.outcome_at?.toISOString() ?? null,
      answer: answers.get(row.id) ?? null,
      time_zone: zoneOf(row),
    }
  })
  return { requests, ...only(counts) }
}

/** Returns the time zone in which the person is called, if it is known. */
function zoneOf({ latitude, longitude, zip_code: zip, city, state }: Found): string | null {
  if (latitude === null || longitude === null) return null
  return calledPlace({ zip, latitude, longitude, city, state })?.timeZone ?? null
}

/** Counts a clinic's requests and their outcomes by month: its last six months with any, the newest first. */
export async function listMonths(db: Db, clinicId: number, timeZone: string): Promise<ClinicMonth[]> {
  const counts = Object.entries({ reached: REACHED, booked: BOOKED, came: ATTENDED })
  const columns = counts.map(([name]) => `(count(*) filter (where outcome = any(:${name})))::integer as ${name}`)
  return queryRows<ClinicMonth>(
    db,
    `select to_char(matched_at at time zone :zone, 'YYYY-MM') as month, count(*)::integer as requests, ${columns.join(', ')}
     from leads where provider_id = :clinic and held_reason is null and not is_test and matched_at > now() - interval '1 year'
     group by month order by month desc limit 6`,
    { clinic: clinicId, zone: timeZone, ...Object.fromEntries(counts) },
  )
}

const NO_CONTACT = { email: '', phone: '', do_not_contact: true }

const IS_OPEN = `(outcome is null or outcome = 'opened')`
const IS_LATE =
  'id in (select lead_id from answer_clocks where due_at < now() and due_at is not null and answered_at is null)'

/**
 * Lists up to `limit` requests that wait for the clinic's answer, those that wait longest first, and counts all. Leaves out
 * those of people who asked for no contact, as far as they are listed.
 * @param late only those whose answer is late
 */
export async function listWaiting(
  db: Db,
  clinicId: number,
  { limit, key, late = false }: { limit: number; key: Buffer; late?: boolean },
): Promise<{ leads: WaitingRow[]; total: number }> {
  const waiting = () =>
    db('leads')
      .where({ provider_id: clinicId, held_reason: null, is_test: false })
      .whereRaw(late ? `${IS_OPEN} and ${IS_LATE}` : IS_OPEN)
  const [rows, total] = await Promise.all([
    waiting().orderBy(['matched_at', 'id']).limit(limit).select('id', 'zip_code', 'email', 'phone', 'created_at'),
    countRows(waiting()),
  ])
  const suppressed = await suppressions.among(db, key, rows)
  return { leads: rows.filter((row) => !suppressed.has(row)), total: total - suppressed.size }
}

type WaitingRow = RowWith<'leads', 'id' | 'zip_code' | 'email' | 'phone' | 'created_at'>

const EXPORTED = [
  ...['id', 'received_at', 'first_name', 'last_name', 'email', 'phone', 'zip_code', 'city', 'state'],
  ...['outcome', 'outcome_at', 'reason', 'booked_for', 'note'],
] as const

/** Exports the requests of a clinic, the newest first. Times are local ISO 8601 with their offset. */
export function exported(db: Db, clinicId: number, timeZone: string, key: Buffer) {
  const time = (column: string) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SSTZH:TZM') as ${column}`
  const rows = readAll<Record<Exclude<(typeof EXPORTED)[number], 'email' | 'phone'>, string | number | null> & Contact>(
    db,
    (trx) =>
      trx
        .with('request', trx.raw(`select ${COLUMNS} ${REQUESTS}`, { clinic: clinicId } as never))
        .from('request')
        .select(EXPORTED.map((column) => (column.endsWith('_at') ? trx.raw(time(column)) : column)))
        .orderBy([
          { column: 'request.received_at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ]),
    timeZone,
  )
  return { columns: EXPORTED, rows: masked() }

  async function* masked() {
    const isSuppressed = await suppressions.readAll(db, key)
    for await (const row of rows) yield isSuppressed(row) ? { ...row, email: '', phone: '' } : row
  }
}

type Contact = { email: string; phone: string }
