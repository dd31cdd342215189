import type { Knex } from 'knex'

/**
 * What staff have corrected in a lead, with the value before. The audit log may not hold personal data, so it stands here and
 * goes when the lead is deleted for good.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table lead_edits (
      id integer generated always as identity primary key,
      lead_id integer not null,
      field text not null check (field in ('first_name', 'last_name', 'email', 'phone', 'zip_code')),
      was text not null,
      became text not null,
      actor text not null,
      -- That of the line in the audit log.
      at timestamptz not null default now()
    );
    create index lead_edits_lead_idx on lead_edits (lead_id, id);
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table lead_edits')
}
