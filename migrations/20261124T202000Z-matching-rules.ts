import type { Knex } from 'knex'

/** Matching obeys the rules of providers. The index of places cannot see their table, so the priority is copied. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The clinics that came first and could not take the lead, with the reason.
    alter table leads add column match_skipped jsonb;

    alter table providers add column match_priority smallint not null default 0;
    create index providers_preferred_location_idx on providers using gist (location)
      where status = 't' and match_priority = 1;
    create function copy_match_priority() returns trigger language plpgsql as $$
    begin
      update providers set match_priority = new.priority where id = new.provider_id and match_priority <> new.priority;
      return null;
    end $$;
    create trigger copy_match_priority after insert or update of priority on provider_rules
      for each row execute function copy_match_priority();

    create index provider_rules_extra_zips_idx on provider_rules using gin (extra_zips);
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index provider_rules_extra_zips_idx;
    drop trigger copy_match_priority on provider_rules;
    drop function copy_match_priority;
    alter table providers drop column match_priority;
    alter table leads drop column match_skipped;
  `)
}
