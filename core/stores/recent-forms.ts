import { type HeldReason, TOLD_HOURLY } from '../contract/forms.ts'
import { type Db, only, queryRows } from '../platform/db.ts'
import { MAX_DAILY_FACTOR, type MailCaps, type RecentForms, recipientOf } from '../rules/mail-caps.ts'
import { NO_TESTS } from './lead-counts.ts'

type Wanted = { email: string; providerId: number | null }

/**
 * Counts the leads of the last hour and day for the caps on mail, without test leads. Counts nothing for a cap of `Infinity`.
 *
 * @returns also the caps that the team was told of within the hour
 */
export async function countRecentLeads(
  db: Db,
  wanted: Wanted[],
  caps: MailCaps,
): Promise<{ recent: RecentForms; told: Set<HeldReason> }> {
  const emails = caps.visitor === Infinity ? [] : [...new Set(wanted.map(({ email }) => recipientOf(email)))]
  const providers = caps.clinic === Infinity ? [] : [...new Set(wanted.map(({ providerId }) => providerId))]
  // Not prepared: a plan that was made while the table was empty would read all of it until PostgreSQL analyzes it.
  const rows = await queryRows<CountRow>(
    db,
    `select 'visitor' as what, recipient as key, day, hour from unnest(?::text[]) as recipient cross join lateral (
         -- No condition on the time: it would let the planner read all leads of a day instead of those of a mailbox.
         select (count(*) filter (where created_at > now() - interval '1 day'))::integer as day,
           (count(*) filter (where created_at > now() - interval '1 hour'))::integer as hour
         from leads where recipient_of(email) = recipient and held_reason is null and not is_test
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
         select from leads where held_reason is null and created_at > now() - interval '1 hour' and ${NO_TESTS} limit ?
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
 * Returns the keys of those forms that repeat a delivered lead: by their idempotency key, or by their content within ten
 * minutes.
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
       select from leads where person_key = repeat_key and repeat_window @> now() and held_reason is null
     ) or exists (
       select from leads where leads.idempotency_key = form.idempotency_key and held_reason is null
     )`,
    [forms.map(({ repeatKey }) => repeatKey), forms.map(({ idempotencyKey }) => idempotencyKey ?? null)],
  )
  return new Set(rows.map(({ repeat_key }) => repeat_key))
}

/**
 * Returns whether the applications of one mailbox have reached its cap within an hour or a day. A repeat of a delivered one
 * is never beyond it.
 */
export async function isApplicantBeyondCap(
  db: Db,
  { email, practiceKey, idempotencyKey }: { email: string; practiceKey: string; idempotencyKey?: string },
  { visitor }: MailCaps,
): Promise<boolean> {
  if (visitor === Infinity) return false
  const rows = await queryRows<{ day: number; hour: number; is_repeat: boolean }>(
    db,
    `select count(*)::integer as day, (count(*) filter (where created_at > now() - interval '1 hour'))::integer as hour,
       exists (
         select from provider_applications
         where held_reason is null and (idempotency_key = ? or practice_key = ? and repeat_window @> now())
       ) as is_repeat
     from provider_applications
     where recipient_of(email) = ? and held_reason is null and created_at > now() - interval '1 day'`,
    [idempotencyKey ?? null, practiceKey, recipientOf(email)],
  )
  const { hour, day, is_repeat } = only(rows)
  return !is_repeat && (hour >= visitor || day >= MAX_DAILY_FACTOR * visitor)
}
