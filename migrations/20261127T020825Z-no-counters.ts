import type { Knex } from 'knex'

const INDEXES = ['leads_words_idx', 'leads_names_idx']
const STATE = `(created_at at time zone zone)::date, crm_sync_status, email_status, provider_id is not null, held_reason is not null`
const TRIGGERS = {
  insert: 'new table as added',
  delete: 'old table as gone',
  update: 'new table as added old table as gone',
}

/**
 * Lists count their leads in an index. The words of new leads wait in the search index's own list, which the form that fills
 * it sorts in: it is short, because each search reads it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table lead_counts;
    drop function count_leads cascade;
    drop function index_lead_words;
  `)
  for (const index of INDEXES) await knex.raw(`alter index ${index} set (gin_pending_list_limit = 128)`)
}

export async function down(knex: Knex): Promise<void> {
  for (const index of INDEXES) await knex.raw(`alter index ${index} set (gin_pending_list_limit = 32768)`)
  await knex.raw(`
    create function index_lead_words() returns bigint language sql
      security definer set search_path = public, pg_temp as $$
      select gin_clean_pending_list('leads_words_idx') + gin_clean_pending_list('leads_names_idx')
    $$;
    create table lead_counts (
      day date not null,
      crm_sync_status text not null,
      email_status text not null,
      matched boolean not null,
      held boolean not null,
      leads integer not null
    );
    create function count_leads() returns trigger language plpgsql as $$
    declare zone text := coalesce((select time_zone from network), 'UTC');
    begin
      if tg_op = 'TRUNCATE' then
        truncate lead_counts;
      elsif tg_op = 'INSERT' then
        insert into lead_counts select ${STATE}, count(*) from added where not is_test group by 1, 2, 3, 4, 5;
      elsif tg_op = 'DELETE' then
        insert into lead_counts select ${STATE}, -count(*) from gone where not is_test group by 1, 2, 3, 4, 5;
      else
        insert into lead_counts select ${STATE}, sum(change)
        from (select *, 1 as change from added union all select *, -1 from gone) changed
        where not is_test
        group by 1, 2, 3, 4, 5 having sum(change) <> 0;
      end if;
      return null;
    end $$;
    create trigger leads_counted_truncate after truncate on leads for each statement execute function count_leads();
    insert into lead_counts select ${STATE}, count(*)
    from leads cross join (select coalesce((select time_zone from network), 'UTC') as zone) network
    where not is_test group by 1, 2, 3, 4, 5;
  `)
  for (const [event, tables] of Object.entries(TRIGGERS)) {
    await knex.raw(`create trigger leads_counted_${event} after ${event} on leads referencing ${tables}
      for each statement execute function count_leads()`)
  }
}
