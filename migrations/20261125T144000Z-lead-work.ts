import type { Knex } from 'knex'

/**
 * The work of staff on a lead: notes, owner, next action and tags. None of the tables refers to `leads`, because a deleted
 * lead can be restored; the rows go when it is deleted for good.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table lead_notes (
      id integer generated always as identity primary key,
      lead_id integer not null,
      body text not null check (length(body) between 1 and 4000),
      -- As in the audit log: the e-mail of an account, or 'staff'.
      author text not null,
      at timestamptz not null default now()
    );
    create index lead_notes_lead_idx on lead_notes (lead_id, id);

    -- The people whom a note mentions, and when an e-mail told them.
    create table lead_note_mentions (
      note_id integer not null references lead_notes on delete cascade,
      account_id integer not null references staff_accounts on delete cascade,
      told_at timestamptz,
      primary key (note_id, account_id)
    );
    create index lead_note_mentions_untold_idx on lead_note_mentions (account_id) where told_at is null;

    create table lead_work (
      lead_id integer primary key,
      owner_id integer references staff_accounts on delete set null,
      next_action text check (length(next_action) between 1 and 200),
      next_action_on date,
      updated_at timestamptz not null default now()
    );
    create index lead_work_owner_idx on lead_work (owner_id, lead_id) where owner_id is not null;
    create index lead_work_due_idx on lead_work (next_action_on, lead_id) where next_action_on is not null;

    create table lead_tags (
      lead_id integer not null,
      tag text not null check (tag = lower(tag) and length(tag) between 1 and 30),
      primary key (lead_id, tag)
    );
    create index lead_tags_tag_idx on lead_tags (tag, lead_id);
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table lead_tags; drop table lead_work; drop table lead_note_mentions; drop table lead_notes')
}
