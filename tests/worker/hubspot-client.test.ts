import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createCrmSender } from '../../worker/senders/crm.ts'
import { asTheyAre, leadEvent } from '../support/crm-events.ts'
import { testEnv } from '../support/env.ts'
import { HUBSPOT_TOKEN, startHubspot, type TestHubspot } from '../support/hubspot-server.ts'

/*
 * HubSpot's own client talks to the HubSpot of our tests, so that what that one takes and answers is not our invention. It is loaded
 * without its types, which are a third of the files of a type check.
 */
const { Client } = await import('@hubspot/api-client' as string)

let hubspot: TestHubspot
beforeAll(async () => {
  hubspot = await startHubspot()
})
afterEach(() => hubspot.reset())
afterAll(() => hubspot.close())

const EMAIL = 'visitor1@visitors.example'
const contact = (id = EMAIL, properties: Record<string, string> = { firstname: 'Zoë', phone: '(512) 555-0100' }) => ({
  id,
  idProperty: 'email',
  objectWriteTraceId: `trace of ${id}`,
  properties: { ...properties, email: id },
})
const upsert = (inputs: ReturnType<typeof contact>[], accessToken = HUBSPOT_TOKEN) =>
  new Client({ accessToken, basePath: hubspot.url }).crm.contacts.batchApi.upsert({ inputs })

describe('the HubSpot of our tests', () => {
  it("takes what HubSpot's client sends, and the client understands its answer", async () => {
    const answer = await upsert([contact(), contact('visitor2@visitors.example')])

    expect(hubspot.rejected).toEqual([])
    expect(answer).toMatchObject({ status: 'COMPLETE', startedAt: expect.any(Date), completedAt: expect.any(Date) })
    expect(answer.results).toHaveLength(2)
    expect(answer.results[0]).toMatchObject({
      id: hubspot.contacts.get(EMAIL)?.id,
      _new: true,
      objectWriteTraceId: `trace of ${EMAIL}`,
      properties: { email: EMAIL, firstname: 'Zoë' },
      createdAt: expect.any(Date),
      updatedAt: expect.any(Date),
    })
    expect((await upsert([contact()])).results[0]).toMatchObject({ id: hubspot.contacts.get(EMAIL)?.id, _new: false })
  })

  it('is sent the same by our sender and by the client', async () => {
    const env = testEnv({ CRM_KIND: 'hubspot', HUBSPOT_TOKEN, HUBSPOT_BASE_URL: hubspot.url })
    await createCrmSender(env)?.send(leadEvent(), asTheyAre)
    const [ours] = hubspot.calls
    await upsert(ours as ReturnType<typeof contact>[])
    expect(hubspot.calls[1]).toEqual(ours)
    expect(hubspot.rejected).toEqual([])
  })

  describe('whose stages are read', () => {
    const client = () => new Client({ accessToken: HUBSPOT_TOKEN, basePath: hubspot.url }).crm
    const query = (id: string, limit = 100) => ({
      filterGroups: [{ filters: [{ propertyName: 'hs_object_id', operator: 'GT', value: id } as never] }],
      sorts: [{ propertyName: 'hs_object_id', direction: 'ASCENDING' }] as never,
      properties: [],
      limit,
    })
    const time = '2026-11-24T12:00:00.000Z'

    it('answers searches, histories and the contacts of deals as the client understands them', async () => {
      hubspot.records.setLifecycle('7', 'customer', time)
      hubspot.records.setDeal('31', 'closedwon', { contacts: ['7'] })
      const found = await client().contacts.searchApi.doSearch(query('6'))
      expect(found).toMatchObject({ total: 1, results: [{ id: '7', updatedAt: expect.any(Date) }] })
      expect((await client().deals.searchApi.doSearch(query('31'))).total).toBe(0)

      const inputs = [{ id: '7' }, { id: '8' }]
      const properties = ['lifecyclestage']
      const read = await client().contacts.batchApi.read({ inputs, properties, propertiesWithHistory: properties })
      expect(read).toMatchObject({
        numErrors: 1,
        errors: [{ category: 'OBJECT_NOT_FOUND' }],
        results: [
          {
            id: '7',
            properties: { lifecyclestage: 'customer' },
            propertiesWithHistory: { lifecyclestage: [{ value: 'customer', timestamp: new Date(time) }] },
          },
        ],
      })

      const { results } = await client().associations.v4.batchApi.getPage('deals', 'contacts', {
        inputs: [{ id: '31' }],
      })
      expect(results).toMatchObject([{ _from: { id: '31' }, to: [{ toObjectId: 7 }] }])
      expect(hubspot.rejected).toEqual([])
    })
  })
})
