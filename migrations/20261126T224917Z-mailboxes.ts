import type { Knex } from 'knex'

export const config = { transaction: false }

const HELD = ['honeypot', 'too_fast', 'odd_name', 'many_to_visitor', 'other_site', 'unknown_wording', 'do_not_contact']
const REASONS = {
  leads: [...HELD, 'many_to_clinic', 'many_in_all'],
  provider_applications: HELD,
}
const NEW_REASONS = { leads: ['many_from_address'], provider_applications: ['many_from_address', 'many_in_all'] }

/** The channel through which a consent came (`core/contract/consent.ts`). Null in older rows. */
const CHANNELS = ['form', 'api', 'other_site', 'phone']

/**
 * Makes one mailbox of all spellings of a Gmail address, counts forms that wait for a wish to be lifted like delivered
 * ones, and lets the planner know how many leads have an address. Each statement can be repeated.
 */
export async function up(knex: Knex): Promise<void> {
  for (const table of tables) {
    await allowReasons(knex, table, [...REASONS[table], ...NEW_REASONS[table]])
  }
  for (const table of ['consents', 'application_consents']) {
    await knex.raw(`alter table ${table} add column if not exists channel text`)
    await setCheck(knex, table, `${table}_channel_check`, `channel in (${listed(CHANNELS)})`)
  }

  // Gmail ignores dots, and its two domains are one (https://support.google.com/mail/answer/7436150).
  await knex.raw(String.raw`
    create or replace function recipient_of(email text) returns text
      language sql immutable strict parallel safe
      return case
        when lower(email) ~ '^[^@]*@(gmail|googlemail)\.com$'
          then replace(split_part(regexp_replace(lower(email), '\+[^@]*@', '@'), '@', 1), '.', '') || '@gmail.com'
        else lower(regexp_replace(email, '\+[^@]*@', '@'))
      end`)
  await indexRecipients(knex, `held_reason is null or held_reason = 'do_not_contact'`)

  // The planner knows nothing of an expression in a partial index: it expected 0.5 % of all leads for each address.
  await knex.raw('create statistics if not exists leads_recipient_stats on (recipient_of(email)) from leads')
  await knex.raw('analyze leads')
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop statistics if exists leads_recipient_stats')
  await knex.raw(String.raw`
    create or replace function recipient_of(email text) returns text
      language sql immutable strict parallel safe
      return lower(regexp_replace(email, '\+[^@]*@', '@'))`)
  await indexRecipients(knex, 'held_reason is null')

  for (const table of ['consents', 'application_consents']) {
    await knex.raw(`alter table ${table} drop column if exists channel`)
  }
  for (const table of tables) {
    // A version that does not know these reasons still holds what is held.
    await knex(table).whereIn('held_reason', NEW_REASONS[table]).update({ held_reason: 'many_to_visitor' })
    await allowReasons(knex, table, REASONS[table])
  }
}

const tables = ['leads', 'provider_applications'] as const

const listed = (values: string[]) => values.map((value) => `'${value}'`).join(', ')

const allowReasons = (knex: Knex, table: string, reasons: string[]) =>
  setCheck(knex, table, `${table}_held_reason_check`, `held_reason in (${listed(reasons)})`)

/** Replaces a constraint without reading the table under a lock. */
async function setCheck(knex: Knex, table: string, name: string, condition: string): Promise<void> {
  await knex.raw(
    `alter table ${table} drop constraint if exists ${name}, add constraint ${name} check (${condition}) not valid`,
  )
  await knex.raw(`alter table ${table} validate constraint ${name}`)
}

async function indexRecipients(knex: Knex, condition: string): Promise<void> {
  await knex.raw('drop index concurrently if exists leads_recipient_idx')
  await knex.raw(`create index concurrently leads_recipient_idx on leads (recipient_of(email)) where ${condition}`)
  await knex.raw('drop index concurrently if exists provider_applications_recipient_idx')
  await knex.raw(
    'create index concurrently provider_applications_recipient_idx on provider_applications (recipient_of(email), created_at)',
  )
}
