import type { Knex } from 'knex'

/** Clinics are asked after the day of an appointment whether the person came: for present bookings of today and later. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table answer_clocks add column ask_visit_at timestamptz;
    create index answer_clocks_visit_idx on answer_clocks (ask_visit_at) where ask_visit_at is not null;

    update answer_clocks set ask_visit_at = (booked_for + 1) at time zone 'UTC'
    from leads join lead_outcomes on lead_outcomes.lead_id = leads.id and kind = outcome and happened_at = outcome_at
    where answer_clocks.lead_id = leads.id and outcome = 'booked' and booked_for >= current_date;
  `)
}
