import { type Db, openDb } from '../core/platform/db.ts'

const PROVIDERS = 400

/** The most common names first: a few are very common, most are rare. */
const FIRST_NAMES =
  'Michael James Robert John David William Richard Joseph Thomas Christopher Charles Daniel Matthew Anthony Mark Steven Donald Andrew Joshua Paul Kenneth Kevin Brian Timothy Ronald Jason George Edward Jeffrey Ryan Jacob Nicholas Gary Eric Jonathan Stephen Larry Justin Scott Brandon Benjamin Samuel Gregory Alexander Patrick Frank Raymond Jack Dennis Jerry Tyler Aaron José Henry Adam Douglas Nathan Peter Zachary Kyle Noah Ethan Jeremy Mario Marcus Al Bo Zoltán'.split(
    ' ',
  )
const LAST_NAMES =
  "Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Gonzalez Wilson Anderson Thomas Taylor Moore Jackson Martin Lee Perez Thompson White Harris Sanchez Clark Ramirez Lewis Robinson Walker Young Allen King Wright Scott Torres Nguyen Hill Flores Green Adams Nelson Baker Hall Rivera Campbell Mitchell Carter Roberts Gomez Phillips Evans Turner Diaz Parker Cruz Edwards Collins Reyes Stewart Morris Morales Murphy Cook Rogers Gutierrez Ortiz Morgan Cooper Peterson Bailey Reed Kelly Howard Ramos Kim Cox Ward Richardson Watson Brooks Chavez Wood Bennett Li Ng O'Brien".split(
    ' ',
  )

/**
 * Leads of two years, each with three jobs: names, zips and providers as unequal as they are in life, 3 % failed at the
 * CRM, 2 % with a failed email, 8 % unmatched, 0.5 % held.
 */
export async function seedLeads(databaseUrl: string, count: number): Promise<void> {
  // One statement stores them all.
  const db = openDb(databaseUrl, { poolSize: 1, statementTimeout: 0 })
  await db.raw(`set synchronous_commit = off; set maintenance_work_mem = '512MB'`)
  // No list asks for it, and it takes longer than everything else together.
  await db.raw('alter table all_leads drop constraint leads_no_repeat')
  await addProviders(db)
  const indexes = await dropIndexes(db)
  await addLeads(db, count)
  for (const index of indexes) await db.raw(index)
  await addJobs(db)
  await db.raw('vacuum (analyze) all_leads')
  await db.raw('vacuum (analyze) jobs')
  await db.destroy()
}

async function addProviders(db: Db): Promise<void> {
  await db.raw(
    `insert into providers (name, zip_code, email)
     select 'Clinic ' || n, zip, 'clinic' || n || '@clinics.example'
     from (select zip, row_number() over (order by md5(zip)) as n from zip_codes) numbered where n <= ?`,
    [PROVIDERS],
  )
}

/**
 * Drops the indexes of the lists, which are faster to build once than to maintain for each row. @returns the statements
 * that build them again
 */
async function dropIndexes(db: Db): Promise<string[]> {
  const { rows } = await db.raw(
    `select indexname as name, indexdef as sql from pg_indexes
     where tablename = 'all_leads' and indexdef not like '%UNIQUE%'`,
  )
  for (const { name } of rows) await db.raw('drop index ??', [name])
  return rows.map(({ sql }: { sql: string }) => sql)
}

async function addLeads(db: Db, count: number): Promise<void> {
  await db.raw(
    'create temporary table places as select row_number() over (order by md5(zip)) as place, zip from zip_codes',
  )
  await db.raw(
    `insert into leads (
       first_name, last_name, email, phone, zip_code, created_at, acceptance_consent, acceptance_message,
       provider_id, matched_at, match_kind, match_distance_miles, held_reason, unreached_at, crm_sync_status, email_status,
       idempotency_key, request_hash, person_key, repeat_window
     )
     select first_name, last_name, lower(first_name || '.' || translate(last_name, '''', '')) || n || '@visitors.example',
       format('(%s) %s-%s', 200 + (area * 700)::integer, lpad((n % 900)::text, 3, '0'), lpad((n % 9973)::text, 4, '0')),
       zip, created_at, true, repeat('I agree to receive communications about the treatment. ', 3),
       provider_id, case when provider_id is not null then created_at end,
       case when provider_id is not null then 'nearest' end, case when provider_id is not null then area * 90 end,
       case when fate < 0.005 then 'too_fast' end, case when provider_id is null and fate >= 0.005 then created_at end,
       case when fate < 0.005 then 'pending' when fate < 0.035 then 'failed' when fate < 0.04 then 'pending' else 'success' end,
       case when luck < 0.02 then 'failed' when luck < 0.025 or fate < 0.005 then 'pending' else 'success' end,
       md5(n::text) || md5(area::text), md5(area::text) || md5(n::text), gen_random_uuid(),
       tstzrange(created_at, created_at + interval '10 minutes')
     from (
       select n, random() as area, random() as luck, random() as fate,
         case when random() < 0.08 then null else 1 + floor(power(random(), 2) * ?)::integer end as provider_id,
         (?::text[])[1 + floor(power(random(), 1.3) * ?)::integer] as first_name,
         case when random() < 0.4 then initcap(translate(substr(md5(random()::text), 1, 7), '0123456789', 'aeioulrnst'))
           else (?::text[])[1 + floor(power(random(), 1.3) * ?)::integer] end as last_name,
         now() - interval '730 days' * (1 - n::float / ?) as created_at
       from generate_series(1, ?::integer) n
     ) drawn join places on place = 1 + floor(power(area, 2) * 30000)::integer
     order by n`,
    [PROVIDERS, FIRST_NAMES, FIRST_NAMES.length, LAST_NAMES, LAST_NAMES.length, count, count] as never,
  )
}

async function addJobs(db: Db): Promise<void> {
  await db.raw(
    `insert into jobs (subject_kind, subject_id, name, purpose, state, last_cause, attempts, created_at, enqueued_at, finished_at)
     select 'lead', id, name, purpose, state, case state when 'failed' then 'refused' end, 1, created_at, created_at, case when state <> 'enqueued' then created_at end
     from leads cross join lateral (values
       ('sync-crm', 'created', crm_sync_status),
       ('send-email', case when provider_id is null then 'team' else 'provider' end, email_status),
       ('send-email', 'visitor', case email_status when 'failed' then 'success' else email_status end)
     ) job (name, purpose, status)
     cross join lateral (
       select case status when 'success' then 'done' when 'failed' then 'failed' else 'enqueued' end as state
     ) settled`,
  )
}
