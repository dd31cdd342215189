import type { Knex } from 'knex'

/** What leads are counted by; `day` is an expression. */
const state = (day: string) => `${day}, crm_sync_status, email_status, provider_id is not null, held_reason is not null`

/** The trigger of the migration `lead-search`, with another day. */
const countLeads = (zone: string, declaration = '') => {
  const STATE = state(`(created_at at time zone ${zone})::date`)
  return `
    create or replace function count_leads() returns trigger language plpgsql as $$
    ${declaration}
    begin
      if tg_op = 'TRUNCATE' then
        truncate lead_counts;
      elsif tg_op = 'INSERT' then
        insert into lead_counts select ${STATE}, count(*) from added group by 1, 2, 3, 4, 5;
      elsif tg_op = 'DELETE' then
        insert into lead_counts select ${STATE}, -count(*) from gone group by 1, 2, 3, 4, 5;
      else
        insert into lead_counts select ${STATE}, sum(change)
        from (select *, 1 as change from added union all select *, -1 from gone) changed
        group by 1, 2, 3, 4, 5 having sum(change) <> 0;
      end if;
      return null;
    end $$;`
}

/** Leads are counted by the days of the network. `setTimeZone` in core/stores/lead-counts.ts puts in the setting. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- One row: the zone whose days lead_counts has.
    create table network (
      is_only boolean primary key default true check (is_only),
      time_zone text not null
    );
    insert into network (time_zone) values ('UTC');

    -- The first moment of a day. Midnight itself can be missing or come twice, where clocks change at midnight; the
    -- moment before it is in no doubt.
    create function start_of_day(day date, zone text) returns timestamptz language sql immutable parallel safe as $$
      select (day::timestamp - interval '1 microsecond') at time zone zone + interval '1 microsecond'
    $$;

    -- A lead must be stored even if the row was deleted.
    ${countLeads('zone', `declare zone text := coalesce((select time_zone from network), 'UTC');`)}
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    lock table leads, lead_counts in share row exclusive mode;
    ${countLeads(`'UTC'`)}
    delete from lead_counts;
    insert into lead_counts select ${state(`(created_at at time zone 'UTC')::date`)}, count(*) from leads
    group by 1, 2, 3, 4, 5;
    drop function start_of_day;
    drop table network;
  `)
}
