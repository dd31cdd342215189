import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CONSENT } from '../../core/contract/consent.ts'
import { LeadDetails, LeadList, LeadReceipt } from '../../core/contract/leads.ts'
import * as attempts from '../../core/stores/attempts.ts'
import { type ApiServer, startApiServer } from '../support/api-server.ts'
import { createTestDatabase, emptyDatabase, useDatabase } from '../support/database.ts'
import { createLead, createProvider, leadForm, staffHeaders } from '../support/factories.ts'

const database = useDatabase()
let api: ApiServer
beforeAll(async () => {
  api = await startApiServer(database.db)
})
afterAll(() => api.close())
afterEach(() => emptyDatabase(database.db))

const HOUSTON = { zip_code: '77002' }
const NEW_YORK = { zip_code: '10001' }

const send = (body: unknown, { query = '', headers = {} } = {}) => api.call('POST', `/api/leads${query}`, body, headers)
const storedLead = () => database.db('leads').first()
const jobNames = async () =>
  (await database.db('jobs').select('name', 'purpose')).map(({ name, purpose }) => `${name} ${purpose}`).toSorted()

describe('POST /api/leads', () => {
  it('gives the lead to the nearest provider and answers with both ids', async () => {
    await createProvider(database.db, HOUSTON)
    const { id: providerId } = await createProvider(database.db)
    const { status, body } = await send(leadForm())

    expect(status).toBe(201)
    expect(LeadReceipt.strict().parse(body)).toEqual({ id: expect.any(Number), providerId })
    expect(await storedLead()).toMatchObject({ id: body.id, provider_id: providerId, match_kind: 'nearest' })
    expect(await jobNames()).toEqual(['send-email provider', 'send-email visitor', 'sync-crm created'])
  })

  it('gives the lead to the provider that the visitor chose, however far', async () => {
    await createProvider(database.db)
    const { id: providerId } = await createProvider(database.db, NEW_YORK)
    const { body } = await send(leadForm(), { query: `?providerId=${providerId}` })

    expect(body.providerId).toBe(providerId)
    const lead = await storedLead()
    expect(lead.match_kind).toBe('chosen')
    expect(lead.match_distance_miles).toBeGreaterThan(1000)
  })

  it('takes the nearest when the chosen provider is inactive', async () => {
    const { id: nearest } = await createProvider(database.db)
    const { id: inactive } = await createProvider(database.db, { status: 'f' })
    const { body } = await send(leadForm(), { query: `?providerId=${inactive}` })

    expect(body.providerId).toBe(nearest)
    expect(await storedLead()).toMatchObject({ match_kind: 'nearest' })
  })

  it.each([
    '999999',
    '0',
    '-1',
    '1.5',
    'abc',
    '',
    'null',
    '2147483648',
    '99999999999999999999',
    '1;drop table leads',
    '%00',
    '1&providerId=2',
  ])('takes the nearest when the chosen provider makes no sense (%s)', async (providerId) => {
    const { id: nearest } = await createProvider(database.db)
    await createProvider(database.db, NEW_YORK)
    const { status, body } = await send(leadForm(), { query: `?providerId=${providerId}` })

    expect({ status, providerId: body.providerId }).toEqual({ status: 201, providerId: nearest })
  })

  it('stores the lead unmatched when nobody is within the radius', async () => {
    await createProvider(database.db, HOUSTON)
    const { status, body } = await send(leadForm())

    expect(status).toBe(201)
    expect(body).toEqual({ id: expect.any(Number) })
    expect(await storedLead()).toMatchObject({ provider_id: null, match_kind: null, match_distance_miles: null })
    expect(await jobNames()).toEqual(['match-lead nearest', 'sync-crm created'])
  })

  it('takes the radius from the settings', async () => {
    const far = await startApiServer(database.db, { MATCH_RADIUS_MILES: '200' })
    try {
      const { id } = await createProvider(database.db, HOUSTON)
      expect((await far.call('POST', '/api/leads', leadForm())).body.providerId).toBe(id)
    } finally {
      await far.close()
    }
  })

  it('prefers, among the equally near, the provider with fewer leads', async () => {
    const [busy, idle] = [await createProvider(database.db), await createProvider(database.db)]
    await createLead(database.db, { providerId: busy.id })

    expect((await send(leadForm())).body.providerId).toBe(idle.id)
    expect((await send(leadForm())).body.providerId).toBe(busy.id)
  })

  it('keeps the evidence of the consent', async () => {
    const { body } = await send(leadForm(), {
      headers: { 'user-agent': 'Browser/1.0', referer: 'https://www.velmora.example/?utm_source=radio' },
    })
    expect(await database.db('consents').first()).toMatchObject({
      lead_id: body.id,
      wording: CONSENT.form.wording,
      wording_version: CONSENT.form.version,
      ip: '127.0.0.1',
      user_agent: 'Browser/1.0',
      page_url: 'https://www.velmora.example/?utm_source=radio',
    })
  })

  it('wakes the relay', async () => {
    const before = api.wakes()
    await send(leadForm())
    expect(api.wakes()).toBe(before + 1)
  })

  it('trims what is typed', async () => {
    await send({ ...leadForm(), first_name: '  Jordan ', zip_code: ' 78702 ', email: ' a@visitors.example ' })
    expect(await storedLead()).toMatchObject({ first_name: 'Jordan', zip_code: '78702', email: 'a@visitors.example' })
  })

  it('takes names of every language', async () => {
    const names = { first_name: 'Zoë 李 🙂', last_name: "O'Brien-Nuñez <b>" }
    expect((await send(leadForm(names))).status).toBe(201)
    expect(await storedLead()).toMatchObject(names)
  })
})

describe('POST /api/leads, repeated', () => {
  it('answers 50 identical calls at once with one receipt, and stores one lead', async () => {
    await createProvider(database.db)
    const form = leadForm()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => send(form, { headers: { 'idempotency-key': 'one-form' } })),
    )
    expect(new Set(answers.map(({ status, body }) => JSON.stringify({ status, body }))).size).toBe(1)
    expect(answers[0]?.status).toBe(201)
    expect(await database.db('leads')).toHaveLength(1)
    expect(await database.db('consents')).toHaveLength(1)
    expect(await jobNames()).toEqual(['send-email provider', 'send-email visitor', 'sync-crm created'])
  })

  it('refuses a key that was used for another form', async () => {
    const headers = { 'idempotency-key': 'one-form' }
    await send(leadForm(), { headers })
    const { status, body } = await send(leadForm(), { headers })

    expect(status).toBe(422)
    expect(body).toMatchObject({ code: 'invalid', error: expect.stringMatching(/already sent/) })
    expect(await database.db('leads')).toHaveLength(1)
  })
})

describe('POST /api/leads, by what looks automated', () => {
  const TOO_FAST = { elapsed_ms: 40, touched: false }

  it.each([
    ['honeypot', { topic: 'cheap pills' }],
    ['too_fast', TOO_FAST],
  ])('holds the lead (%s): it is matched, but its clinic is not promised', async (reason, signals) => {
    const { id: providerId } = await createProvider(database.db)
    const { status, body } = await send({ ...leadForm(), ...signals })

    expect(status).toBe(201)
    expect(body).toEqual({ id: expect.any(Number) })
    expect(await storedLead()).toMatchObject({ held_reason: reason, provider_id: providerId })
    expect(await jobNames()).toEqual(['send-email team'])
    expect(await database.db('consents')).toHaveLength(1)
  })

  it('does not swallow the form that the person sends next', async () => {
    const { id: providerId } = await createProvider(database.db)
    const form = leadForm()
    const headers = { 'idempotency-key': 'one-form' }
    const held = await send({ ...form, ...TOO_FAST }, { headers })
    const clean = await send({ ...form, elapsed_ms: 9000, touched: true }, { headers })

    expect(clean).toMatchObject({ status: 201, body: { providerId } })
    expect(clean.body.id).not.toBe(held.body.id)
    expect((await send({ ...form, ...TOO_FAST })).body).toEqual(held.body)
    expect((await send(form)).body).toEqual(clean.body)
    expect(await database.db('leads')).toHaveLength(2)
  })

  it('keeps both kinds apart when they come at once', async () => {
    const { id: providerId } = await createProvider(database.db)
    const form = leadForm()
    const forms = Array.from({ length: 40 }, (_, n) => (n % 2 ? form : { ...form, ...TOO_FAST }))
    const bodies = (await Promise.all(forms.map((body) => send(body)))).map(({ body }) => JSON.stringify(body))

    expect(new Set(bodies).size).toBe(2)
    expect(bodies.filter((body) => JSON.parse(body).providerId === providerId)).toHaveLength(20)
    expect(await database.db('leads')).toHaveLength(2)
  })

  it.each([
    { topic: 5, elapsed_ms: 'x', touched: 'y' },
    { topic: null, elapsed_ms: null, touched: null },
    { topic: ' ', elapsed_ms: -5, touched: false },
    { elapsed_ms: 300, touched: true },
  ])('takes the lead as any other where the signals say nothing (%j)', async (signals) => {
    const { id: providerId } = await createProvider(database.db)
    expect((await send({ ...leadForm(), ...signals })).body.providerId).toBe(providerId)
    expect((await storedLead()).held_reason).toBeNull()
  })

  it('takes whatever a program puts into the field', async () => {
    for (const topic of ['a\u0000b', 'a\ud800', 'x'.repeat(20_000)]) {
      expect((await send({ ...leadForm(), topic })).status).toBe(201)
    }
    expect(await database.db('leads').pluck('held_reason')).toEqual(['honeypot', 'honeypot', 'honeypot'])
  })
})

describe('attribution', () => {
  it('is kept, first and last touch', async () => {
    const attribution = {
      first: { landing_page: '/clinics', utm_source: 'radio', gclid: 'abc' },
      last: { referrer: 'https://search.example/', utm_campaign: 'fall' },
    }
    await send(leadForm({ attribution }))
    expect((await storedLead()).attribution).toEqual(attribution)
  })

  it.each([
    ['a text', 'nonsense', {}],
    ['a list', [], {}],
    ['null', null, {}],
    ['touches of the wrong type', { first: 5, last: { utm_source: 'radio' } }, { last: { utm_source: 'radio' } }],
    ['a value of the wrong type', { first: { utm_source: 5, gclid: 'abc' } }, { first: { gclid: 'abc' } }],
    ['a value too long', { first: { utm_source: 'x'.repeat(5000), gclid: 'abc' } }, { first: { gclid: 'abc' } }],
    [
      'control characters',
      { last: { referrer: 'a\u0000b', utm_term: 'c\r\nd', gclid: 'abc' } },
      { last: { gclid: 'abc' } },
    ],
    ['lone surrogates', { last: { referrer: 'a\ud800', gclid: 'abc' } }, { last: { gclid: 'abc' } }],
    ['unknown names', { first: { gclid: 'abc', secret: 'x' }, third: {} }, { first: { gclid: 'abc' } }],
  ])('is left out, and the lead taken, where it holds %s', async (_, attribution, kept) => {
    const { status } = await send({ ...leadForm(), attribution })
    expect(status).toBe(201)
    expect((await storedLead()).attribution).toEqual(kept)
  })
})

describe('the address of the visitor', () => {
  it.each([
    { hops: '0', forwarded: '198.51.100.9', expected: '127.0.0.1' },
    { hops: '1', forwarded: undefined, expected: '127.0.0.1' },
    { hops: '1', forwarded: '198.51.100.9', expected: '198.51.100.9' },
    { hops: '1', forwarded: '6.6.6.6, 198.51.100.9', expected: '198.51.100.9' },
    { hops: '2', forwarded: '198.51.100.9, 192.0.2.1', expected: '198.51.100.9' },
    { hops: '2', forwarded: '6.6.6.6, 7.7.7.7, 198.51.100.9, 192.0.2.1', expected: '198.51.100.9' },
  ])('is $expected behind $hops proxies with X-Forwarded-For: $forwarded', async ({ hops, forwarded, expected }) => {
    const proxied = await startApiServer(database.db, { TRUST_PROXY_HOPS: hops })
    try {
      const headers: Record<string, string> = forwarded ? { 'x-forwarded-for': forwarded } : {}
      await proxied.call('POST', '/api/leads', leadForm(), headers)
      expect((await storedLead()).acceptance_ip).toBe(expected)
      expect((await database.db('consents').first()).ip).toBe(expected)
    } finally {
      await proxied.close()
    }
  })
})

describe('the limit of leads per address', () => {
  it('answers 429 with Retry-After, and counts each visitor behind the proxy alone', async () => {
    const limited = await startApiServer(database.db, { LEAD_RATE_PER_MINUTE: '3', TRUST_PROXY_HOPS: '1' })
    const sendFrom = (ip: string, headers = {}) =>
      limited.call('POST', '/api/leads', leadForm(), { 'x-forwarded-for': ip, ...headers })
    try {
      for (let n = 0; n < 3; n++) expect((await sendFrom(`${n}.1.1.1, 198.51.100.9`)).status).toBe(201)

      const { status, headers, body } = await sendFrom('9.9.9.9, 198.51.100.9')
      expect(status).toBe(429)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
      expect(body).toMatchObject({ code: 'rate_limited', error: expect.stringMatching(/try again/) })
      expect((await sendFrom('198.51.100.10')).status).toBe(201)
      expect(await database.db('leads')).toHaveLength(4)
    } finally {
      await limited.close()
    }
  })
})

describe('a matching that fails', () => {
  it('never fails the submission: the lead is stored unmatched, and a job matches it', async () => {
    const own = await createTestDatabase()
    const broken = await startApiServer(own.db)
    try {
      const { id: providerId } = await createProvider(own.db)
      await own.db.raw('alter table providers rename column location to place')

      for (const query of ['', `?providerId=${providerId}`]) {
        const { status, body } = await broken.call('POST', `/api/leads${query}`, leadForm())
        expect(status).toBe(201)
        expect(body).toEqual({ id: expect.any(Number) })
      }
      expect(await own.db('leads').pluck('provider_id')).toEqual([null, null])
      expect(await own.db('jobs').where('name', 'match-lead')).toHaveLength(2)
    } finally {
      await broken.close()
      await own.drop()
    }
  })
})

describe('GET /api/leads', () => {
  let staff: { cookie: string }
  const get = (query = '') => api.call('GET', `/api/leads${query}`, undefined, staff)
  const ids = (leads: { id: number }[]) => leads.map(({ id }) => id)
  beforeEach(async () => {
    staff = await staffHeaders(database.db)
  })

  it('gives the newest 40 and their total, in the shape of the contract', async () => {
    const created: number[] = []
    const { id: providerId } = await createProvider(database.db)
    for (let n = 0; n < 42; n++) created.push(await createLead(database.db, n % 2 ? {} : { providerId }))
    const { status, body } = await get()

    expect(status).toBe(200)
    expect(LeadList.strict().parse(body)).toEqual(body)
    expect(body.total).toBe(42)
    expect(ids(body.leads)).toEqual(created.toReversed().slice(0, 40))
    expect(ids((await get('?page=2')).body.leads)).toEqual([created[1], created[0]])
    expect((await get('?page=3')).body).toEqual({ leads: [], total: 42 })
    expect(ids((await get('?sort=created_at&limit=3&page=2')).body.leads)).toEqual(created.slice(3, 6))
  })

  it('tells whether the mails of each lead have gone out', async () => {
    const id = await createLead(database.db, { providerId: (await createProvider(database.db)).id })
    const status = async () => (await get()).body.leads[0].email_status
    const settle = async (purpose: string, settlement: attempts.Settlement) => {
      const job = await database.db('jobs').where({ lead_id: id, purpose }).first()
      const [attempt] = await attempts.begin(database.db, [job.id])
      await database.db.transaction((trx) => attempts.settle(trx, attempt as attempts.Attempt, settlement, 12))
    }

    expect(await status()).toBe('pending')
    await settle('visitor', { state: 'done', result: {} })
    expect(await status()).toBe('pending')
    await settle('provider', { state: 'failed', error: 'no such box' })
    expect(await status()).toBe('failed')
  })

  it.each([
    'page=0',
    'page=-1',
    'page=x',
    'page=1.5',
    'page=',
    'page=1&page=2',
    'page=99999999999',
    'limit=0',
    'limit=101',
    'limit=all',
    'sort=email',
    'sort=created_at;drop',
    'sort=',
    'q=%00',
    `q=${'x'.repeat(101)}`,
    'crm_sync_status=done',
    'email_status=',
    'failed=yes',
    'held=1',
    'unmatched=TRUE',
    'provider_id=x',
    'provider_id=0',
    'from=yesterday',
    'from=2026-02-30',
    'to=0001-01-01',
    'to=2026-03-02T00:00',
  ])('refuses ?%s', async (query) => {
    const { status, body } = await get(`?${query}`)
    expect(status).toBe(422)
    expect(body).toMatchObject({
      code: 'invalid',
      error: expect.any(String),
      fields: { [String(query.split('=')[0])]: expect.any(String) },
    })
  })

  it('finds, filters and sorts', async () => {
    const { id: providerId } = await createProvider(database.db)
    const first = await createLead(database.db, { form: { last_name: 'Serin', phone: '512.555.0142' } })
    const second = await createLead(database.db, { providerId, form: { last_name: 'Canary' } })
    const today = new Date().toISOString().slice(0, 10)
    for (const [query, expected] of [
      ['q=', [second, first]],
      ['q=+SERIN+', [first]],
      ['q=(512)+555-0142', [first]],
      [`provider_id=${providerId}&unmatched=false&held=false`, [second]],
      ['crm_sync_status=pending&email_status=pending&failed=false&sort=-name', [first, second]],
      [`from=${today}&unmatched=true`, [first]],
      ['to=2020-01-01', []],
    ] as const) {
      const { body } = await get(`?${query}`)
      expect([query, ids(body.leads), body.total]).toEqual([query, expected, expected.length])
    }
  })

  it('ignores what it does not know in the query', async () => {
    expect((await get('?utm_source=x&__proto__[page]=0')).status).toBe(200)
  })
})

describe('GET /api/leads/{id}', () => {
  it('tells all that staff may know of a lead, in the shape of the contract', async () => {
    const staff = await staffHeaders(database.db)
    const { id: providerId } = await createProvider(database.db)
    const attribution = { first: { landing_page: '/', utm_source: 'radio' }, last: { landing_page: '/homev2' } }
    const id = await createLead(database.db, { providerId, form: { attribution } })
    const { status, body } = await api.call('GET', `/api/leads/${id}`, undefined, staff)

    expect(status).toBe(200)
    expect(LeadDetails.strict().parse(body)).toEqual(body)
    expect(body).toMatchObject({
      id,
      provider_id: providerId,
      match_kind: 'nearest',
      match_distance_miles: 1.5,
      crm_external_id: null,
      attribution,
      consent: {
        wording: CONSENT.form.wording,
        wording_version: CONSENT.form.version,
        wording_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        ip: '203.0.113.7',
        user_agent: 'test',
        page_url: 'http://localhost:3000/',
      },
    })
    for (const wrong of ['x', '0', '1.5']) {
      expect((await api.call('GET', `/api/leads/${wrong}`, undefined, staff)).status).toBe(422)
    }
  })
})
