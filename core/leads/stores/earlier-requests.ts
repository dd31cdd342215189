import { recipientOf } from '../../deliveries/rules/mail-caps.ts'
import { type Db, type Query, queryRows } from '../../platform/db.ts'
import { MIN_PHONE_DIGITS } from '../../privacy/rules/person-hash.ts'
import { AGAIN_DAYS, type EarlierRequest } from '../rules/earlier-requests.ts'
import { nationalDigits } from '../rules/phone-numbers.ts'

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
