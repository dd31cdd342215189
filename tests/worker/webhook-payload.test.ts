import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CrmEvent, CrmSender } from '../../worker/senders/crm-sender.ts'
import { createWebhookSender } from '../../worker/senders/webhook.ts'
import { webhookSchema } from '../../worker/senders/webhook-payload.ts'
import { asTheyAre, LEAD, leadEvent, OUTCOME, PROVIDER } from '../support/crm-events.ts'
import { startCrmServer, type TestCrmServer } from '../support/crm-server.ts'
import { CRM_SECRET } from '../support/env.ts'

const isValid = addFormats.default(new Ajv2020({ strict: false })).compile(webhookSchema())

let crm: TestCrmServer
let sender: CrmSender
beforeAll(async () => {
  crm = await startCrmServer()
  sender = createWebhookSender({ url: crm.url, secrets: [CRM_SECRET] })
})
beforeEach(() => {
  crm.bodies.length = 0
})
afterAll(() => crm.close())

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
    await sender.send([event], asTheyAre)
    expect(crm.bodies).toMatchObject([{ type, timestamp: occurredAt }])
    expect(isValid(crm.bodies[0]), JSON.stringify(isValid.errors)).toBe(true)
  })

  it('is no schema that everything follows', async () => {
    await sender.send([leadEvent()], asTheyAre)
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

  it('tells who stated an outcome, and what, but never the note', async () => {
    const event = { messageId: 'msg_6', occurredAt, purpose: 'outcome', lead: matched, provider: null } as const
    await sender.send([{ ...event, outcome: OUTCOME }], asTheyAre)
    const { kind, reason, booked_for, value_cents, source } = OUTCOME
    expect((crm.bodies[0] as { data: object }).data).toMatchObject({
      outcome: { kind, reason, booked_for, value_cents, source },
    })
    expect(JSON.stringify(crm.bodies)).not.toContain(OUTCOME.note)
  })

  it('never sends what is only ours: address of the visitor, keys of the clinic', async () => {
    const event: CrmEvent = { messageId: 'msg_5', occurredAt, purpose: 'created', lead: matched, provider: PROVIDER }
    await sender.send([event], asTheyAre)
    const sent = JSON.stringify(crm.bodies)
    expect(sent).not.toContain(LEAD.acceptance_ip)
    expect(sent).not.toContain(PROVIDER.mpxapi)
  })
})
