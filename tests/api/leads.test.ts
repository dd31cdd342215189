import { describe, expect, it } from 'vitest'
import { CONSENT } from '../../core/contract/consent.ts'
import { LeadReceipt } from '../../core/contract/lead-form.ts'
import { startApiServer, useApi } from '../support/api-server.ts'
import { createTestDatabase } from '../support/database.ts'
import { createProvider, idOf, leadForm } from '../support/factories.ts'

const { api, database } = useApi()

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
    expect(await storedLead()).toMatchObject({
      reference: String(body.id),
      provider_id: providerId,
      match_kind: 'nearest',
    })
    expect(await jobNames()).toEqual(['send-email provider', 'send-email visitor', 'sync-crm created'])
  })

  it('gives the lead to the provider that the visitor chose, however far', async () => {
    await createProvider(database.db)
    const { id: providerId } = await createProvider(database.db, NEW_YORK)
    const { body } = await send(leadForm(), { query: `?providerId=${providerId}` })

    expect(body.providerId).toBe(providerId)
    const lead = await storedLead()
    expect(lead?.match_kind).toBe('chosen')
    expect(lead?.match_distance_miles).toBeGreaterThan(1000)
  })

  it('takes the nearest when the chosen provider is inactive', async () => {
    const { id: nearest } = await createProvider(database.db)
    const { id: inactive } = await createProvider(database.db, { status: 'f' })
    const { body } = await send(leadForm(), { query: `?providerId=${inactive}` })

    expect(body.providerId).toBe(nearest)
    expect(await storedLead()).toMatchObject({ match_kind: 'nearest' })
  })

  it.each(['999999', 'abc', '', '1;drop table leads', '1&providerId=2'])(
    'takes the nearest when the chosen provider makes no sense (%s)',
    async (providerId) => {
      const { id: nearest } = await createProvider(database.db)
      await createProvider(database.db, NEW_YORK)
      const { status, body } = await send(leadForm(), { query: `?providerId=${providerId}` })

      expect({ status, providerId: body.providerId }).toEqual({ status: 201, providerId: nearest })
    },
  )

  it('stores the lead unmatched when nobody is within the radius', async () => {
    await createProvider(database.db, HOUSTON)
    const { status, body } = await send(leadForm())

    expect(status).toBe(201)
    expect(body).toEqual({ id: expect.any(Number) })
    expect(await storedLead()).toMatchObject({ provider_id: null, match_kind: null, match_distance_miles: null })
    expect(await jobNames()).toEqual(['match-lead nearest', 'sync-crm created'])
  })

  it('takes the radius from the settings', async () => {
    const far = await startApiServer(database.app, { MATCH_RADIUS_MILES: '200' })
    try {
      const { id } = await createProvider(database.db, HOUSTON)
      expect((await far.call('POST', '/api/leads', leadForm())).body.providerId).toBe(id)
    } finally {
      await far.close()
    }
  })

  it('keeps the evidence of the consent, and of the page no query', async () => {
    const { body } = await send(leadForm(), {
      headers: { 'user-agent': 'Browser/1.0', referer: 'https://www.leadwell.example/start?email=me@visitors.example' },
    })
    expect(await database.db('consents').first()).toMatchObject({
      lead_id: await idOf(database.db, body),
      wording: CONSENT.form.wording,
      wording_version: CONSENT.form.version,
      sharing_wording: CONSENT.form.sharing.wording,
      ip: '127.0.0.1',
      user_agent: 'Browser/1.0',
      page_url: 'https://www.leadwell.example/start',
    })
  })
})

it('POST /api/leads, repeated answers 50 identical calls at once with one receipt, and stores one lead', async () => {
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

it('a matching that fails never fails the submission: the lead is stored unmatched, and a job matches it', async () => {
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
