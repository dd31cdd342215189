import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { HOUR, SECOND } from '../../core/contract/time.ts'
import { retryAll } from '../../core/deliveries/retry-deliveries.ts'
import { assignProvider } from '../../core/leads/assign-provider.ts'
import { deleteLead } from '../../core/leads/change-lead.ts'
import type { CrmEvent, CrmSender } from '../../worker/senders/crm-sender.ts'
import { createWebhookSender, webhookSchema } from '../../worker/senders/webhook.ts'
import { asTheyAre, failure, LEAD, leadEvent, OUTCOME, PROVIDER } from '../support/crm-events.ts'
import { type CrmAnswer, startCrmServer, type TestCrmServer } from '../support/crm-server.ts'
import { CRM_SECRET } from '../support/env.ts'
import { createLead, createProvider } from '../support/factories.ts'
import { useLeadJobs } from '../support/lead-jobs.ts'
import { purgeDeleted } from '../support/purges.ts'

let crm: TestCrmServer
let sender: CrmSender

beforeEach(async () => {
  crm = await startCrmServer()
  sender = createWebhookSender({ url: crm.url, secrets: [CRM_SECRET] })
})

afterEach(() => crm.close())

const EVENT = leadEvent()
const send = (event: CrmEvent) => sender.send(event, asTheyAre)

describe('an event', () => {
  it('arrives signed, and says everything about the lead', async () => {
    await send(EVENT)

    expect(crm.rejected).toEqual([])
    expect(crm.events).toEqual([
      {
        id: 'msg_7',
        timestamp: expect.any(Number),
        type: 'lead.created',
        data: {
          lead: expect.objectContaining({
            id: 7,
            first_name: 'Zoë',
            last_name: "O'Brien 李",
            email: LEAD.email,
            phone: LEAD.phone,
            zip_code: LEAD.zip_code,
            acceptance_consent: true,
            acceptance_message: 'I consent.',
          }),
          provider: null,
        },
      },
    ])
  })

  it('is refused by a CRM that holds another secret, and taken once it has ours', async () => {
    const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
    const stranger = createWebhookSender({ url: crm.url, secrets: [secret] })
    expect(await failure(stranger.send(EVENT, asTheyAre))).toMatchObject({
      retry: 'later',
      status: 401,
    })
    expect(crm.events).toEqual([])
  })

  it('says of a later match who it was', async () => {
    const lead = { ...LEAD, provider_id: 3, match_kind: 'staff' as const, match_distance_miles: 1.25 }
    await send({ ...EVENT, messageId: 'msg_8', purpose: 'matched', lead, provider: PROVIDER })

    const { id, name, practiceName, email, phone, zipCode } = PROVIDER
    expect(crm.events).toMatchObject([{ id: 'msg_8', type: 'lead.matched' }])
    expect(crm.events[0]?.data).toMatchObject({ lead: { match_kind: 'staff', match_distance_miles: 1.25 } })
    expect(crm.events[0]?.data.provider).toEqual({ id, name, practiceName, email, phone, zipCode })
  })

  it('says of a deleted lead its id and why it was deleted, and nothing else', async () => {
    await send({
      ...EVENT,
      messageId: 'msg_9',
      purpose: 'deleted',
      lead: { id: 7 },
      reason: 'request',
      crmId: '1',
    })
    expect(crm.events).toMatchObject([{ id: 'msg_9', type: 'lead.deleted', data: { lead: { id: 7 } } }])
    expect(crm.events[0]?.data).toEqual({ lead: { id: 7 }, reason: 'request' })
  })

  it('keeps its id and its own time over attempts, and each attempt is signed with the time that it is made', async () => {
    crm.answer({ status: 503 })
    await failure(send(EVENT))
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + SECOND })
    onTestFinished(() => void vi.useRealTimers())
    await failure(send(EVENT))

    const [first, second] = crm.events
    expect([first?.id, second?.id]).toEqual(['msg_7', 'msg_7'])
    expect(Number(second?.timestamp)).toBeGreaterThan(Number(first?.timestamp))
    expect(crm.bodies).toMatchObject([{ timestamp: EVENT.occurredAt }, { timestamp: EVENT.occurredAt }])
  })
})

describe('while the secret is changed', () => {
  const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`
  const [older, newer] = [secretOf(1), secretOf(2)]

  it.each([
    ['knows the old secret only', older],
    ['knows the new secret already', newer],
  ])('a CRM that %s takes what is signed with both', async (_, secret) => {
    const other = await startCrmServer({ secret })
    onTestFinished(() => other.close())
    await createWebhookSender({ url: other.url, secrets: [newer, older] }).send(EVENT, asTheyAre)

    expect(other.rejected).toEqual([])
    expect(other.events).toHaveLength(1)
    expect(other.signatures[0]).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/)
  })
})

it.each([
  ['an id', 200, '{"id":"abc-1"}', 'abc-1'],
  ['a number for an id', 201, '{"id":42}', '42'],
  ['no id', 200, '{"ok":true}', undefined],
  ['an id that is none', 200, '{"id":{"a":1}}', undefined],
  ['an empty id', 200, '{"id":""}', undefined],
  ['an id that the database could not hold', 200, '{"id":"a\\u0000b"}', undefined],
  ['nonsense', 200, '<html>thanks</html>', undefined],
  ['nothing', 204, undefined, undefined],
  ['half of an answer', 200, '{"id":"ab', undefined],
])('a CRM that takes it may answer with %s', async (_, status, body, externalId) => {
  crm.answer({ status, body })
  expect(await send(EVENT)).toEqual({ status, externalId })
})

describe('a CRM that does not take it', () => {
  it.each([400, 410, 413, 422])('is not tried again when it answers %i', async (status) => {
    crm.answer({ status, headers: { 'retry-after': '5' } })
    const error = await failure(send(EVENT))
    expect(error).toMatchObject({ retry: 'never', status })
    expect(error.message).toContain(String(status))
  })

  it.each([301, 304, 307])('is not tried again when it answers %i, and no other address is called', async (status) => {
    const other = await startCrmServer()
    onTestFinished(() => other.close())
    crm.answer({ status, headers: { location: other.url } })

    expect(await failure(send(EVENT))).toMatchObject({ retry: 'never', status })
    expect(other.events).toEqual([])
    expect(other.rejected).toEqual([])
  })

  // Also 401 to 451, as a gateway may answer while the CRM is replaced.
  it.each([401, 403, 404, 405, 409, 421, 423, 451, 408, 425, 429, 477, 500, 503])(
    'is tried again when it answers %i, not before it asked for',
    async (status) => {
      crm.answer({ status, headers: { 'retry-after': '5' } })
      const error = await failure(send(EVENT))
      expect(error).toMatchObject({ retry: 'later', status, retryAfter: 5 * SECOND })
      expect(error.message).toContain(String(status))
    },
  )

  it.each([
    ['a whole web site', { status: 200, body: `{"id":"${'a'.repeat(2 ** 20)}"}` }],
    ['an answer without end', 'endless' as const],
  ])('takes the lead with %s: done, without its id and without reading it all', async (_, answer) => {
    crm.answer(answer)
    const started = performance.now()
    expect(await send(EVENT)).toEqual({ status: 200, externalId: undefined })
    expect(performance.now() - started).toBeLessThan(5 * SECOND)
  })

  it('is kept word for word for staff, apart from our own words', async () => {
    for (const status of [400, 302, 503]) {
      crm.answer({ status, body: `{"error":"${LEAD.email} is bad"}` })
      const error = await failure(send(EVENT))
      expect(error.detail).toBe(`{"error":"${LEAD.email} is bad"}`)
      expect(error.message).not.toContain(LEAD.email)
    }
  })

  it('is kept up to 2 KB, as text, and without our address', async () => {
    const { pathname } = new URL(crm.url)
    expect(pathname.length).toBeGreaterThan(1)
    const said = async (answer: CrmAnswer) => {
      crm.answer(answer)
      return (await failure(send(EVENT))).detail
    }
    expect(await said({ status: 400, body: 'x'.repeat(5000) })).toBe('x'.repeat(2000))
    expect(await said({ status: 404, body: `Cannot POST ${pathname}` })).toBe('Cannot POST …')
    expect(await said({ status: 502 })).toBeUndefined()
    const page =
      '<html><head><style>h1 { color: red }</style></head><body><h1>Bad gateway</h1>\n<p>502 &amp; <a href="https://proxy.example">why</a></p></body></html>'
    expect(await said({ status: 502, body: page, headers: { 'content-type': 'text/html' } })).toBe(
      'Bad gateway 502 & why',
    )
  })
})

const isValid = addFormats.default(new Ajv2020({ strict: false })).compile(webhookSchema())

describe('docs/webhook.schema.json', () => {
  const occurredAt = '2026-11-20T12:00:00.000Z'
  const matched = { ...LEAD, provider_id: 3, match_kind: 'nearest' as const, match_distance_miles: 4.2 }
  it.each<[string, CrmEvent]>([
    ['lead.created', leadEvent()],
    ['lead.created', { messageId: 'msg_2', occurredAt, purpose: 'created', lead: matched, provider: PROVIDER }],
    ['lead.matched', { messageId: 'msg_3', occurredAt, purpose: 'matched', lead: matched, provider: PROVIDER }],
    [
      'lead.outcome',
      { messageId: 'msg_6', occurredAt, purpose: 'outcome', lead: matched, provider: PROVIDER, outcome: OUTCOME },
    ],
    ['lead.opted_out', { messageId: 'msg_5', occurredAt, purpose: 'opted_out', lead: matched, provider: PROVIDER }],
    [
      'lead.deleted',
      { messageId: 'msg_4', occurredAt, purpose: 'deleted', lead: { id: 7 }, reason: 'request', crmId: null },
    ],
  ])('describes what is sent as %s', async (type, event) => {
    await send(event)
    expect(crm.bodies).toMatchObject([{ type, timestamp: occurredAt }])
    expect(isValid(crm.bodies[0]), JSON.stringify(isValid.errors)).toBe(true)
  })

  it('is no schema that everything follows', async () => {
    await send(leadEvent())
    const body = crm.bodies[0] as { data: { lead: object } }
    for (const wrong of [
      { ...body, type: 'lead.eaten' },
      { ...body, timestamp: 'yesterday' },
      { ...body, data: { ...body.data, lead: { ...body.data.lead, email: null } } },
      { type: 'lead.deleted', timestamp: '2026-11-20T12:00:00Z', data: {} },
    ]) {
      expect(isValid(wrong)).toBe(false)
    }
  })

  it('says who stated an outcome, and what, but never the note', async () => {
    const event = { messageId: 'msg_6', occurredAt, purpose: 'outcome', lead: matched, provider: null } as const
    await send({ ...event, outcome: OUTCOME })
    const { kind, reason, booked_for, value_cents, source } = OUTCOME
    expect((crm.bodies[0] as { data: object }).data).toMatchObject({
      outcome: { kind, reason, booked_for, value_cents, source },
    })
    expect(JSON.stringify(crm.bodies)).not.toContain(OUTCOME.note)
  })

  it('never sends what is only ours: address of the visitor, keys of the clinic', async () => {
    const event: CrmEvent = { messageId: 'msg_5', occurredAt, purpose: 'created', lead: matched, provider: PROVIDER }
    await send(event)
    const sent = JSON.stringify(crm.bodies)
    expect(sent).not.toContain(LEAD.acceptance_ip)
    expect(sent).not.toContain(PROVIDER.mpxapi)
  })
})

const STAFF = { actor: 'staff' }
const { worker, run, newest, lead, matchedLead } = useLeadJobs()

/** Makes an attempt at the newest job, and returns the time in the webhook. */
async function webhookTime(leadId: number, purpose: string): Promise<Date> {
  worker.crmServer.bodies.length = 0
  await run((await newest(leadId, 'sync-crm', purpose)).id)
  expect(worker.crmServer.bodies).toMatchObject([{ type: `lead.${purpose}` }])
  return new Date((worker.crmServer.bodies as { timestamp: string }[])[0]?.timestamp ?? '')
}

it('the webhook of a new lead has the time when it came in, in each attempt and when staff send it again', async () => {
  const id = await matchedLead()
  const cameIn = new Date(Date.now() - HOUR)
  await worker.db('leads').where({ id }).update({ created_at: cameIn })

  worker.crmServer.answer({ status: 503 })
  expect(await webhookTime(id, 'created')).toEqual(cameIn)
  worker.crmServer.answer({ status: 200 })
  expect(await webhookTime(id, 'created')).toEqual(cameIn)
  await retryAll(worker.db, `lead:${id}`, 'sync-crm', STAFF)
  expect(await webhookTime(id, 'created')).toEqual(cameIn)
})

it('the webhook of a later match has the time of the match', async () => {
  const { id: providerId } = await createProvider(worker.db)
  const id = await createLead(worker.db)
  await assignProvider(worker.db, id, providerId, STAFF)
  const { matched_at } = await lead(id)
  await webhookTime(id, 'created')

  expect(await webhookTime(id, 'matched')).toEqual(matched_at)
  await retryAll(worker.db, `lead:${id}`, 'sync-crm', STAFF)
  expect(await webhookTime(id, 'matched')).toEqual(matched_at)
  expect((await newest(id, 'sync-crm', 'matched')).created_at.getTime()).toBeGreaterThan(Number(matched_at))
})

it('the webhook of a deletion has the time of the permanent deletion', async () => {
  const id = await matchedLead()
  await webhookTime(id, 'created')
  await deleteLead(worker.db, id, STAFF)
  await purgeDeleted(worker.db)
  const { created_at } = await newest(id, 'sync-crm', 'deleted')

  worker.crmServer.answer({ status: 503 })
  expect(await webhookTime(id, 'deleted')).toEqual(created_at)
  worker.crmServer.answer({ status: 204 })
  expect(await webhookTime(id, 'deleted')).toEqual(created_at)
})
