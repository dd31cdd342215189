/** Runs SQL, in which a question mark is an operator. */
type Run = (sql: string) => Promise<{ rows: { first: number; last: number }[] }>

/** A batch of leads. No form waits for one, because each only locks rows that it changes. */
const BATCH = 10_000

/** The visit that brought a lead. */
const VISIT = `coalesce(attribution->'last', attribution->'first')`
/** The parameters with which advertising networks mark a click. */
const CLICK_IDS = `array['gclid', 'gbraid', 'wbraid', 'msclkid', 'fbclid']`
const NETWORK = (touch: string) => `case when ${touch} ?| array['gclid', 'gbraid', 'wbraid'] then 'google'
  when ${touch} ? 'msclkid' then 'microsoft' when ${touch} ? 'fbclid' then 'facebook' end`

const HELD = `'honeypot', 'too_fast', 'odd_name', 'many_to_visitor', 'other_site', 'unknown_wording', 'do_not_contact'`
const OUTCOMES = `'opened', 'reached', 'no_answer', 'booked', 'attended', 'no_show', 'treated', 'declined', 'opted_out', 'wrong_number'`

/** Lists and counts are read from these indexes alone, which a condition on a column outside of them would prevent. */
const LIST_INDEXES: Record<string, [columns: string, where?: string]> = {
  leads_list_idx: ['(created_at, id) include (crm_sync_status, email_status, provider_id, held_reason)'],
  leads_name_idx: [
    `(folded(last_name || ' ' || first_name) collate "C", id)
     include (last_name, first_name, created_at, crm_sync_status, email_status, provider_id, held_reason)`,
  ],
  leads_zip_code_idx: ['(zip_code, id) include (created_at, crm_sync_status, email_status, provider_id, held_reason)'],
  leads_provider_idx: ['(provider_id, created_at, id) include (crm_sync_status, email_status, held_reason)'],
  leads_failed_idx: [
    '(created_at, id) include (crm_sync_status, email_status, provider_id, held_reason)',
    `(crm_sync_status = 'failed' or email_status = 'failed')`,
  ],
  leads_held_idx: ['(id)', 'held_reason is not null'],
  leads_test_idx: ['(id)', 'is_test'],
  leads_outcome_idx: ['(outcome, created_at, id)', 'outcome is not null'],
  leads_repeat_idx: ['(created_at, id)', 'repeat_of is not null'],
}

/**
 * Brings a database of the release of November 26, 2026, which had 80 migrations, to the baseline: what changed until then, by
 * names and in order. A database may have some of it already. A string is a transaction; a function is none, and each of
 * its statements can be repeated. This folder may go once no database of that release is left.
 */
export const STEPS: Record<string, string | ((run: Run) => Promise<void>)> = {
  /**
   * Page views, web vitals, experiments and marketing costs are gone. Of a click on an ad, only its network is kept, and of the
   * consent to ad measurement nothing.
   */
  async '20261126T220231Z-no-measurement'(run) {
    await run(`
      drop table if exists experiment_counts, web_vital_counts, page_view_counts, marketing_costs;
      with gone as (delete from jobs where name = 'purge' and purpose = 'page-views' returning id)
      delete from job_attempts where job_id in (select id from gone)`)
    await run('drop index concurrently if exists leads_ad_consent_idx')
    await run('drop index concurrently if exists deleted_leads_ad_consent_idx')
    await run(`
  create or replace function lead_source(attribution jsonb) returns text language sql immutable parallel safe as $$
    select lower(coalesce(
      nullif(trim(${VISIT}->>'utm_source'), ''),
      coalesce(${VISIT}->>'network', ${NETWORK(VISIT)}),
      nullif(regexp_replace(split_part(${VISIT}->>'referrer', '/', 3), '^www[.]', ''), '')
    ))
  $$`)
    await run(`
      create or replace function without_click_ids(touch jsonb) returns jsonb language sql immutable as $$
        select (touch - ${CLICK_IDS}) || jsonb_strip_nulls(jsonb_build_object('network',
          coalesce(touch->>'network', ${NETWORK('touch')})))
      $$;
      create or replace function without_measurement(attribution jsonb) returns jsonb language sql immutable as $$
        select (attribution - 'ad_consent')
          || case when jsonb_typeof(attribution->'first') = 'object'
            then jsonb_build_object('first', without_click_ids(attribution->'first')) else '{}' end
          || case when jsonb_typeof(attribution->'last') = 'object'
            then jsonb_build_object('last', without_click_ids(attribution->'last')) else '{}' end
      $$`)
    await inBatches(
      run,
      'attribution = without_measurement(attribution)',
      'without_measurement(attribution) <> attribution',
    )
    await run(`
      update deleted_leads set lead = jsonb_set(lead, '{attribution}', without_measurement(lead->'attribution'))
      where jsonb_typeof(lead->'attribution') = 'object'
        and without_measurement(lead->'attribution') <> lead->'attribution'`)
    await run('drop function without_measurement, without_click_ids')
  },

  /**
   * Makes one mailbox of all spellings of a Gmail address, counts forms that wait for a wish to be lifted like delivered
   * ones, and lets the planner know how many leads have an address.
   */
  async '20261126T224917Z-mailboxes'(run) {
    await setCheck(run, 'leads', 'held_reason', `${HELD}, 'many_to_clinic', 'many_in_all', 'many_from_address'`)
    await setCheck(run, 'provider_applications', 'held_reason', `${HELD}, 'many_from_address', 'many_in_all'`)
    for (const table of ['consents', 'application_consents']) {
      await run(`alter table ${table} add column if not exists channel text`)
      await setCheck(run, table, 'channel', `'form', 'api', 'other_site', 'phone'`)
    }

    // Gmail ignores dots, and its two domains are one (https://support.google.com/mail/answer/7436150).
    await run(String.raw`
      create or replace function recipient_of(email text) returns text
        language sql immutable strict parallel safe
        return case
          when lower(email) ~ '^[^@]*@(gmail|googlemail)\.com$'
            then replace(split_part(regexp_replace(lower(email), '\+[^@]*@', '@'), '@', 1), '.', '') || '@gmail.com'
          else lower(regexp_replace(email, '\+[^@]*@', '@'))
        end`)
    await build(
      run,
      'leads_recipient_idx',
      `index`,
      `leads (recipient_of(email)) where held_reason is null or held_reason = 'do_not_contact'`,
    )
    const applications = 'provider_applications (recipient_of(email), created_at)'
    await build(run, 'provider_applications_recipient_idx', 'index', applications)

    // The planner knows nothing of an expression in a partial index: it expected 0.5 % of all leads for each address.
    await run('create statistics if not exists leads_recipient_stats on (recipient_of(email)) from leads')
    await run('analyze leads')
  },

  /**
   * What a process compares with itself before it uses the database: the key that signs and hashes here, as a fingerprint,
   * and the migration that a release must know to run here, with the reason.
   */
  '20261126T225924Z-database-checks': `
    alter table network add column data_key_check text, add column needs_migration text, add column needs_why text
  `,

  /**
   * Removes what clinics' codes and drafts in WordPress have left. A draft that is not published yet is not linked to its provider any
   * more, so the release notes ask operators to delete it.
   */
  '20261126T230242Z-no-codes-no-drafts': `
    delete from job_attempts where job_id in (select id from jobs where name = 'create-draft' or purpose = 'request_code');
    delete from jobs where name = 'create-draft' or purpose = 'request_code';
    drop table request_codes;
    alter table providers drop column draft_id;
  `,

  /** Signing in does not always confirm the identity: the provider of single sign-on may have remembered the person. */
  '20261126T230242Z-unconfirmed-sessions': 'alter table staff_sessions alter column confirmed_at drop not null',

  /** Reads every number in a phone field, and folds letters such as ł, ø and ß in names. */
  '20261126T230911Z-phone-numbers': String.raw`
    create or replace function folded(value text) returns text language plpgsql immutable strict parallel safe as $$
    declare
      plain text;
    begin
      if octet_length(value) = length(value) then
        return lower(value);
      end if;
      plain := lower(regexp_replace(normalize(value, nfkd), '[\u0300-\u036f]', '', 'g'));
      plain := translate(plain, 'łŁøØđĐðÐıħĦŧŦŋŊĸəƏƒƑʻʼʾʿ', 'llooddddihhttnnkeeff''''''''');
      return replace(replace(replace(replace(replace(replace(replace(replace(plain, 'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'þ', 'th'), 'Þ', 'th');
    end $$;

    -- The digits of each phone number in a field, without the country code of the USA, and those of the whole field if
    -- that is something else. core/contract/phones.ts and core/leads/rules/phone-numbers.ts do the same.
    create function phone_digits(phone text) returns text[] language plpgsql immutable strict parallel safe as $$
    declare
      plain text := phone;
      found text[] := '{}';
      piece text;
      rest text;
      part text;
      digits text := regexp_replace(phone, '[^0-9]', '', 'g');
    begin
      -- Almost every field is one plain number. The rest takes three times as long.
      if phone ~ '^[+]{0,1}[0-9 ().-]+$' and digits ~ '^1{0,1}[2-9][0-9]{2}[2-9][0-9]{6}$' then
        return array[right(digits, 10)];
      end if;
      if octet_length(phone) > length(phone) then
        plain := translate(
          regexp_replace(normalize(phone, nfkc), '[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]', '', 'g'),
          '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789');
      end if;
      for piece in
        select match[1] from regexp_matches(
          -- Without extensions.
          regexp_replace(plain,
            '(ext(ension|n){0,1}|x|#|[;,])[ .:=,]*(ext[ .:=]*){0,1}[0-9]{1,7}(?![ ().-]*[0-9])', ';', 'gi'),
          '([+]{0,1}[0-9(][0-9 \t-\r()./_~\u2010-\u2015\u2212·•*-]*)', 'g'
        ) match
      loop
        rest := regexp_replace(piece, '^([+]|[(]{0,1}(00|011))', '');
        if rest <> piece and regexp_replace(rest, '[^0-9]', '', 'g') !~ '^1' then
          -- A number abroad.
          digits := regexp_replace(split_part(replace(rest, '(0)', ''), '/', 1), '[^0-9]', '', 'g');
          if digits ~ '^[2-9][0-9]{6,14}$' then
            found := found || digits;
          end if;
        else
          digits := '';
          foreach part in array regexp_split_to_array(rest, '[^0-9]+') loop
            digits := digits || part;
            if digits ~ '^1{0,1}[2-9][0-9]{2}[2-9][0-9]{6}$' then
              found := found || right(digits, 10);
              digits := '';
            end if;
          end loop;
        end if;
      end loop;
      digits := regexp_replace(regexp_replace(plain, '[^0-9]', '', 'g'), '^1([0-9]{10})$', '\1');
      if digits <> '' and digits <> all(found) then
        found := found || digits;
      end if;
      return found;
    end $$;

    create or replace function national_digits(phone text) returns text
      language sql immutable strict parallel safe
      return coalesce((phone_digits(phone))[1], '');

    create or replace function lead_words(names text, email text, phone text, zip_code text) returns tsvector
      language plpgsql immutable strict parallel safe as $$
    declare
      digits text;
      words text[] := array[lower(email), zip_code];
    begin
      -- Where an index is built, functions cannot call each other by their bare names.
      foreach digits in array public.phone_digits(phone) loop
        words := words || array[digits, right(digits, 7), right(digits, 4)];
      end loop;
      return array_to_tsvector(array_remove(
        regexp_split_to_array(translate(names, '''’‘ʼ${'`'}', ''), '[\s!-/:-@[-${'`'}{-~]+') || words, ''));
    end $$;
  `,

  /** Builds the indexes of the search again, and one of what viewers search: it has neither email addresses nor phones. */
  async '20261126T230912Z-search-indexes'(run) {
    const words = `name_words(folded(first_name || ' ' || last_name || ' ' || zip_code))`
    await build(run, 'leads_names_idx', 'index', `leads using gin (${words}) with (fastupdate = on)`)
    const stale = ['leads_words_idx', 'leads_name_idx', 'leads_phone_idx', 'providers_words_idx', 'zip_codes_words_idx']
    for (const index of stale) {
      // What a failed run has left.
      await run(`drop index concurrently if exists ${index}_ccnew`)
      await run(`reindex index concurrently ${index}`)
    }
    // The planner estimates an expression only after it was analyzed.
    await run('analyze leads')
  },

  /** Its function went with the counters. */
  '20261126T230913Z-search-pending-lists': 'select 1',

  /**
   * Removes IP addresses of visitors and clinics from where they outlived their time: lines of the audit log, and the copies
   * in `leads`. The evidence of the consent has the address of a form.
   */
  async '20261126T230914Z-addresses-of-visits'(run) {
    await run(`
      select set_config('leadwell.blank', 'audit_log', true);
      update audit_log set ip = null where actor in ('visitor', 'clinic', 'crm') and ip is not null`)
    await run(`update deleted_leads set lead = lead - 'acceptance_ip' where lead->>'acceptance_ip' is not null`)
    await inBatches(run, 'acceptance_ip = null', 'acceptance_ip is not null')
  },

  /** Erasures keep the hash of each number of a form, and lose their hashes with the evidence of consents. */
  '20261126T230915Z-hashes-of-erasures': `
    alter table erasures add column phone_hashes text[] not null default '{}';
    select set_config('leadwell.blank', 'erasures', true);
    update erasures set phone_hashes = array[phone_hash] where phone_hash is not null;
    select set_config('leadwell.blank', '', true);
    drop index erasures_phone_idx;
    alter table erasures drop column phone_hash;
    create index erasures_phones_idx on erasures using gin (phone_hashes);
    create index erasures_hashed_idx on erasures (erased_at) where email_hash is not null or phone_hashes <> '{}';

    -- Removes the hashes of forms that were erased longer ago than keep. Runs as the owner of the table, so it has a limit of
    -- its own: backups that were made before the erasure have to be gone, and nobody can sue over a call any more
    -- (28 U.S.C. 1658(a)).
    create function blank_erasures(keep interval, most integer) returns integer language plpgsql
      security definer set search_path = pg_catalog, pg_temp as $$
    declare
      changed integer;
    begin
      if keep < interval '1460 days' then raise exception 'hashes of erasures are kept for four years'; end if;
      perform set_config('leadwell.blank', 'erasures', true);
      update public.erasures set email_hash = null, phone_hashes = '{}', crm_id = null
      where (kind, row_id) in (
        select kind, row_id from public.erasures
        where erased_at < now() - keep and (email_hash is not null or phone_hashes <> '{}') limit most
      );
      get diagnostics changed = row_count;
      perform set_config('leadwell.blank', '', true);
      return changed;
    end $$;
  `,

  /** The finder takes any text as a zip code. Only one of five digits has a place. */
  '20261126T231926Z-any-zip-code': `
    alter table leads drop constraint leads_zip_code_check;
    alter table leads add constraint leads_zip_code_check check (length(zip_code) between 1 and 10) not valid;

    create or replace function zip_location(wanted text) returns cube language sql stable parallel safe as $$
      select coalesce(
        (select location from zip_codes where zip = wanted),
        (select ll_to_earth(avg(latitude), avg(longitude)) from zip_codes
          where zip between left(wanted, 3) || '00' and left(wanted, 3) || '99' and wanted ~ '^[0-9]{5}$'))
    $$`,

  /** New providers of a sync get no leads before they are activated. Runs list values that they did not believe. */
  '20261126T232229Z-activation': `
    alter table providers add column activation text not null default 'activated'
      check (activation in ('activated', 'waiting', 'never'));
    create index providers_waiting_idx on providers (id) where activation = 'waiting';
    alter table provider_syncs add column doubts jsonb not null default '[]';
  `,

  /** Corrects the names of military zips: GeoNames has `APO AA` for most of them, without a state. */
  '20261126T232230Z-military-zips': `
    update zip_codes set city = split_part(city, ' ', 1),
      state = case when zip like '09%' then 'AE' when zip like '340%' then 'AA' when zip ~ '^96[2-6]' then 'AP' else 'HI' end
    where city ~ '^(APO|FPO|DPO)( |$)' and coalesce(state, '') = ''
  `,

  /**
   * Keeps when a lead may be passed on, as `due_at` is kept, so that a clinic that changes its hours does not move it. Open clocks
   * are worked out again once to fill it in.
   */
  '20261126T233454Z-offer-times': `
    alter table answer_clocks add column offer_at timestamptz;
    update answer_clocks set is_stale = true where answered_at is null and step_at is not null and not is_stale;
  `,

  /** A clinic or staff can say that the phone number of a request is wrong. */
  '20261126T235643Z-wrong-number': `
    alter table leads drop constraint leads_outcome_check,
      add constraint leads_outcome_check check (outcome in (${OUTCOMES})) not valid;
    alter table lead_outcomes drop constraint lead_outcomes_kind_check,
      add constraint lead_outcomes_kind_check check (kind in (${OUTCOMES})) not valid`,

  /** Removes the monthly scorecards to clinics. What is left are the weekly reports to the team. */
  '20261127T011909Z-no-scorecards': `
    delete from job_attempts where job_id in (select id from jobs where purpose = 'scorecard');
    delete from jobs where purpose = 'scorecard';
    delete from reports where kind = 'scorecard';
    drop index reports_key;
    alter table reports drop column kind, drop column provider_id;
    create unique index reports_key on reports (first_day);
    alter table provider_rules drop column gets_scorecard;
  `,

  /** Requests linked by hand, mentions in notes and the checklist of applications. The audit log keeps what staff did. */
  '20261127T012153Z-no-links-mentions-checks': `
    drop table person_links, lead_note_mentions, application_checks;
    delete from job_attempts where job_id in (select id from jobs where purpose = 'mention');
    delete from jobs where purpose = 'mention';
  `,

  /** One job deletes all that is older than its retention. Runs of the earlier jobs, one for each table, are of no use. */
  '20261127T020126Z-one-purge': `
    with gone as (delete from jobs where name = 'purge' returning id)
    delete from job_attempts where job_id in (select id from gone)
  `,

  /**
   * Lists count their leads in an index. The words of new leads wait in the search index's own list, which the form that fills
   * it sorts in: it is short, because each search reads it.
   */
  '20261127T020825Z-no-counters': `
    drop table lead_counts;
    drop function count_leads cascade;
    drop function index_lead_words;
    alter index leads_words_idx set (gin_pending_list_limit = 128);
    alter index leads_names_idx set (gin_pending_list_limit = 128);
  `,

  /** A deleted note of an application goes at once. */
  '20261127T021621Z-no-deleted-application-notes': `
    delete from application_notes where id in (select note_id from deleted_application_notes);
    drop table deleted_application_notes;
  `,

  /**
   * A deleted lead keeps its row. `leads` becomes a view of the others, so that no query finds a deleted one unless it asks for
   * `all_leads`. Its cancelled jobs go on if it is restored: they ended at the very moment of the deletion.
   */
  '20261127T021900Z-deleted-at': `
    alter table leads add column deleted_at timestamptz;
    alter table leads rename to all_leads;
    create view leads as select * from all_leads where deleted_at is null;

    -- The key and the window may belong to a later form of the same person. Leads of early releases lack later columns.
    insert into all_leads overriding system value
    select restored.* from deleted_leads cross join jsonb_populate_record(null::all_leads,
      '{"is_test": false, "attribution": {}, "email_status": "pending"}' || lead
        || jsonb_build_object('deleted_at', deleted_at, 'idempotency_key', null, 'repeat_window', 'empty')) restored;
    update jobs set finished_at = deleted_at from deleted_leads
    where jobs.id = any(parked_jobs) and lead_id = deleted_leads.id and state = 'cancelled';
    drop table deleted_leads;
  `,

  /** Leaves deleted leads out of the indexes of lists, and lets a new form have the key of a deleted one. */
  async '20261127T021901Z-deleted-at-indexes'(run) {
    for (const [name, [columns, where]] of Object.entries(LIST_INDEXES)) {
      const condition = where ? `${where} and deleted_at is null` : 'deleted_at is null'
      await build(run, `new_${name}`, 'index', `all_leads ${columns} where ${condition}`)
      await run(`drop index concurrently if exists ${name}`)
      await run(`alter index new_${name} rename to ${name}`)
    }
    await build(run, 'all_leads_deleted_idx', 'index', 'all_leads (deleted_at, id) where deleted_at is not null')
    const unique = 'all_leads (idempotency_key) where idempotency_key is not null and deleted_at is null'
    await build(run, 'leads_idempotency_key_idx', 'unique index', unique)
    await run('alter table all_leads drop constraint if exists leads_idempotency_key_key')
    // Without statistics PostgreSQL takes nearly all leads for deleted.
    await run('analyze all_leads (deleted_at)')
  },

  /**
   * The people of a clinic get its requests and its notices of late answers, instead of addresses of their own with confirmations and
   * ways to undo them. The addresses in use become people. What waits for a confirmation by a link has to be asked for again.
   */
  '20261127T023907Z-people-get-requests': `
    alter table clinic_people add column confirmed_at timestamptz,
      add column gets text check (gets in ('requests', 'late')),
      add check (gets is null or confirmed_at is not null and removed_at is null);
    create unique index clinic_people_gets_key on clinic_people (provider_id, gets) where gets is not null;

    update clinic_people person set confirmed_at = signed_in.at
    from (
      select entity_id, lower(details->>'email') as email, min(at) as at from audit_log
      where entity = 'provider' and action = 'sign-in' group by 1, 2
    ) signed_in
    where removed_at is null and entity_id = provider_id::text and signed_in.email = lower(person.email);

    insert into clinic_people (provider_id, email, added_at, added_by, confirmed_at, gets)
    select provider_id, address.email, coalesce(change.confirmed_at, now()), coalesce(change.asked_by, 'our team'),
      coalesce(change.confirmed_at, now()), address.gets
    from provider_rules
    join providers on providers.id = provider_id
    cross join lateral (values (request_email, 'requests'), (second_email, 'late')) as address (email, gets)
    left join lateral (
      select confirmed_at, asked_by from clinic_addresses
      where clinic_addresses.provider_id = provider_rules.provider_id and clinic_addresses.confirmed_at is not null
        and lower(to_email) = lower(address.email)
      order by id desc limit 1
    ) change on true
    where address.email is not null
      and not (gets = 'requests' and lower(address.email) = lower(providers.email))
      and not (gets = 'late' and lower(address.email) is not distinct from lower(request_email))
    on conflict (lower(email), provider_id) where removed_at is null do update
      set gets = excluded.gets, confirmed_at = coalesce(clinic_people.confirmed_at, excluded.confirmed_at);

    delete from job_attempts where job_id in (
      select id from jobs where purpose in ('clinic_person', 'request_address', 'second_address'));
    delete from jobs where purpose in ('clinic_person', 'request_address', 'second_address');
    drop table clinic_addresses;
    drop table email_confirmations;
    alter table provider_rules drop column request_email, drop column second_email;
  `,

  /** Checks of older rows, and a column that is empty since the addresses of visitors are in the evidence alone. */
  async '20261127T043300Z-no-acceptance-ip'(run) {
    await run('alter table all_leads validate constraint leads_zip_code_check, validate constraint leads_outcome_check')
    await run('alter table lead_outcomes validate constraint lead_outcomes_kind_check')
    await run(`
      drop view if exists leads;
      alter table all_leads drop column if exists acceptance_ip;
      create view leads as select * from all_leads where deleted_at is null`)
  },

  /** The first baseline, which had no more than the steps above. */
  '20261127T043400Z-baseline': 'select 1',

  /** Drops the saved views of the list of leads. A filter is in the address, which a bookmark keeps. */
  '20261127T044609Z-drop-lead-views': 'drop table lead_views',

  /** Drops the exports that a worker prepared, with their files and jobs. Every export is downloaded as it is read. */
  '20261127T050946Z-no-prepared-exports': `
    drop table export_pieces, exports;
    delete from jobs where name = 'export';
  `,

  /**
   * The chain of consents leaves. The signature of each row stays, and with it the keyed hashes of its sender, which verify
   * it after the address and the browser were removed.
   */
  '20261127T052500Z-no-consent-chain': `
    alter table consents add column ip_hash text, add column browser_hash text;
    alter table application_consents add column ip_hash text, add column browser_hash text;

    select set_config('leadwell.blank', 'consents', true);
    update consents set ip_hash = seal.ip_hash, browser_hash = seal.browser_hash
      from consent_seals seal where source = 'lead' and row_id = lead_id;
    select set_config('leadwell.blank', 'application_consents', true);
    update application_consents set ip_hash = seal.ip_hash, browser_hash = seal.browser_hash
      from consent_seals seal where source = 'application' and row_id = application_id;
    select set_config('leadwell.blank', '', true);

    drop function purge_consents;
    drop table consent_seals, consent_anchors;

    -- Removes addresses and browsers from evidence that is older than keep or whose form was erased within the last 30 days.
    create or replace function blank_consents(keep interval, most integer) returns integer language plpgsql
      security definer set search_path = pg_catalog, pg_temp as $$
    declare
      changed integer;
      total integer := 0;
      source record;
    begin
      if keep < interval '30 days' then raise exception 'addresses of consents are kept for 30 days'; end if;
      for source in
        select * from (values ('lead', 'consents', 'lead_id'),
          ('application', 'application_consents', 'application_id')) as source (kind, evidence, id)
      loop
        perform set_config('leadwell.blank', source.evidence, true);
        execute format(
          'with due as (
             (select %3$I as id from public.%2$I
              where (ip is not null or user_agent is not null) and given_at < now() - $1 limit $2)
             union
             select row_id from public.erasures join public.%2$I on %3$I = row_id
             where kind = %1$L and erased_at > now() - interval ''30 days'' and (ip is not null or user_agent is not null)
           )
           update public.%2$I set ip = null, user_agent = null from due where %3$I = due.id',
          source.kind, source.evidence, source.id) using keep, most;
        get diagnostics changed = row_count;
        total := total + changed;
        perform set_config('leadwell.blank', '', true);
      end loop;
      return total;
    end $$;

    -- Four years at least: so long somebody can sue over a call (28 U.S.C. 1658(a)).
    create function purge_consents(keep interval) returns integer
      language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
    declare
      changed integer;
      total integer := 0;
      evidence text;
    begin
      if keep < interval '1460 days' then raise exception 'consents are kept for four years'; end if;
      foreach evidence in array array['consents', 'application_consents'] loop
        perform set_config('leadwell.purge', evidence, true);
        execute format('delete from public.%I where given_at < now() - $1', evidence) using keep;
        get diagnostics changed = row_count;
        total := total + changed;
      end loop;
      perform set_config('leadwell.purge', '', true);
      return total;
    end $$;
  `,

  /**
   * Tables of one row become columns of `network`; what a job without an owner needs is its payload; tags are a column; a
   * weekly report is known by its jobs; and a channel of alerts has one rhythm.
   */
  '20261127T052501Z-fewer-tables': `
    alter table network
      add column shared_password_off_at timestamptz,
      add column setup_skipped text[] not null default '{}',
      add column quiet_since timestamptz,
      add column no_lead_hours integer not null default 8 check (no_lead_hours between 1 and 200),
      add column alerts_checked_at timestamptz;
    update network set shared_password_off_at = old.shared_password_off_at, setup_skipped = old.setup_skipped
      from staff_settings old;
    update network set quiet_since = old.quiet_since from attention_state old;
    update network set no_lead_hours = old.no_lead_hours, alerts_checked_at = old.checked_at from alert_settings old;
    drop table staff_settings, attention_state, alert_settings;

    -- For jobs without an owner: where a test of a connection goes to, and what a message about alerts says.
    alter table jobs add column payload jsonb;
    update jobs set payload = jsonb_build_object('to', to_email) from setup_checks where job_id = jobs.id;
    drop table setup_checks;
    update jobs set payload = jsonb_build_object('messageId', message.id::text, 'channelId', channel_id,
        'recipient', recipient, 'at', to_char(message.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'notes', (select coalesce(jsonb_agg(id order by id), '[]') from alert_notes where message_id = message.id))
      from alert_deliveries join alert_messages message on message.id = message_id where job_id = jobs.id;

    alter table alert_channels
      add column rhythm text not null default 'at_once' check (rhythm in ('at_once', 'daily'));
    update alert_channels set rhythm = 'daily'
      where id in (select channel_id from alert_rules where event = 'crm_failing' and rhythm in ('daily', 'off'));
    -- Those that were switched off altogether.
    delete from alert_channels where kind <> 'team'
      and id in (select channel_id from alert_rules where rhythm = 'off' group by 1 having count(*) = 13);
    alter table alert_notes add column is_digest boolean, add column is_sent boolean not null default false;
    update alert_notes set is_digest = rhythm <> 'at_once', is_sent = message_id is not null;
    alter table alert_notes alter column is_digest set not null, drop column rhythm, drop column message_id;
    create index alert_notes_due_idx on alert_notes (due_at) where not is_sent;
    create index jobs_alert_idx on jobs ((payload->>'channelId')) where name = 'send-alert';
    drop table alert_rules, alert_deliveries, alert_messages;

    alter table lead_work add column tags text[] not null default '{}';
    insert into lead_work (lead_id, tags) select lead_id, array_agg(tag order by tag) from lead_tags group by 1
      on conflict (lead_id) do update set tags = excluded.tags;
    create index lead_work_tags_idx on lead_work using gin (tags);
    drop table lead_tags;

    update jobs set report_id = to_char(first_day, 'YYYYMMDD')::integer from reports where reports.id = report_id;
    drop table reports;
    drop table failed_sign_ins;
  `,

  /** Finds the tests of the mail server and the CRM among all jobs. */
  async '20261127T053907Z-tests-of-connections'(run) {
    await build(run, 'jobs_test_idx', 'index', `jobs (name) where purpose = 'test'`)
  },
}

async function inBatches(run: Run, set: string, where: string): Promise<void> {
  const [ids] = (await run('select min(id) as first, max(id) as last from leads')).rows
  for (let from = ids?.first ?? 0; from <= (ids?.last ?? -1); from += BATCH) {
    await run(`update leads set ${set} where id >= ${from} and id < ${from + BATCH} and ${where}`)
  }
}

/** Replaces the list of a column's values without reading the table under a lock. */
async function setCheck(run: Run, table: string, column: string, values: string): Promise<void> {
  const name = `${table}_${column}_check`
  await run(`alter table ${table} drop constraint if exists ${name},
    add constraint ${name} check (${column} in (${values})) not valid`)
  await run(`alter table ${table} validate constraint ${name}`)
}

/** Builds an index without stopping writes. A failed run leaves an invalid one. */
async function build(run: Run, name: string, kind: string, on: string): Promise<void> {
  await run(`drop index concurrently if exists ${name}`)
  await run(`create ${kind} concurrently ${name} on ${on}`)
}
