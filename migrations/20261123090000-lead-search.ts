import type { Knex } from 'knex'

/** What leads are counted by. */
const STATE = `(created_at at time zone 'UTC')::date, crm_sync_status, email_status, provider_id is not null,
          held_reason is not null`

/** Any page of any list of leads, and how many there are, out of a million in a fraction of a second. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The state of the lead's e-mails, kept like crm_sync_status: core/stores/jobs.ts says how.
    alter table leads add column email_status text not null default 'pending'
      check (email_status in ('pending', 'success', 'failed'));
    update leads set email_status = emails.status from (
      select lead_id, case
        when bool_or(state = 'failed') then 'failed'
        when bool_or(state in ('waiting', 'enqueued')) then 'pending'
        when bool_or(state = 'done') then 'success'
        else 'pending' end as status
      from (
        select distinct on (lead_id, purpose) lead_id, state from jobs
        where lead_id is not null and name = 'send-email'
        order by lead_id, purpose, generation desc
      ) latest
      group by lead_id
    ) emails
    where emails.lead_id = leads.id and emails.status <> 'pending';

    -- Without case and accents, as people type a name that they look for. core/rules/lead-search.ts does the same.
    create function folded(value text) returns text language plpgsql immutable strict parallel safe as $$
    begin
      if octet_length(value) = length(value) then
        return lower(value);
      end if;
      return lower(regexp_replace(normalize(value, nfkd), '[\\u0300-\\u036f]', '', 'g'));
    end $$;

    -- What a lead is found by: each word of its names, its e-mail, its zip, and its phone in digits, from the first, from
    -- the seventh and from the fourth to last one.
    -- It gets the names folded: where an index is built, functions cannot call each other by their bare names.
    create function lead_words(names text, email text, phone text, zip_code text) returns tsvector
      language plpgsql immutable strict parallel safe as $$
    declare
      digits text := regexp_replace(phone, '\\D', '', 'g');
    begin
      if length(digits) = 11 and starts_with(digits, '1') then
        digits := right(digits, 10);
      end if;
      return array_to_tsvector(array_remove(
        regexp_split_to_array(translate(names, '''’‘ʼ\`', ''), '[\\s!-/:-@[-\`{-~]+')
          || array[lower(email), zip_code, digits, right(digits, 7), right(digits, 4)], ''));
    end $$;

    -- New words wait in a list, which is searched as well, until the worker puts them into the index: it is long enough
    -- that no visitor who sends his form has to.
    create index leads_words_idx on leads
      using gin (lead_words(folded(first_name || ' ' || last_name), email, phone, zip_code))
      with (fastupdate = on, gin_pending_list_limit = 32768);

    -- Each has all that a list is filtered by, so that pages and counts are read from it without the table.
    create index leads_list_idx on leads (created_at, id)
      include (crm_sync_status, email_status, provider_id, held_reason);
    create index leads_name_idx on leads (folded(last_name || ' ' || first_name) collate "C", id)
      include (last_name, first_name, created_at, crm_sync_status, email_status, provider_id, held_reason);
    create index leads_zip_code_idx on leads (zip_code, id)
      include (created_at, crm_sync_status, email_status, provider_id, held_reason);
    create index leads_provider_idx on leads (provider_id, created_at, id)
      include (crm_sync_status, email_status, held_reason);
    drop index leads_provider_id_idx;
    -- What staff look for most is rare, and costs the others nothing.
    create index leads_failed_idx on leads (created_at, id)
      include (crm_sync_status, email_status, provider_id, held_reason)
      where crm_sync_status = 'failed' or email_status = 'failed';

    -- How many leads came on a day (UTC) in each state: core/stores/lead-counts.ts says how it is read. Rows are only added,
    -- a change as minus one and plus one, so that nobody waits for anybody; the worker adds them up now and then.
    create table lead_counts (
      day date not null,
      crm_sync_status text not null,
      email_status text not null,
      matched boolean not null,
      held boolean not null,
      leads integer not null
    );
    create function count_leads() returns trigger language plpgsql as $$
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
    end $$;
    create trigger leads_counted_insert after insert on leads referencing new table as added
      for each statement execute function count_leads();
    create trigger leads_counted_delete after delete on leads referencing old table as gone
      for each statement execute function count_leads();
    create trigger leads_counted_update after update on leads referencing new table as added old table as gone
      for each statement execute function count_leads();
    create trigger leads_counted_truncate after truncate on leads for each statement execute function count_leads();
    insert into lead_counts select ${STATE}, count(*) from leads group by 1, 2, 3, 4, 5;

    -- Reading from an index alone needs the visibility map, which only VACUUM brings up to date.
    alter table leads set (autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_vacuum_scale_factor = 0.02);
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table leads reset (autovacuum_vacuum_insert_scale_factor, autovacuum_vacuum_scale_factor);
    create index leads_provider_id_idx on leads (provider_id);
    drop trigger leads_counted_insert on leads;
    drop trigger leads_counted_delete on leads;
    drop trigger leads_counted_update on leads;
    drop trigger leads_counted_truncate on leads;
    drop function count_leads;
    drop table lead_counts;
    drop index leads_words_idx, leads_list_idx, leads_name_idx, leads_zip_code_idx, leads_provider_idx,
      leads_failed_idx;
    drop function lead_words, folded;
    alter table leads drop column email_status;
  `)
}
