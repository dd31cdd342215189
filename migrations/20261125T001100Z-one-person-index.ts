import type { Knex } from 'knex'

export const config = { transaction: false }

const BATCH = 5000

/** A form finds the earlier requests of its person by exact keys. Held leads are in no index by e-mail so far. */
const INDEXES = {
  leads_phone_idx: 'leads (national_digits(phone), id)',
  leads_held_email_idx: 'leads (lower(email)) where held_reason is not null',
  leads_repeat_idx: 'leads (created_at, id) where repeat_of is not null',
}

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table leads validate constraint leads_match_kind_check')
  await knex.raw('alter table leads validate constraint leads_repeat_of_check')
  for (const [name, columns] of Object.entries(INDEXES)) {
    await knex.raw(`drop index concurrently if exists ${name}`)
    await knex.raw(`create index concurrently ${name} on ${columns}`)
  }
  await knex.raw('analyze leads')
  const { rows } = await knex.raw('select max(id) as last from leads')
  for (let after = 0; after < rows[0].last; after += BATCH) await fillIn(knex, after)
}

/**
 * Names the earlier request of the old leads of a batch, as the intake does for new ones. `offset 0` makes the planner look
 * a mailbox up before it compares ids: it knows nothing of the expression of a partial index, and would read the ids of all
 * earlier leads for each one.
 */
async function fillIn(knex: Knex, after: number): Promise<void> {
  await knex.raw(
    `update leads set repeat_of = earlier.id
     from (
       select lead.id as lead_id, greatest(
         (select max(id) from (
            select id from leads where held_reason is null
              and recipient_of(email) = recipient_of(lead.email) and lower(email) = lower(lead.email) offset 0
          ) same where id < lead.id),
         (select max(id) from leads where held_reason is null and id < lead.id
            and national_digits(phone) = national_digits(lead.phone) and length(national_digits(lead.phone)) >= 7)
       ) as id
       from leads lead where lead.id > ? and lead.id <= ? offset 0
     ) earlier
     where leads.id = lead_id and earlier.id is not null and repeat_of is null`,
    [after, after + BATCH],
  )
}

export async function down(knex: Knex): Promise<void> {
  for (const name of Object.keys(INDEXES)) await knex.raw(`drop index concurrently if exists ${name}`)
}
