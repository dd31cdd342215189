import { type HeldReason, NOTIFIED_HOURLY } from '../../contract/forms.ts'
import { AppError } from '../../errors.ts'
import { type Db, only, type Query, queryRows } from '../../platform/db.ts'
import { MIN_PHONE_DIGITS } from '../../privacy/contract/privacy.ts'
import type { Row, RowWith } from '../../tables/table.ts'
import { type Lead, MAX_COUNTED_REQUESTS, type RelatedLead, type RequestCount } from '../contract/leads.ts'
import { AGAIN_DAYS, type EarlierRequest, nationalDigits } from '../rules/duplicates.ts'
import { type MailCaps, recipientOf } from '../rules/holds.ts'
import { NO_TESTS } from './leads.ts'

/** A person who sends a request. `id` is set if it is stored: only requests before it are earlier. */
export type Asking = { id?: number; email: string; phone: string }

/** The newest requests of a phone that are read. Many people may type the same one. */
const MAX_BY_PHONE = 20

/** Finds the earlier requests of several people, the newest first, in the order of the people. Skips held requests and test leads. */
export async function findEarlier(db: Db, people: Asking[]): Promise<EarlierRequest[][]> {
  const found: EarlierRequest[][] = people.map(() => [])
  const rows = await queryRows<EarlierRow>(db, ...earlierQuery(people), { name: 'find-earlier-requests' })
  for (const { position, ...earlier } of rows) found[position - 1]?.push(earlier)
  return found
}

export type EarlierRow = EarlierRequest & { position: number }

export function earlierQuery(people: Asking[]): Query {
  const phones = people.map(({ phone }) => nationalDigits(phone))
  return [
    `select position::integer, earlier.id,
       case when matched_at > now() - ? * interval '1 day' then provider_id end as "providerId",
       coalesce(outcome = 'declined', false) and exists (
         select from lead_outcomes declined where declined.lead_id = earlier.id and kind = 'declined'
           and happened_at = outcome_at and reason is distinct from 'no_longer_wanted'
       ) as "isDeclined",
       lower(earlier.email) = lower(wanted.email) as "isSameEmail"
     from unnest(?::text[], ?::text[], ?::text[], ?::integer[])
       with ordinality as wanted (email, recipient, phone, before, position)
     cross join lateral (
       select id, provider_id, matched_at, outcome, outcome_at, email from leads
       where recipient_of(email) = recipient and lower(email) = lower(wanted.email) and held_reason is null and not is_test and id < before
       union
       select id, provider_id, matched_at, outcome, outcome_at, email from (
         -- Holds are filtered below: here, the planner may read the index of all leads that are not held.
         select * from leads where national_digits(phone) = wanted.phone and id < before order by id desc limit ?
       ) same_phone where held_reason is null and not is_test
     ) earlier
     -- PostgreSQL expects one person, as in \`FEW\`, and keeps its plan.
     where recipient = recipient || ''
     order by position, earlier.id desc`,
    [
      AGAIN_DAYS,
      people.map(({ email }) => email),
      people.map(({ email }) => recipientOf(email)),
      phones.map((digits) => (digits.length < MIN_PHONE_DIGITS ? null : digits)),
      people.map(({ id }) => id ?? MAX_ID),
      MAX_BY_PHONE,
    ],
  ]
}

const MAX_ID = 2_147_483_647

/**
 * SQL for the ids of all requests of the person of the lead `root`, itself included: those with the same email or phone, over
 * any number of steps. Stops at the most that are counted, because thousands may have typed the same phone. Every step is a lookup of an exact key in an index.
 */
const REQUESTS = `(
  with recursive request (id, email, phone) as (
    select id, lower(email), national_digits(phone) from leads where id = root
    union
    select other.id, lower(other.email), national_digits(other.phone)
    from request cross join lateral (
      select id, email, phone from leads
      where held_reason is null and not is_test and recipient_of(leads.email) = recipient_of(request.email)
        and lower(leads.email) = request.email
      union all
      select id, email, phone from leads where held_reason is not null and not is_test and lower(leads.email) = request.email
      union all
      select id, email, phone from leads
      where length(request.phone) >= ${MIN_PHONE_DIGITS} and national_digits(leads.phone) = request.phone and not is_test
    ) other
  )
  select id from request limit ${MAX_COUNTED_REQUESTS}
)`

/** Adds its place among the requests of its person to each lead, in one query. */
export async function count<Row extends Pick<Lead, 'id'>>(
  db: Db,
  leads: Row[],
): Promise<(Row & { requests: RequestCount })[]> {
  const rows = await queryRows<RequestCount & { root: number }>(
    db,
    `select root, (count(*) filter (where request.id <= root))::integer as number, count(*)::integer as total
     from unnest(?::integer[]) as root cross join lateral ${REQUESTS} request group by root`,
    [leads.map(({ id }) => id)],
  )
  const counts = new Map(rows.map(({ root, ...requests }) => [root, requests]))
  return leads.map((lead) => ({ ...lead, requests: counts.get(lead.id) ?? { number: 1, total: 1 } }))
}

const RELATED_SHOWN = 10

/** Lists up to ten other requests of the person of a lead, the newest first. */
export async function listOthers(db: Db, id: number): Promise<RelatedLead[]> {
  type Found = RowWith<
    'leads',
    'id' | 'created_at' | 'provider_id' | 'held_reason' | 'outcome',
    Pick<RelatedLead, 'provider_name'>
  >
  const rows = await queryRows<Found>(
    db,
    `select lead.id, lead.created_at, provider_id, held_reason, outcome, providers.name as provider_name
     from (select ?::integer as root) opened cross join lateral ${REQUESTS} request
     join leads lead on lead.id = request.id and lead.id <> root
     left join providers on providers.id = provider_id
     order by lead.id desc limit ?`,
    [id, RELATED_SHOWN],
  )
  return rows.map(({ created_at, ...row }) => ({ ...row, created_at: created_at.toISOString() }))
}

/** The forms that count. A form held for a wish counts, because its sender must not learn of the hold. */
const COUNTS = `(held_reason is null or held_reason = 'do_not_contact')`

/** Counts of `recentFormsQuery`, and the caps that the team was told of within the hour. */
export type RecentRow = { position: number; hour: number; day: number; all: number; notified: HeldReason[] }

/**
 * Counts the leads and applications of the last hour and day for the caps on mail, without test leads. Counts nothing for a cap
 * of `Infinity`, for each of several emails. PostgreSQL expects one, as in `FEW`, and keeps its plan.
 */
export function recentFormsQuery(emails: string[], caps: MailCaps): Query {
  return [
    `select position::integer, hour, day, (
         select count(*)::integer from (
           (select from leads where held_reason is null and created_at > now() - interval '1 hour' and ${NO_TESTS} limit ?)
           union all
           (select from provider_applications where held_reason is null and created_at > now() - interval '1 hour' limit ?)
         ) newest
       ) as "all", array(
         select reason from unnest(?::text[]) as reason where now() - interval '1 hour' < (
           select max(created_at) from leads where held_reason = reason and not is_test
         )
       ) as notified
       from unnest(?::text[]) with ordinality as wanted (mailbox, position) cross join lateral (
         -- No condition on the time: it would let the planner read all leads of a day instead of those of a mailbox.
         select (count(*) filter (where created_at > now() - interval '1 day'))::integer as day,
           (count(*) filter (where created_at > now() - interval '1 hour'))::integer as hour
         from (
           select created_at from leads where recipient_of(email) = mailbox and ${COUNTS} and not is_test
           union all
           select created_at from provider_applications where recipient_of(email) = mailbox and ${COUNTS}
         ) theirs
       ) visitor where mailbox = mailbox || ''`,
    [...Array(2).fill(limitOf(caps.all)), NOTIFIED_HOURLY, emails.map((email) => mailboxOf(email, caps))],
  ]
}

/** Returns the number of forms at which counting ends. */
export const limitOf = (cap: number) => (cap === Infinity ? 0 : cap)

/** Returns the mailbox of an email, or none if it has no cap. */
const mailboxOf = (email: string, { visitor }: MailCaps) => (visitor === Infinity ? '' : recipientOf(email))

const KEY_OF = { leads: 'person_key', provider_applications: 'practice_key' }

/**
 * Returns whether a form repeats a delivered one, or one held for a wish: by its idempotency key, or by its content within
 * ten minutes.
 */
export async function isRepeated(
  db: Db,
  table: keyof typeof KEY_OF,
  { form, key }: { form: string; key?: string },
): Promise<boolean> {
  const rows = await queryRows<{ is_repeat: boolean }>(
    db,
    `select exists (select from ${table} where ${KEY_OF[table]} = ? and repeat_window @> now() and ${COUNTS})
       or exists (select from ${table} where idempotency_key = ? and ${COUNTS}) as is_repeat`,
    [form, key ?? null],
  )
  return only(rows).is_repeat
}

/** Returns whether an application was held for this reason within the hour. */
export async function isTeamNotified(db: Db, reason: HeldReason): Promise<boolean> {
  const rows = await queryRows<{ is_told: boolean }>(
    db,
    `select exists (
       select from provider_applications where held_reason = ? and created_at > now() - interval '1 hour'
     ) as is_told`,
    [reason],
  )
  return only(rows).is_told
}

/**
 * Finds the form that this one repeats: by its idempotency key (`isSameKey`), or by its content within ten minutes.
 * @param marks `hash` is that of what the form says
 * @throws AppError `invalid` when the key was used for another form, `conflict` when the first form is gone by now: rolled
 * back, deleted, or outside the window
 */
export async function findFirstForm<Table extends keyof typeof KEY_OF, Column extends keyof Row<Table> & string>(
  db: Db,
  table: Table,
  columns: readonly Column[],
  { form, key, hash }: { form: string; key?: string; hash: string },
): Promise<{ first: Pick<Row<Table>, Column>; isSameKey: boolean }> {
  const find = async (condition: string, mark: string) => {
    const [row] = await queryRows<Pick<Row<Table>, Column> & { request_hash: string | null }>(
      db,
      `select ${[...columns, 'request_hash']} from ${table} where ${condition} order by id limit 1`,
      [mark],
    )
    return row
  }
  const sameKey = key && (await find('idempotency_key = ?', key))
  if (sameKey && sameKey.request_hash !== hash) {
    throw new AppError(
      'invalid',
      'This form was already sent with other details. Please reload the page and try again.',
    )
  }
  if (sameKey) return { first: sameKey, isSameKey: true }

  const sameForm = await find(`${KEY_OF[table]} = ? and repeat_window @> now()`, form)
  if (!sameForm) throw new AppError('conflict', 'The same form was being sent twice. Please send it again.')
  return { first: sameForm, isSameKey: false }
}
