import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { describe, expect, onTestFinished } from 'vitest'
import { prepareDatabase } from '../../core/migrate.ts'
import { type Db, openDb, queryRows } from '../../core/platform/db.ts'
import { migrate, migrationFiles, pendingMigrations } from '../../core/platform/migrations.ts'
import * as suppressions from '../../core/privacy/stores/suppressions.ts'
import { APP_ROLE, asApp } from '../../local/postgres.ts'
import { STEPS } from '../../migrations/before-baseline/steps.ts'
import { startApiServer } from '../support/api-server.ts'
import { runCommandFile } from '../support/commands.ts'
import { createTestDatabase } from '../support/database.ts'
import { it } from '../support/empty-database.ts'
import { PERSON_KEY, rawEnv } from '../support/env.ts'
import { jobsOf, leadForm, staffHeaders } from '../support/factories.ts'

/**
 * A database of the release of November 26, 2026: `pg_dump --no-owner --no-privileges --column-inserts`, after a script at commit
 * d4f6f887 had called its commands with made-up people, and filled by hand the tables that later releases change.
 */
const DUMP = new URL('before-baseline.sql.gz', import.meta.url)
/** Its leads by their numbers. Lead 6 was erased. */
const [BOOKED, AGAIN, UNMATCHED, HELD, DELETED, STOPPED, FAILED] = [1, 2, 3, 4, 5, 7, 8] as const
/** Purposes of jobs that were dropped with what they did. */
const ENDED = ['mention', 'clinic_person', 'deleted-leads', 'page-views']
const LEADS = [BOOKED, AGAIN, UNMATCHED, HELD, STOPPED, FAILED]

async function restoreDump(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(gunzipSync(await readFile(DUMP)).toString())
  // It can be restored for 30 days.
  await client.query('update public.deleted_leads set deleted_at = now()')
  await client.end()
}

/** Describes everything in the schema, in an order that does not depend on how it came to be. */
async function describeSchema(db: Db): Promise<string[]> {
  const ours = `relnamespace = 'public'::regnamespace and relname not like '%\\_ccnew'`
  const rows = await queryRows<{ line: string }>(
    db,
    `select concat_ws(' ', 'column', relname, row_number() over (partition by relname order by attnum), attname,
       format_type(atttypid, atttypmod), attnotnull, attidentity, attstorage, pg_get_expr(adbin, adrelid)) as line
     from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
     left join pg_attrdef on adrelid = attrelid and adnum = attnum
     where ${ours} and relkind in ('r', 'v', 'S')
     union all
     select concat_ws(' ', relkind, relname, reloptions, relacl, case relkind when 'v' then pg_get_viewdef(oid) end)
     from pg_class where ${ours} and relkind in ('r', 'v', 'S')
     union all
     select concat_ws(' ', conrelid::regclass, conname, convalidated, pg_get_constraintdef(oid),
       obj_description(oid, 'pg_constraint'))
     from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
     union all
     select concat_ws(' ', pg_get_indexdef(indexrelid), indisvalid, reloptions)
     from pg_index join pg_class on pg_class.oid = indexrelid where ${ours}
     union all
     select pg_get_functiondef(oid) || coalesce(proacl::text, '') from pg_proc
     where pronamespace = 'public'::regnamespace and prokind = 'f' and prolang <> (select oid from pg_language where lanname = 'c')
     union all
     select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
     union all
     select pg_get_statisticsobjdef(oid) from pg_statistic_ext`,
  )
  return rows.map(({ line }) => line).sort()
}

describe('a database of the release before the baseline', () => {
  it('has the schema of a new one after the upgrade, and every lead, job, consent and outcome', async ({ url, db }) => {
    await restoreDump(url)
    const readKept = () =>
      Promise.all([
        db('consents').orderBy('lead_id').select('lead_id', 'wording', 'given_at', 'ip', 'mac'),
        db('application_consents').orderBy('application_id').select('application_id', 'wording', 'mac'),
        db('lead_outcomes').orderBy('id').select('id', 'lead_id', 'kind', 'note'),
        db('jobs').whereNotIn('purpose', ENDED).orderBy('id').select('id', 'purpose', 'state', 'last_error'),
        db('job_attempts').orderBy('job_id').select('job_id', 'outcome', 'status', 'error'),
        db('provider_applications').orderBy('id').select('id', 'email', 'held_reason'),
        db('lead_notes').orderBy('id').select('id', 'body'),
        db('erasures').select('kind', 'row_id', 'email_hash'),
        db('staff_accounts').orderBy('id').select('email', 'password_hash'),
        db('providers').orderBy('id').select('id', 'name', 'location'),
      ])
    const kept = await readKept()
    expect(kept[0]).toHaveLength(8)
    expect(kept[3].length).toBeGreaterThan(20)

    expect(await pendingMigrations(db)).toBeGreaterThan(0)
    const { migrations } = await prepareDatabase(db, 'America/Chicago', APP_ROLE)
    const files = await migrationFiles.getMigrations([])
    expect(migrations).toEqual([...Object.keys(STEPS), ...files.slice(1)])
    expect(await pendingMigrations(db)).toBe(0)
    expect(await db('knex_migrations').orderBy('id').pluck('name')).toEqual(files)

    expect(await readKept()).toEqual(kept)
    const fresh = await createTestDatabase()
    onTestFinished(fresh.drop)
    expect(await describeSchema(db)).toEqual(await describeSchema(fresh.db))
  })

  it('is read and used by this release', async ({ url, db }) => {
    await restoreDump(url)
    await db.raw(`
      insert into staff_accounts (email, name, role) values ('new@staff.example', 'Nell New', 'agent');
      insert into staff_links (account_id, kind, requested_by, token_hash, expires_at)
      select id, 'invitation', 'manager', 'hash of an invitation', now() + interval '1 day'
      from staff_accounts where email = 'new@staff.example';
      insert into staff_passkeys (account_id, credential_id, public_key, counter, name)
      select id, 'phone', '', 0, 'Phone' from staff_accounts where email = 'new@staff.example';
      insert into staff_recovery_codes (account_id, code_hash) select account_id, 'hash' from staff_passkeys;
      insert into clinic_links (job_id, provider_id, email, token_hash, expires_at)
      select gen_random_uuid(), min(id), 'intake@bluebonnet.example', 'hash of a link', now() + interval '1 day' from providers;
      update provider_syncs set changes = '[{"name": "Quill", "told": "desk@quill.example"}, {"name": "Wren"}]' where id = 1`)
    await prepareDatabase(db, 'America/Chicago', APP_ROLE)
    const app = openDb(asApp(url))
    const api = await startApiServer(app)
    onTestFinished(async () => {
      await api.close()
      await app.destroy()
    })
    const staff = await staffHeaders(db)
    const read = async (path: string) => (await api.call('GET', path, undefined, staff)).body

    const { leads } = await read('/api/leads')
    expect(leads.map(({ id }: { id: number }) => id).sort()).toEqual(LEADS)
    for (const id of LEADS) expect(await read(`/api/leads/${id}`)).toMatchObject({ id, consent: { channel: null } })
    expect(await read(`/api/leads/${BOOKED}`)).toMatchObject({
      ...{ outcome: 'booked', acceptance_ip: '203.0.113.7', crm_external_id: 'crm-1' },
      ...{ source: 'google', campaign: 'fall', clinic: { email: 'intake@bluebonnet.example' } },
    })
    const inAll = JSON.stringify(await db('all_leads').pluck('attribution'))
    expect(inAll).not.toContain('CLICK')
    expect(inAll).not.toContain('ad_consent')
    expect(await read('/api/leads?q=Lopez')).toMatchObject({ leads: [{ id: UNMATCHED }] })
    expect(await read('/api/leads?q=5550107')).toMatchObject({ leads: [{ id: FAILED }] })
    expect(await db('leads').where({ id: AGAIN }).pluck('repeat_of')).toEqual([BOOKED])
    const stopped = await db('leads').where({ id: STOPPED }).first()
    expect(stopped && (await suppressions.isSuppressed(db, PERSON_KEY, stopped))).toBe(true)
    expect((await read('/api/provider-applications')).applications).toHaveLength(2)

    expect((await read('/api/deleted-leads')).leads).toMatchObject([{ id: DELETED, first_name: 'Della' }])
    expect((await api.call('POST', `/api/leads/${DELETED}/restore`, undefined, staff)).status).toBe(200)
    expect(await read(`/api/leads/${DELETED}`)).toMatchObject({ source: 'microsoft', acceptance_ip: '203.0.113.7' })
    expect(await jobsOf(db, DELETED).pluck('state')).toEqual(['waiting', 'waiting', 'waiting'])

    const people = await db('clinic_people').orderByRaw('lower(email)').select('email', 'added_by', 'gets')
    expect(people).toEqual([
      { email: 'all@cedar.example', added_by: 'our team', gets: 'requests' },
      { email: 'Boss@bluebonnet.example', added_by: 'desk@bluebonnet.example', gets: 'late' },
      { email: 'intake@bluebonnet.example', added_by: 'nurse@bluebonnet.example', gets: 'requests' },
    ])
    expect(await db('staff_recovery_codes')).toEqual([])
    expect((await read('/api/audit-log?entity=staff')).lines).toMatchObject([
      { actor: 'system', action: 'remove-factor', entity_name: 'Nell New', details: { kind: 'passkey', removed: 1 } },
    ])
    expect(await db('application_notes').pluck('text')).toEqual(['Called the practice'])
    expect(await db('one_time_tokens').orderBy('id').select('purpose', 'token_hash')).toEqual([
      { purpose: 'invitation', token_hash: 'hash of an invitation' },
      { purpose: 'clinic_link', token_hash: 'hash of a link' },
    ])
    expect(await db('provider_syncs').where({ id: 1 }).pluck('changes')).toEqual([
      [{ name: 'Quill', recipient: 'desk@quill.example' }, { name: 'Wren' }],
    ])

    const evidence = await runCommandFile('core/cli/privacy', ['verify'], {
      env: rawEnv({ DATABASE_URL: asApp(url) }),
    })
    expect(evidence).toMatchObject({ code: 0 })
    expect((await api.call('POST', '/api/leads', leadForm())).status).toBe(201)
  })

  it('may be upgraded by several runs at once, and again after one that was killed at any step', async ({
    url,
    db,
  }) => {
    await restoreDump(url)
    const names = Object.keys(STEPS)
    for (const at of [0, 7, 21]) {
      // As a run leaves a step whose statements are done, and which is not noted yet.
      const stop = names[at] ?? ''
      await upgradeUntil(db, stop)
      if (typeof STEPS[stop] === 'function') await db('knex_migrations').where({ name: stop }).delete()
    }
    const runs = await Promise.all([migrate(db), migrate(db), migrate(db)])
    expect(runs.flat().sort()).toEqual([...new Set(runs.flat())].sort())
    expect(await pendingMigrations(db)).toBe(0)
    expect(await db('leads').pluck('id')).toEqual(expect.arrayContaining(LEADS))
  })

  it('of an older release is refused with the release to start first, and nothing in it changes', async ({ db }) => {
    await db.raw('create table leads (id integer)')
    await migrate(db, { source: { ...oneMigration('20261120120000-leads') } })
    const before = await describeSchema(db)
    await expect(migrate(db)).rejects.toThrow(
      'This database is older than the release of November 26, 2026, so nothing was changed. Start that release first (commit d4f6f887), then this one.',
    )
    expect(await describeSchema(db)).toEqual(before)
    expect(await db('knex_migrations').pluck('name')).toEqual(['20261120120000-leads'])
  })
})

const oneMigration = (name: string) => ({
  getMigrations: async () => [name],
  getMigrationName: (given: string) => given,
  getMigration: async () => ({ async up() {}, async down() {} }),
})

/** Applies the steps up to one. */
async function upgradeUntil(db: Db, last: string): Promise<void> {
  const names = Object.keys(STEPS)
  for (const name of names.slice(0, names.indexOf(last) + 1)) {
    if ((await db('knex_migrations').where({ name })).length > 0) continue
    const step = STEPS[name] ?? ''
    const run = (sql: string) => db.raw(sql.replaceAll('?', '\\?'))
    await (typeof step === 'string' ? run(step) : step(run))
    await db('knex_migrations').insert({ name, batch: 2 })
  }
}
