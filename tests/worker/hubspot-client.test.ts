import { Client } from '@hubspot/api-client'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createCrmSender } from '../../worker/senders/crm.ts'
import { asTheyAre, leadEvent } from '../support/crm-events.ts'
import { testEnv } from '../support/env.ts'
import { HUBSPOT_TOKEN, startHubspot, type TestHubspot } from '../support/hubspot-server.ts'

/*
 * HubSpot's own client talks to the HubSpot of our tests, so that what that one takes and answers is not our invention.
 */

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

  it('answers in part (207) as the client expects it', async () => {
    hubspot.refuse(({ id }) =>
      id === EMAIL
        ? { category: 'VALIDATION_ERROR', message: 'Bad phone', code: 'INVALID', property: 'phone' }
        : undefined,
    )
    const answer = await upsert([contact(), contact('visitor2@visitors.example')])

    expect(answer.results.map(({ properties }) => properties.email)).toEqual(['visitor2@visitors.example'])
    expect(answer).toMatchObject({
      numErrors: 1,
      errors: [
        {
          category: 'VALIDATION_ERROR',
          message: 'Bad phone',
          context: { objectWriteTraceId: [`trace of ${EMAIL}`] },
          errors: [{ code: 'INVALID', context: { propertyName: ['phone'] } }],
        },
      ],
    })
  })

  it.each([
    ['an unknown property', 400, 'VALIDATION_ERROR', [contact(EMAIL, { shoe_size: '9' })], HUBSPOT_TOKEN],
    ['a person twice', 400, 'VALIDATION_ERROR', [contact(), contact()], HUBSPOT_TOKEN],
    ['another token', 401, 'INVALID_AUTHENTICATION', [contact()], 'another'],
  ])('refuses %s with %i, as the client expects it', async (_, code, category, inputs, token) => {
    await expect(upsert(inputs, token)).rejects.toMatchObject({
      code,
      body: { category, message: expect.any(String), correlationId: expect.any(String) },
    })
  })

  it('is sent the same by our sender and by the client', async () => {
    const env = testEnv({ CRM_KIND: 'hubspot', HUBSPOT_TOKEN, HUBSPOT_BASE_URL: hubspot.url })
    await createCrmSender(env)?.send([leadEvent(1), leadEvent(2)], asTheyAre)
    const [ours] = hubspot.calls
    await upsert(ours as ReturnType<typeof contact>[])
    expect(hubspot.calls[1]).toEqual(ours)
    expect(hubspot.rejected).toEqual([])
  })
})
