import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { restoreLead } from '../../core/commands/leads/delete-lead.ts'
import type { JobName } from '../../core/contract/jobs.ts'
import { type Db, only } from '../../core/platform/db.ts'
import * as deletedLeads from '../../core/stores/deleted-leads.ts'
import * as leadLists from '../../core/stores/lead-lists.ts'
import * as leadOrigins from '../../core/stores/lead-origins.ts'
import { it, readMigrations } from '../support/empty-database.ts'
import { createProvider, leadForm } from '../support/factories.ts'

describe('the failures of the first release', () => {
  /** What senders said then, taken apart: our words, theirs, and the cause. */
  const FAILURES: [
    job: JobName,
    status: number | null,
    error: string,
    ours: string,
    theirs: string | null,
    cause: string,
  ][] = [
    [
      'send-email',
      550,
      'The mail server refused the e-mail. The mailbox does not exist: 550 5.1.1 <a@b.example> could not be reached',
      'The mail server refused the e-mail. The mailbox does not exist.',
      '550 5.1.1 <a@b.example> could not be reached',
      'unknown_mailbox',
    ],
    [
      'send-email',
      554,
      'The mail server refused our connection: 554 no: go away We have stopped trying.',
      'The mail server refused our connection. We have stopped trying.',
      '554 no: go away',
      'blocked',
    ],
    [
      'send-email',
      null,
      'The recipient has no valid e-mail address.',
      'The recipient has no valid e-mail address.',
      null,
      'bad_address',
    ],
    [
      'send-email',
      503,
      'The mail server could not take the e-mail yet: 503 5.5.1 bad sequence',
      'The mail server could not take the e-mail yet.',
      '503 5.5.1 bad sequence',
      'server_error',
    ],
    [
      'sync-crm',
      422,
      'The CRM refused the lead: it answered 422.',
      'The CRM refused the lead: it answered 422.',
      null,
      'refused',
    ],
    [
      'sync-crm',
      400,
      'The CRM refused the lead: it answered 400. It said: Email: is bad',
      'The CRM refused the lead: it answered 400.',
      'Email: is bad',
      'refused',
    ],
    [
      'sync-crm',
      200,
      'The CRM answered with more than 1 MB, which is no answer to a lead. It may have taken the lead, which is sent again.',
      'The CRM answered with more than 1 MB, which is no answer to a lead. It may have taken the lead, which is sent again.',
      null,
      'server_error',
    ],
    [
      'sync-crm',
      401,
      'HubSpot refused our credentials. Have HUBSPOT_TOKEN and its scopes checked. It said: Expired',
      'HubSpot refused our credentials. Have HUBSPOT_TOKEN and its scopes checked.',
      'Expired',
      'credentials',
    ],
    [
      'sync-crm',
      null,
      'Something went wrong on our side: insert failed',
      'Something went wrong on our side.',
      'insert failed',
      'our_side',
    ],
  ]

  it('keep their words and get a cause', async ({ db }) => {
    const migrations = await readMigrations()
    const split = migrations.findIndex(({ name }) => name.includes('failure-causes'))
    for (const { up } of migrations.slice(0, split)) await up(db)
    for (const [leadId, [name, status, error]] of FAILURES.entries()) {
      const purpose = name === 'sync-crm' ? 'created' : 'visitor'
      const job = {
        name,
        purpose,
        lead_id: leadId,
        state: 'failed' as const,
        last_error: error,
        finished_at: db.fn.now(),
      }
      const { id } = only(
        await db('jobs')
          .insert({ ...job, result: JSON.stringify({ status }) })
          .returning('id'),
      )
      await db('job_attempts').insert({ job_id: id, duration_ms: 5, outcome: 'failed', status, error })
    }
    await migrations[split]?.up(db)

    const jobs = await db('jobs').orderBy('lead_id').select('id', 'last_error', 'last_detail', 'last_cause')
    const expected = FAILURES.map(([, , , ours, theirs, cause]) => [ours, theirs, cause])
    expect(jobs.map((job) => [job.last_error, job.last_detail, job.last_cause])).toEqual(expected)
    const attempts = await db('job_attempts').join('jobs', 'jobs.id', 'job_id').orderBy('lead_id')
    expect(attempts.map(({ error, detail, cause }) => [error, detail, cause])).toEqual(expected)
  })
})

describe('leads of an earlier release', () => {
  it('keep that nobody was in reach, and those that are held have pending e-mails', async ({ db }) => {
    const migrations = await readMigrations()
    const split = migrations.findIndex(({ name }) => name.includes('unreached-leads'))
    for (const { up } of migrations.slice(0, split)) await up(db)
    const { id: provider } = await createProvider(db)
    const [byHand, found, fresh] = [
      await createEarlyLead(db),
      await createEarlyLead(db, { provider_id: provider, matched_at: db.fn.now(), match_kind: 'nearest' }),
      await createEarlyLead(db),
    ]
    const [held, old] = [await createEarlyLead(db, { held_reason: 'honeypot' }), await createEarlyLead(db)]
    const done = { state: 'done' as const, finished_at: '2026-03-02T12:00:00Z' }
    const looked = { ...done, result: JSON.stringify({ providerId: null, nearestMiles: 183 }) }
    await db('jobs').where({ lead_id: byHand, name: 'match-lead' }).update(looked)
    await db('leads')
      .where({ id: byHand })
      .update({ provider_id: provider, matched_at: db.fn.now(), match_kind: 'staff' })
    await db('jobs').where({ lead_id: old, name: 'match-lead' }).delete()
    await db('jobs').where({ lead_id: held }).update(done)
    await db('leads').where({ id: held }).update({ email_status: 'success' })
    for (const { up } of migrations.slice(split)) await up(db)

    const unreached = await db('leads').whereNotNull('unreached_at').orderBy('id').select('id', 'unreached_at')
    expect(unreached.map(({ id }) => id)).toEqual([byHand, old])
    expect(unreached[0]?.unreached_at).toEqual(new Date(done.finished_at))
    expect(await db('leads').whereIn('id', [found, fresh, held]).pluck('email_status')).toEqual(
      Array(3).fill('pending'),
    )
  })
})

describe('the people of an earlier release', () => {
  it('have asked before where an earlier lead that is not held has the same e-mail or phone', async ({ db }) => {
    const migrations = await readMigrations()
    const split = migrations.findIndex(({ name }) => name.includes('one-person'))
    for (const { up } of migrations.slice(0, split)) await up(db)
    const contact = { email: 'jordan@visitors.example', phone: '(512) 555-0101' }
    const first = await createEarlyLead(db, contact)
    const held = await createEarlyLead(db, { ...contact, held_reason: 'honeypot' })
    const byEmail = await createEarlyLead(db, { email: 'Jordan@visitors.example' })
    const byPhone = await createEarlyLead(db, { phone: '+1 512 555 0101' })
    const stranger = await createEarlyLead(db)
    for (const { up } of migrations.slice(split)) await up(db)

    const rows = await db('leads').orderBy('id').select('id', 'repeat_of')
    expect(rows.map(({ id, repeat_of }) => [id, repeat_of])).toEqual([
      ...[
        [first, null],
        [held, first],
        [byEmail, first],
      ],
      ...[
        [byPhone, first],
        [stranger, null],
      ],
    ])
  })
})

/** Stores a lead, and a job that looks for its provider where it has none, in a schema that this code does not write to. */
async function createEarlyLead(db: Db, columns: Record<string, unknown> = {}): Promise<number> {
  const { first_name, last_name, email, phone, zip_code } = leadForm()
  const { id } = only(
    await db('leads')
      .insert({
        ...{ first_name, last_name, email, phone, zip_code, request_hash: '', repeat_window: 'empty' },
        ...{ person_key: randomUUID(), ...columns },
      })
      .returning('id'),
  )
  const job = columns.held_reason
    ? { name: 'send-email' as const, purpose: 'team' }
    : { name: 'match-lead' as const, purpose: 'nearest' }
  if (!columns.provider_id) await db('jobs').insert({ lead_id: id, ...job })
  return id
}

describe('the measurement of an earlier release', () => {
  it('is gone, of a click on an ad its network stays, and the source of each lead is the same', async ({ db }) => {
    const migrations = await readMigrations()
    const split = migrations.findIndex(({ name }) => name.includes('no-measurement'))
    for (const { up } of migrations.slice(0, split)) await up(db)
    const page = 'https://www.leadwell.example/start'
    const touches: [kept: object, then: object, source: string | null][] = [
      [{ landing_page: page, gclid: 'SECRET' }, { landing_page: page, network: 'google' }, 'google'],
      [{ msclkid: 'SECRET', utm_campaign: 'fall' }, { network: 'microsoft', utm_campaign: 'fall' }, 'microsoft'],
      [
        { fbclid: 'SECRET', referrer: 'https://l.social.example/' },
        { network: 'facebook', referrer: 'https://l.social.example/' },
        'facebook',
      ],
      [{ utm_source: 'Radio', gclid: 'SECRET' }, { utm_source: 'Radio', network: 'google' }, 'radio'],
      [{ referrer: 'https://www.news.example/a' }, { referrer: 'https://www.news.example/a' }, 'news.example'],
      [{ landing_page: page }, { landing_page: page }, null],
    ]
    const ad_consent = { clinic: 7, google: 'booking-1' }
    for (const [kept] of touches) await createEarlyLead(db, { attribution: { first: kept, last: kept, ad_consent } })
    await createEarlyLead(db, { attribution: { made_up: true } })
    const deleted = await createEarlyLead(db, { attribution: { last: { gclid: 'SECRET' }, ad_consent } })
    await setAsideEarly(db, deleted)
    await db('jobs').insert({ name: 'purge', purpose: 'page-views' })
    for (const { up } of migrations.slice(split)) await up(db)

    const rows = await db('leads').orderBy('id').select('id', 'attribution')
    expect(rows.map(({ attribution }) => attribution)).toEqual([
      ...touches.map(([, then]) => ({ first: then, last: then })),
      { made_up: true },
    ])
    const sources = (await leadOrigins.add(db, rows)).map(({ source }) => source)
    expect(sources).toEqual([...touches.map(([, , source]) => source), null])
    expect(await db('all_leads').where('id', deleted).pluck('attribution')).toEqual([{ last: { network: 'google' } }])
    expect(await db('jobs').where({ name: 'purge' })).toEqual([])
  })
})

/** Deletes a lead as earlier releases did: its row moved to a table of its own, as JSON. */
const setAsideEarly = (db: Db, id: number, parked: string[] = []) =>
  db.raw(
    `with gone as (delete from leads where id = ? returning *)
     insert into deleted_leads (id, deleted_at, lead, parked_jobs)
     select id, '2026-11-20T12:00:00.123456Z', to_jsonb(gone) - 'is_test', ?::uuid[] from gone`,
    [id, parked],
  )

describe('a lead that was deleted in an earlier release', () => {
  it('is still deleted, does not count, and can be restored with its jobs', async ({ db }) => {
    const migrations = await readMigrations()
    const split = migrations.findIndex(({ name }) => name.endsWith('deleted-at'))
    for (const { up } of migrations.slice(0, split)) await up(db)
    const form = { person_key: randomUUID(), idempotency_key: 'k', repeat_window: '[2026-11-20,infinity)' }
    const id = await createEarlyLead(db, { ...form, crm_external_id: 'crm-1' })
    const early = { state: 'cancelled', finished_at: '2026-11-20T12:00:00.123Z' } as const
    await db('jobs').where({ lead_id: id }).update(early)
    const job = { lead_id: id, name: 'sync-crm', purpose: 'created', ...early } as const
    const { id: parked } = only(await db('jobs').insert(job).returning('id'))
    await setAsideEarly(db, id, [parked])
    const later = await createEarlyLead(db, form)
    for (const { up } of migrations.slice(split)) await up(db)

    expect(await db('leads').pluck('id')).toEqual([later])
    expect(await leadLists.count(db, { timeZone: 'UTC' })).toBe(1)
    const { leads } = await deletedLeads.list(db, { page: 1, limit: 10 }, 30)
    expect(leads).toMatchObject([{ id, deleted_at: '2026-11-20T12:00:00.123Z' }])
    await restoreLead(db, id, { actor: 'staff' })
    expect(await db('leads').where({ id }).first()).toMatchObject({ crm_external_id: 'crm-1', is_test: false })
    expect(await db('jobs').where({ lead_id: id, state: 'waiting' }).pluck('id')).toEqual([parked])
  })
})

describe('syncs of an earlier release', () => {
  it('that wait or run get a job', async ({ db }) => {
    const migrations = await readMigrations()
    const split = migrations.findIndex(({ name }) => name.includes('sync-jobs'))
    for (const { up } of migrations.slice(0, split)) await up(db)
    const [alive_at, finished_at] = [db.fn.now(), db.fn.now()]
    await db('provider_syncs').insert([
      { trigger: 'staff', state: 'done', alive_at, finished_at },
      { trigger: 'staff', state: 'running', alive_at },
      { trigger: 'staff', dry_run: true },
    ])
    await migrations[split]?.up(db)
    const jobs = await db('jobs').orderBy('sync_id')
    expect(jobs.map(({ name, purpose, sync_id, state }) => [name, purpose, sync_id, state])).toEqual([
      ['sync-providers', 'run', 2, 'waiting'],
      ['sync-providers', 'run', 3, 'waiting'],
    ])
  })
})

describe('the addresses of clinics of an earlier release', () => {
  it('are people who get the requests or are told of late answers', async ({ db }) => {
    const migrations = await readMigrations()
    const split = migrations.findIndex(({ name }) => name.includes('people-get-requests'))
    for (const { up } of migrations.slice(0, split)) await up(db)
    const { id: provider_id } = await createProvider(db, { email: 'desk@quill.example' })
    const { id: other } = await createProvider(db)
    const rules = [
      { provider_id, request_email: 'intake@quill.example', second_email: 'boss@quill.example', updated_by: 'clinic' },
      { provider_id: other, request_email: 'all@elm.example', second_email: 'all@elm.example', updated_by: 'staff' },
    ]
    await db('provider_rules').insert(rules as never)
    await db('clinic_people').insert({ provider_id, email: 'Boss@quill.example', added_by: 'desk@quill.example' })
    const by = {
      told_email: 'desk@quill.example',
      asked_by: 'nurse@quill.example',
      confirmed_at: new Date('2026-11-20'),
    }
    await db('clinic_addresses' as never).insert({
      ...by,
      provider_id,
      use: 'requests',
      to_email: 'intake@quill.example',
    } as never)
    for (const { up } of migrations.slice(split)) await up(db)

    expect(
      await db('clinic_people').orderByRaw('lower(email)').select('provider_id', 'email', 'added_by', 'gets'),
    ).toEqual([
      { provider_id: other, email: 'all@elm.example', added_by: 'our team', gets: 'requests' },
      { provider_id, email: 'Boss@quill.example', added_by: 'desk@quill.example', gets: 'late' },
      { provider_id, email: 'intake@quill.example', added_by: 'nurse@quill.example', gets: 'requests' },
    ])
    expect(await db('clinic_people').whereNull('confirmed_at')).toEqual([])
  })
})
