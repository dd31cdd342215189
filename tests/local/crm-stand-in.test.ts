import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MINUTE } from '../../core/time.ts'
import type { CrmEvent } from '../../local/crm-stand-in.ts'
import { type CrmStandIn, startCrmStandIn } from '../../local/crm-stand-in.ts'
import { temporaryFolder } from './temporary-folder.ts'

const SECRET = `whsec_${randomBytes(32).toString('base64')}`

describe('the CRM stand-in', () => {
  let dataDir: string
  let crm: CrmStandIn
  beforeAll(async () => {
    dataDir = await temporaryFolder()
    crm = await startCrmStandIn({ dataDir, secret: SECRET })
  })
  afterAll(() => crm.stop())

  test('accepts a signed event and shows it', async () => {
    const answer = await post('evt-1', lead(1))
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ id: expect.stringMatching(/^crm_[0-9a-f]{12}$/) })
    expect(await events()).toMatchObject([{ id: 'evt-1', type: 'lead.created', deliveries: 1 }])

    const page = await (await fetch(crm.url)).text()
    expect(page).toContain('maria@visitor.example')
    expect(page).not.toContain('<Lopez>')
  })

  test('takes a repeated webhook-id for the same event, also at the same moment', async () => {
    const answers = await Promise.all([post('evt-2', lead(2)), post('evt-2', lead(2)), post('evt-2', lead(2))])
    const ids = await Promise.all(answers.map(async (answer) => ((await answer.json()) as { id: string }).id))
    expect(new Set(ids).size).toBe(1)
    expect((await events()).filter(({ id }) => id === 'evt-2')).toMatchObject([{ deliveries: 3 }])
  })

  test('gives a lead the same id whatever is sent about it', async () => {
    const ids = []
    for (const [id, body] of [
      ['evt-3', lead(3)],
      ['evt-4', { ...lead(3), type: 'lead.matched' }],
    ] as const) {
      ids.push(await (await post(id, body)).json())
    }
    expect(ids[0]).toEqual(ids[1])
  })

  test.each([
    ['another secret', { secret: `whsec_${randomBytes(32).toString('base64')}` }, 401],
    ['an old timestamp', { at: new Date(Date.now() - 6 * MINUTE) }, 401],
    ['a body changed on its way', { sent: '{}' }, 401],
    ['no signature', { headers: { 'webhook-signature': '' } }, 401],
    ['a body that is not JSON', { body: 'no json' }, 400],
    ['JSON that is no event', { body: '[]' }, 400],
    ['another content type', { headers: { 'content-type': 'text/plain' } }, 415],
    ['a body too large', { body: JSON.stringify('x'.repeat(2 ** 20)) }, 413],
  ])('refuses %s', async (_name, how, status) => {
    const before = await events()
    expect((await post('evt-refused', lead(9), how)).status).toBe(status)
    expect(await events()).toEqual(before)
  })

  test('refuses other methods', async () => {
    expect((await fetch(crm.webhookUrl)).status).toBe(405)
  })

  test('keeps its events over a restart', async () => {
    const before = await events()
    await crm.stop()
    crm = await startCrmStandIn({ dataDir, secret: SECRET })
    expect(await events()).toEqual(before)
    await post('evt-1', lead(1))
    expect((await events()).find(({ id }) => id === 'evt-1')).toMatchObject({ deliveries: 2 })
  })

  async function events(): Promise<CrmEvent[]> {
    return (await fetch(`${crm.url}/api/events`)).json() as Promise<CrmEvent[]>
  }

  interface How {
    secret?: string
    at?: Date
    /** What is signed, and sent unless `sent` says otherwise. */
    body?: string
    sent?: string
    headers?: Record<string, string>
  }

  function post(id: string, event: unknown, how: How = {}): Promise<Response> {
    const { secret = SECRET, at = new Date(), body = JSON.stringify(event), sent = body, headers } = how
    return fetch(crm.webhookUrl, {
      method: 'POST',
      body: sent,
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign(id, at, body),
        ...headers,
      },
    })
  }
})

function lead(id: number) {
  return {
    type: 'lead.created',
    timestamp: new Date().toISOString(),
    data: { lead: { id, first_name: 'Maria', last_name: '<Lopez>', email: 'maria@visitor.example' }, provider: null },
  }
}
