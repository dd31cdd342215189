import type { Knex } from 'knex'

/** The finder takes any text as a zip code. Only one of five digits has a place. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table leads drop constraint leads_zip_code_check;
    alter table leads add constraint leads_zip_code_check check (length(zip_code) between 1 and 10) not valid;
    ${zipLocation(`and wanted ~ '^[0-9]{5}$'`)}`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table leads drop constraint leads_zip_code_check;
    alter table leads add constraint leads_zip_code_check check (zip_code ~ '^[0-9]{5}$') not valid;
    ${zipLocation('')}`)
}

function zipLocation(condition: string): string {
  return `
    create or replace function zip_location(wanted text) returns cube language sql stable parallel safe as $$
      select coalesce(
        (select location from zip_codes where zip = wanted),
        (select ll_to_earth(avg(latitude), avg(longitude)) from zip_codes
          where zip between left(wanted, 3) || '00' and left(wanted, 3) || '99' ${condition}))
    $$;`
}
