import { describe, expect, it } from 'vitest'
import { useApi } from '../support/api-server.ts'
import { createProvider, leadForm } from '../support/factories.ts'

const { api, database } = useApi()

const send = (body: unknown, { query = '', headers = {} } = {}) => api.call('POST', `/api/leads${query}`, body, headers)
const storedLead = () => database.db('leads').first()
const jobNames = async () =>
  (await database.db('jobs').select('name', 'purpose')).map(({ name, purpose }) => `${name} ${purpose}`).toSorted()

describe('POST /api/leads, by what looks automated', () => {
  const TOO_FAST = { elapsed_ms: 40, touched: false }

  it.each([
    ['honeypot', { topic: 'cheap pills' }],
    ['too_fast', TOO_FAST],
  ])(
    'holds the lead (%s): it is matched, but its clinic is not promised, and the sender learns of the review',
    async (reason, signals) => {
      const { id: providerId } = await createProvider(database.db)
      const { status, body } = await send({ ...leadForm(), ...signals })

      expect(status).toBe(201)
      expect(body).toEqual({ id: expect.any(Number), inReview: true })
      expect(await storedLead()).toMatchObject({ held_reason: reason, provider_id: providerId })
      expect(await jobNames()).toEqual(['send-email team'])
      expect(await database.db('consents')).toHaveLength(1)
    },
  )

  it('does not swallow the form that the person sends next', async () => {
    const { id: providerId } = await createProvider(database.db)
    const form = leadForm()
    const headers = { 'idempotency-key': 'one-form' }
    const held = await send({ ...form, ...TOO_FAST }, { headers })
    const clean = await send({ ...form, elapsed_ms: 9000, touched: true }, { headers })

    expect(clean).toMatchObject({ status: 201, body: { providerId } })
    expect(clean.body.id).not.toBe(held.body.id)
    expect((await send({ ...form, ...TOO_FAST }, { headers })).body).toEqual(held.body)
    expect((await send(form, { headers })).body).toEqual(clean.body)
    expect((await send({ ...form, ...TOO_FAST })).body).toEqual({ id: expect.any(Number), inReview: true })
    expect((await send(form)).body).toEqual({ id: expect.any(Number), providerId })
    expect(await database.db('leads')).toHaveLength(2)
  })

  it('keeps both kinds apart when they come at once', async () => {
    const { id: providerId } = await createProvider(database.db)
    const form = leadForm()
    const forms = Array.from({ length: 40 }, (_, n) => (n % 2 ? form : { ...form, ...TOO_FAST }))
    const bodies = (await Promise.all(forms.map((body) => send(body)))).map(({ body }) => body)

    expect(bodies.filter((body) => body.inReview)).toHaveLength(20)
    expect(bodies.filter((body) => body.providerId === providerId)).toHaveLength(20)
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
    expect((await storedLead())?.held_reason).toBeNull()
  })

  it('takes whatever a program puts into the field', async () => {
    for (const topic of ['a\u0000b', 'a\ud800', 'x'.repeat(20_000)]) {
      expect((await send({ ...leadForm(), topic })).status).toBe(201)
    }
    expect(await database.db('leads').pluck('held_reason')).toEqual(['honeypot', 'honeypot', 'honeypot'])
  })
})
