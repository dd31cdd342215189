import { beforeEach, describe, expect, it } from 'vitest'
import { CONSENT } from '../../core/contract/consent.ts'
import { LeadCounts, LeadDetails, LeadList } from '../../core/leads/contract/leads.ts'
import { useApi } from '../support/api-server.ts'
import { createLead, createProvider, staffHeaders } from '../support/factories.ts'

const { api, database } = useApi()

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

  it('finds by where the visitor lives and came from', async () => {
    const { id: providerId } = await createProvider(database.db, { name: 'Dr. Hartmann' })
    const attribution = { last: { landing_page: '/', utm_source: 'Radio', utm_campaign: 'Spring' } }
    const first = await createLead(database.db, { providerId, form: { zip_code: '21201', attribution } })
    const second = await createLead(database.db)
    for (const [query, expected] of [
      ['state=md', [first]],
      ['source=RADIO&campaign=spring', [first]],
      ['source=none', [second]],
      ['not_reached=false&sort=-provider', [second, first]],
      ['q=hartmann+baltimore', [first]],
      [`q=%23${second}`, [second]],
    ] as const) {
      const { body } = await get(`?${query}`)
      expect([query, ids(body.leads), body.total]).toEqual([query, expected, expected.length])
    }
    expect((await get(`?q=%23${first}`)).body.leads[0]).toMatchObject({
      place: 'Baltimore, MD',
      source: 'radio',
      campaign: 'spring',
    })
  })

  it('exports and changes the leads of the same filter', async () => {
    const first = await createLead(database.db, { form: { zip_code: '21201' } })
    await createLead(database.db)
    const { body } = await api.call('GET', '/api/leads.csv?state=MD&sort=provider', undefined, staff)
    const rows = String(body).trim().split('\n')
    expect(rows).toHaveLength(2)
    expect(rows[1]).toMatch(new RegExp(`^"?${first}"?,`))

    const bulk = (expected: number) =>
      api.call('POST', '/api/leads/bulk', { action: 'delete', filter: { state: 'MD' }, expected }, staff)
    expect((await bulk(2)).status).toBe(409)
    expect((await bulk(1)).status).toBe(202)
  })
})

it('GET /api/leads/counts counts what needs attention, and GET /api/leads/filter-values lists what leads have', async () => {
  const staff = await staffHeaders(database.db)
  await createLead(database.db, { form: { attribution: { last: { landing_page: '/', utm_source: 'radio' } } } })
  const get = async (path: string) => (await api.call('GET', path, undefined, staff)).body
  expect(LeadCounts.strict().parse(await get('/api/leads/counts'))).toEqual({
    ...{ all: 1, failed: 0, unmatched: 1, held: 0, not_reached: 0, late: 0, due: 0 },
  })
  expect(await get('/api/leads/filter-values')).toEqual({
    ...{ states: ['TX'], sources: ['radio'], campaigns: [], staff: [], tags: [] },
  })
})

it('GET /api/leads/{id} tells all that staff may know of a lead, in the shape of the contract', async () => {
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
