import { type HeldReason, TOLD_HOURLY } from '../../contract/forms.ts'
import { type MailCaps, recipientOf } from '../../deliveries/rules/mail-caps.ts'
import { type Db, only, type Query, queryRows } from '../../platform/db.ts'
import { NO_TESTS } from './leads.ts'

/** The forms that count. A form held for a wish counts, because its sender must not learn of the hold. */
const COUNTS = `(held_reason is null or held_reason = 'do_not_contact')`

/** Counts of `recentFormsQuery`, and the caps that the team was told of within the hour. */
export type RecentRow = { position: number; hour: number; day: number; all: number; told: HeldReason[] }

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
       ) as told
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
    [...Array(2).fill(limitOf(caps.all)), TOLD_HOURLY, emails.map((email) => mailboxOf(email, caps))],
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
export async function isTeamTold(db: Db, reason: HeldReason): Promise<boolean> {
  const rows = await queryRows<{ is_told: boolean }>(
    db,
    `select exists (
       select from provider_applications where held_reason = ? and created_at > now() - interval '1 hour'
     ) as is_told`,
    [reason],
  )
  return only(rows).is_told
}
