import { expect, it } from 'vitest'
import { useApi } from '../support/api-server.ts'
import { createProvider, leadForm } from '../support/factories.ts'

const { api, database } = useApi()

const send = (body: unknown, { query = '', headers = {} } = {}) => api.call('POST', `/api/leads${query}`, body, headers)
const storedLead = () => database.db('leads').first()
const jobNames = async () =>
  (await database.db('jobs').select('name', 'purpose')).map(({ name, purpose }) => `${name} ${purpose}`).toSorted()

const TOO_FAST = { elapsed_ms: 40, touched: false }

it.each([
  ['honeypot', { topic: 'cheap pills' }],
  ['too_fast', TOO_FAST],
])(
  'POST /api/leads, by what looks automated holds the lead (%s): it is matched, but its clinic is not promised, and the sender learns of the review',
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
