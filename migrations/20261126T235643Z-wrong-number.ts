import type { Knex } from 'knex'

const BEFORE = ['opened', 'reached', 'no_answer', 'booked', 'attended', 'no_show', 'treated', 'declined', 'opted_out']

/** A clinic or staff can say that the phone number of a request is wrong. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(allow([...BEFORE, 'wrong_number']))
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(allow(BEFORE))
}

/** New rows are checked. Those that there are keep to the shorter list, so they need not be read. */
function allow(kinds: string[]): string {
  const list = kinds.map((kind) => `'${kind}'`).join(', ')
  return `
    alter table leads drop constraint leads_outcome_check,
      add constraint leads_outcome_check check (outcome in (${list})) not valid;
    alter table lead_outcomes drop constraint lead_outcomes_kind_check,
      add constraint lead_outcomes_kind_check check (kind in (${list})) not valid;`
}
