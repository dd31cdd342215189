import { describe, expect, it } from 'vitest'
import * as health from '../../core/conditions/stores/health.ts'
import * as candidates from '../../core/leads/stores/candidates.ts'
import { MAX_TESTS_PER_HOUR } from '../../core/staff/stores/audit-log.ts'
import { useApi, useStaff } from '../support/api-server.ts'
import { CRM } from '../support/env.ts'
import { createLead, createProvider, createStaff, leadForm } from '../support/factories.ts'
import { found } from '../support/found.ts'

const { api, database } = useApi({
  ...CRM,
  WORDPRESS_URL: 'https://clinics.example',
  // A test is no visitor: it neither meets these limits nor uses them up.
  ...{ VISITOR_LEADS_PER_HOUR: '1', CLINIC_LEADS_PER_HOUR: '1', LEADS_PER_HOUR: '1' },
})
const staff = useStaff(database)
const get = async (path: string) => (await api.call('GET', path, undefined, staff)).body
const read = () => get('/api/setup')
const post = (path: string, body?: object) => api.call('POST', path, body, staff)
const ADA = 'ada@leadwell.example'
const sendTestLead = (zip_code = '78701') => post('/api/setup/test-lead', { email: ADA, zip_code })

describe('the setup', () => {
  it('of a new installation has nothing, and says what is connected', async () => {
    expect(await read()).toEqual({
      has_worker: false,
      mail: { is_done: false, settings: null, check: null },
      crm: { is_done: false, kind: 'webhook', host: null, check: null },
      wordpress: {
        ...{ is_done: false, url: 'https://clinics.example', last_run: null, is_running: false, clinics: 0 },
      },
      team: { is_done: false, accounts: 0, invited: 0 },
      test_lead: { is_done: false, lead_id: null, zip_code: null },
    })
    expect((await get('/api/settings')).has_leads).toBe(false)
  })

  it('comes from facts: deliveries that arrived, accounts, and a worker that runs', async () => {
    const { id } = await createProvider(database.db, { zip_code: '78701' })
    await createLead(database.db, { providerId: id })
    await database.db('jobs').update({ state: 'done', finished_at: database.db.fn.now() })
    for (const _ of [1, 2]) await createStaff(database.db)
    await health.beat(database.db, crypto.randomUUID(), {
      mail: { server: 'mail.example:587', from: 'care@clinics.example', team: 'team@clinics.example' },
      crm: { kind: 'webhook', host: 'crm.example' },
    })
    expect(await read()).toMatchObject({
      has_worker: true,
      mail: {
        is_done: true,
        settings: {
          ...{ server: 'mail.example:587', from: 'care@clinics.example', team: 'team@clinics.example' },
        },
      },
      crm: { is_done: true, host: 'crm.example' },
      team: { is_done: true, accounts: 2 },
      test_lead: { zip_code: '78701' },
    })
    expect((await get('/api/settings')).has_leads).toBe(true)
  })
})

it('tests of mail, CRM, a clinic or a channel are limited, so that a session cannot flood an address', async () => {
  const { id } = await createProvider(database.db)
  const channel = await post('/api/alerts/channels', { kind: 'email', name: 'Owners', addresses: [ADA] })
  const tests = [
    ['check-mail', '/api/setup/check', { email: 'victim@elsewhere.example' }],
    ['check-crm', '/api/setup/check', {}],
    ['test-email', `/api/providers/${id}/test-email`, undefined],
    ['test-channel', `/api/alerts/channels/${channel.body.id}/test`, undefined],
  ] as const
  for (const [action, path, body] of tests) {
    expect([path, (await post(path, body)).status]).toEqual([path, 200])
    const lines = Array.from({ length: MAX_TESTS_PER_HOUR }, () => ({
      ...{ actor: ADA, action, entity: 'network' as const, entity_id: 'all' },
    }))
    await database.db('audit_log').insert(lines)
    const { status, body: refused } = await post(path, body)
    expect([path, status, refused.error]).toEqual([path, 429, expect.stringContaining('within an hour')])
  }
})

describe('a test lead', () => {
  it('is taken, matched and delivered like any other', async () => {
    const { id: providerId } = await createProvider(database.db, { zip_code: '78701', practice_name: 'Quill Clinic' })
    const { status, body } = await sendTestLead()
    expect({ status, body }).toEqual({ status: 201, body: { id: body.id, held: false } })
    expect((await read()).test_lead).toMatchObject({ is_done: false, lead_id: body.id })
    const { jobs } = await get(`/api/leads/${body.id}/jobs`)
    expect(jobs.map(({ purpose }: { purpose: string }) => purpose).toSorted()).toEqual([
      'created',
      'provider',
      'visitor',
    ])
    expect(await get(`/api/leads/${body.id}`)).toMatchObject({
      ...{ is_test: true, first_name: 'Test', last_name: 'Lead', email: ADA, provider_id: providerId },
    })
    await database.db('jobs').where({ purpose: 'provider' }).update({ state: 'done', finished_at: new Date() })
    expect((await read()).test_lead.is_done).toBe(true)
  })

  it('counts nowhere', async () => {
    const { id: providerId } = await createProvider(database.db, { zip_code: '78701' })
    const { id } = (await sendTestLead()).body
    await sendTestLead('99501')
    await database
      .db('jobs')
      .where({ name: 'sync-crm' })
      .update({
        ...{ state: 'failed', last_cause: 'refused', last_error: 'No.', finished_at: database.db.fn.now() },
      })

    expect(await get('/api/leads')).toEqual({ leads: [], total: 0 })
    expect(await get('/api/leads?q=Test')).toEqual({ leads: [], total: 0 })
    expect((await get('/api/leads/filter-values')).counts).toMatchObject({ all: 0, failed: 0, unmatched: 0, held: 0 })
    const overview = await get('/api/overview')
    expect(overview).toMatchObject({ totals: { now: { received: 0 } }, groups: { provider: [], state: [] } })
    expect(await get('/api/attention')).toMatchObject({ lines: [], total: 0 })
    expect(await get('/api/providers/figures')).toMatchObject([{ id: providerId, leads: 0, last_lead_at: null }])
    expect((await get('/api/providers'))[0]).toMatchObject({ leadCount: 0 })
    await api.call('POST', `/api/leads/${id}/outcomes`, { kind: 'declined', reason: 'other' }, staff)
    expect(await get(`/api/providers/${providerId}/record`)).toMatchObject({
      figures: { own: { requests: 0, declined: [] } },
      ...{ months: [], failed_leads: [] },
    })
    const csv = await api.call('GET', '/api/leads.csv', undefined, staff)
    expect(String(csv.body)).not.toContain('Test')
    expect(await database.db('answer_clocks')).toEqual([])
    expect((await get('/api/settings')).has_leads).toBe(false)

    // It is still counted in none of them once it is deleted or has changed.
    await database.db('leads').where({ id }).update({ crm_sync_status: 'failed' })
    expect((await get('/api/leads/filter-values')).counts).toMatchObject({ all: 0, failed: 0 })
    await api.call('DELETE', '/api/setup/test-lead', undefined, staff)
    expect((await get('/api/leads/filter-values')).counts).toMatchObject({ all: 0 })
  })

  it('uses up no cap, of a mailbox, of a clinic or of all', async () => {
    const { id: providerId } = await createProvider(database.db, { zip_code: '78701' })
    await database.db('provider_rules').insert({ provider_id: providerId, daily_cap: 1, updated_by: 'staff' })
    await sendTestLead()
    const { body } = await api.call('POST', '/api/leads', leadForm({ email: ADA, zip_code: '78701' }))
    // Nor is the visitor one who has asked before.
    expect(body).toMatchObject({ providerId })
    expect(await database.db('leads').where({ is_test: false }).select('repeat_of', 'match_kind')).toEqual([
      { repeat_of: null, match_kind: 'nearest' },
    ])
    const [near] = await candidates.findCandidates(database.db, [{ zip: '78701' }])
    expect(near?.nearest[0]?.rules?.caps).toEqual([{ period: 'day', used: 1, cap: 1 }])
  })

  it('is deleted permanently by a manager', async () => {
    await createProvider(database.db, { zip_code: '78701' })
    const { id } = (await sendTestLead()).body
    expect((await api.call('DELETE', '/api/setup/test-lead', undefined, staff)).body).toEqual({ success: true })
    expect((await api.call('GET', `/api/leads/${id}`, undefined, staff)).status).toBe(404)
    expect((await get('/api/deleted-leads')).total).toBe(0)
    expect((await api.call('DELETE', '/api/setup/test-lead', undefined, staff)).status).toBe(404)
    const { lines } = await get('/api/audit-log')
    expect(found(lines[0])).toMatchObject({ action: 'delete-test-lead', details: { arrived: false } })
  })
})
