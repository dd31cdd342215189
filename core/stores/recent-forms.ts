import { type HeldReason, TOLD_HOURLY } from '../contract/forms.ts'
import { type Db, only, queryRows } from '../platform/db.ts'
import { type MailCaps, type RecentForms, recipientOf } from '../rules/mail-caps.ts'
import { NO_TESTS } from './leads.ts'

type Wanted = { email: string; providerId: number | null }

/** The forms that count. A form held for a wish counts, because its sender must not learn of the hold. */
const COUNTS = `(held_reason is null or held_reason = 'do_not_contact')`

/**
 * Counts the leads and applications of the last hour and day for the caps on mail, without test leads. Counts nothing for a cap
 * of `Infinity`.
 *
 * @returns also the caps that the team was told of within the hour
 */
export async function countRecentForms(
  db: Db,
  wanted: Wanted[],
  caps: MailCaps,
): Promise<{ recent: Omit<RecentForms, 'addresses'>; told: Set<HeldReason> }> {
  const emails = caps.visitor === Infinity ? [] : [...new Set(wanted.map(({ email }) => recipientOf(email)))]
  const providers = caps.clinic === Infinity ? [] : [...new Set(wanted.map(({ providerId }) => providerId))]
  // Not prepared: a plan that was made while the table was empty would read all of it until PostgreSQL analyzes it.
  const rows = await queryRows<CountRow>(
    db,
    `select 'visitor' as what, recipient as key, day, hour from unnest(?::text[]) as recipient cross join lateral (
         -- No condition on the time: it would let the planner read all leads of a day instead of those of a mailbox.
         select (count(*) filter (where created_at > now() - interval '1 day'))::integer as day,
           (count(*) filter (where created_at > now() - interval '1 hour'))::integer as hour
         from (
           select created_at from leads where recipient_of(email) = recipient and ${COUNTS} and not is_test
           union all
           select created_at from provider_applications where recipient_of(email) = recipient and ${COUNTS}
         ) theirs
       ) counted
       union all
       select 'clinic', provider::text, null, hour from unnest(?::integer[]) as provider cross join lateral (
         select count(*)::integer as hour from (
           select from leads where provider_id = provider and held_reason is null and created_at > now() - interval '1 hour'
             and ${NO_TESTS}
           limit ?
         ) newest
       ) counted
       union all
       select 'all', null, null, count(*)::integer from (
         (select from leads where held_reason is null and created_at > now() - interval '1 hour' and ${NO_TESTS} limit ?)
         union all
         (select from provider_applications where held_reason is null and created_at > now() - interval '1 hour' limit ?)
       ) newest
       union all
       select 'told', reason, null, null from unnest(?::text[]) as reason where now() - interval '1 hour' < (
         select max(created_at) from leads where held_reason = reason and not is_test
       )`,
    [
      emails,
      providers.filter((id) => id !== null),
      caps.clinic === Infinity ? 0 : caps.clinic,
      caps.all === Infinity ? 0 : caps.all,
      caps.all === Infinity ? 0 : caps.all,
      TOLD_HOURLY,
    ],
  )

  const of = (what: string) => rows.filter((row) => row.what === what)
  return {
    recent: {
      visitors: new Map(of('visitor').map(({ key, hour, day }) => [key, { hour, day }])),
      clinics: new Map(of('clinic').map(({ key, hour }) => [Number(key), hour])),
      all: of('all')[0]?.hour ?? 0,
    },
    told: new Set(of('told').map(({ key }) => key as HeldReason)),
  }
}

type CountRow = { what: string; key: string; day: number; hour: number }

/**
 * Returns the keys of those forms that repeat a delivered lead, or one held for a wish: by their idempotency key, or by their
 * content within ten minutes.
 */
export async function findRepeats(
  db: Db,
  forms: { repeatKey: string; idempotencyKey?: string }[],
): Promise<Set<string>> {
  if (forms.length === 0) return new Set()
  const rows = await queryRows<{ repeat_key: string }>(
    db,
    `select repeat_key from unnest(?::uuid[], ?::text[]) as form (repeat_key, idempotency_key)
     where exists (
       select from leads where person_key = repeat_key and repeat_window @> now() and ${COUNTS}
     ) or exists (
       select from leads where leads.idempotency_key = form.idempotency_key and ${COUNTS}
     )`,
    [forms.map(({ repeatKey }) => repeatKey), forms.map(({ idempotencyKey }) => idempotencyKey ?? null)],
  )
  return new Set(rows.map(({ repeat_key }) => repeat_key))
}

/** Returns whether an application repeats a delivered one, or one held for a wish, as `findRepeats` does for leads. */
export async function isRepeatedApplication(
  db: Db,
  { practiceKey, idempotencyKey }: { practiceKey: string; idempotencyKey?: string },
): Promise<boolean> {
  const rows = await queryRows<{ is_repeat: boolean }>(
    db,
    `select exists (
       select from provider_applications
       where ${COUNTS} and (idempotency_key = ? or practice_key = ? and repeat_window @> now())
     ) as is_repeat`,
    [idempotencyKey ?? null, practiceKey],
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
