import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Lead } from '../../core/contract/leads.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../core/time.ts'
import { DeliveryError } from '../../worker/delivery-error.ts'
import type { CrmEvent, CrmSender } from '../../worker/senders/crm-sender.ts'
import { createWebhookSender, retryAfter } from '../../worker/senders/webhook.ts'
import { startCrmServer, type TestCrmServer } from '../support/crm-server.ts'
import { CRM_SECRET } from '../support/env.ts'

let crm: TestCrmServer
let sender: CrmSender
beforeEach(async () => {
  crm = await startCrmServer()
  sender = createWebhookSender({ url: crm.url, secret: CRM_SECRET })
})
afterEach(() => crm.close())

const LEAD: Lead = {
  id: 7,
  first_name: 'Zoë',
  last_name: "O'Brien 李",
  email: 'zoe@visitors.example',
  phone: '(512) 555-0100',
  zip_code: '78702',
  provider_id: null,
  created_at: '2026-11-20T12:00:00.000Z',
  crm_sync_status: 'pending',
  email_status: 'pending',
  acceptance_message: 'I consent.',
  acceptance_consent: true,
  acceptance_ip: '203.0.113.7',
  matched_at: null,
  match_kind: null,
  match_distance_miles: null,
}
const EVENT: CrmEvent = { messageId: 'msg_1', purpose: 'created', lead: LEAD, provider: null }

async function failure(sending: Promise<unknown>): Promise<DeliveryError> {
  const error = await sending.then(
    () => new Error('It was taken.'),
    (reason: Error) => reason,
  )
  expect(error).toBeInstanceOf(DeliveryError)
  return error as DeliveryError
}

describe('an event', () => {
  it('arrives signed, and says everything about the lead', async () => {
    await sender.send(EVENT)

    expect(crm.rejected).toEqual([])
    expect(crm.events).toEqual([
      {
        id: 'msg_1',
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

  it('is refused by a CRM that holds another secret, and not tried again', async () => {
    const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
    expect(await failure(createWebhookSender({ url: crm.url, secret }).send(EVENT))).toMatchObject({
      retry: 'never',
      status: 401,
    })
    expect(crm.events).toEqual([])
  })

  it('keeps its id over attempts, and each attempt has a time of its own', async () => {
    crm.answer({ status: 503 })
    await failure(sender.send(EVENT))
    await new Promise((resolve) => setTimeout(resolve, SECOND))
    await failure(sender.send(EVENT))

    const [first, second] = crm.events
    expect([first?.id, second?.id]).toEqual(['msg_1', 'msg_1'])
    expect(Number(second?.timestamp)).toBeGreaterThan(Number(first?.timestamp))
  })
})

describe('a CRM that takes it', () => {
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
  ])('may answer with %s', async (_, status, body, externalId) => {
    crm.answer({ status, body })
    expect(await sender.send(EVENT)).toEqual({ status, externalId })
  })
})

describe('a CRM that does not', () => {
  it.each([400, 401, 403, 404, 409, 410, 413, 422])('answers %i: never again', async (status) => {
    crm.answer({ status, headers: { 'retry-after': '5' } })
    const error = await failure(sender.send(EVENT))
    expect(error).toMatchObject({ retry: 'never', status })
    expect(error.message).toContain(String(status))
  })

  it.each([301, 302, 303, 307, 308, 304])('answers %i: never again, and nobody is asked instead', async (status) => {
    const other = await startCrmServer()
    onTestFinished(() => other.close())
    crm.answer({ status, headers: { location: other.url } })

    expect(await failure(sender.send(EVENT))).toMatchObject({ retry: 'never', status })
    expect(other.events).toEqual([])
    expect(other.rejected).toEqual([])
  })

  it.each([408, 425, 429, 500, 502, 503, 504, 507])('answers %i: again later', async (status) => {
    crm.answer({ status })
    expect(await failure(sender.send(EVENT))).toMatchObject({ retry: 'later', status, askedFor: undefined })
  })

  it('says when to come back, with 429 or 503', async () => {
    for (const status of [429, 503]) {
      crm.answer({ status, headers: { 'retry-after': '120' } })
      expect(await failure(sender.send(EVENT))).toMatchObject({ retry: 'later', status, askedFor: 2 * MINUTE })
    }
  })

  it('answers garbage: again later', async () => {
    crm.answer('garbage')
    expect(await failure(sender.send(EVENT))).toMatchObject({ retry: 'later', status: undefined })
  })

  it('hangs up: again later', async () => {
    const server = createServer((socket) => socket.once('data', () => socket.resetAndDestroy()))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

    const error = await failure(createWebhookSender({ url, secret: CRM_SECRET }).send(EVENT))
    expect(error).toMatchObject({ retry: 'later', status: undefined })
  })

  it('is not there: again later, and the reason is told', async () => {
    const error = await failure(createWebhookSender({ url: 'http://127.0.0.1:1/', secret: CRM_SECRET }).send(EVENT))
    expect(error.retry).toBe('later')
    expect(error.message).toMatch(/^The CRM could not be reached: \S/)
  })

  it('never answers: again later, within the deadline', async () => {
    crm.answer('hang')
    const started = performance.now()
    const error = await failure(sender.send(EVENT))

    expect(error).toMatchObject({ retry: 'later', message: expect.stringContaining('15 seconds') })
    expect(performance.now() - started).toBeLessThan(16 * SECOND)
  })

  it('never sees a secret or a visitor in what staff are told', async () => {
    for (const status of [400, 302, 503]) {
      crm.answer({ status, body: `{"error":"${LEAD.email} is bad"}` })
      const { message } = await failure(sender.send(EVENT))
      expect(message).not.toContain(LEAD.email)
      expect(message).not.toContain('whsec')
    }
  })
})

describe('Retry-After', () => {
  const now = Date.parse('2026-11-20T12:00:00Z')

  it.each([
    ['120', 2 * MINUTE],
    [' 120 ', 2 * MINUTE],
    ['Fri, 20 Nov 2026 13:00:00 GMT', HOUR],
    ['Friday, 20-Nov-26 13:00:00 GMT', HOUR],
    [null, undefined],
    ['', undefined],
    ['0', undefined],
    ['-5', undefined],
    ['soon', undefined],
    ['1e3', undefined],
    ['Fri, 20 Nov 2026 11:00:00 GMT', undefined],
  ])('%j means %j ms', (header, expected) => {
    expect(retryAfter(header, now)).toBe(expected)
  })

  it.each(['99999999999', '9'.repeat(25), '9'.repeat(400), 'Fri, 20 Nov 2999 13:00:00 GMT', 'try in 2090'])(
    'never puts a lead off for more than a day (%s)',
    (header) => {
      expect(retryAfter(header, now) ?? 0).toBeLessThanOrEqual(DAY)
    },
  )
})
