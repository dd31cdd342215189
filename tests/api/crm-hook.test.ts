import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { HOUR, MINUTE, SECOND } from '../../core/contract/time.ts'
import { deleteLead, purgeLead } from '../../core/leads/change-lead.ts'
import * as outcomes from '../../core/leads/stores/outcomes.ts'
import { allowContactOfLead } from '../../core/privacy/stop-contact.ts'
import { type ApiServer, apiWith, useApi } from '../support/api-server.ts'
import { CRM_SECRET, PERSON_KEY } from '../support/env.ts'
import { createLead, createProvider } from '../support/factories.ts'
import { found } from '../support/found.ts'

const { api, database } = useApi({ CRM_INBOUND_SECRET: CRM_SECRET })

const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
const message = (lead: unknown, outcome: unknown, timestamp = new Date().toISOString()) => ({
  type: 'lead.outcome',
  timestamp,
  data: { lead, outcome },
})

type Sending = { id?: string; secret?: string; at?: Date; to?: ApiServer; signed?: string }

function send(body: unknown, { id = 'msg_1', secret = CRM_SECRET, at = new Date(), to = api, signed }: Sending = {}) {
  const text = JSON.stringify(body)
  return to.call('POST', '/api/hooks/crm', text, {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / SECOND)),
    'webhook-signature': new Webhook(secret).sign(id, at, signed ?? text),
  })
}

const matchedLead = async () => {
  const id = await createLead(database.db, { providerId: (await createProvider(database.db)).id })
  // It came an hour ago, so that the CRM can tell of what happened since.
  await database
    .db('leads')
    .where({ id })
    .update({ matched_at: ago(HOUR), crm_external_id: `crm-${id}` })
  return id
}
const current = async (id: number) => found(await database.db('leads').where({ id }).first('outcome', 'outcome_at'))
const history = async (id: number) => (await outcomes.list(database.db, id)).map(({ kind }) => kind)

describe('POST /api/hooks/crm', () => {
  it('records what the CRM states, of the lead by our id or by its own, and never tells it back', async () => {
    const [one, other] = [await matchedLead(), await matchedLead()]
    const outcome = { kind: 'treated', value_cents: 250_000, at: ago(MINUTE) }
    expect(await send(message({ id: one }, outcome))).toMatchObject({ status: 200, body: { success: true } })
    expect((await send(message({ crm_id: `crm-${other}` }, { kind: 'attended' }), { id: 'msg_2' })).status).toBe(200)

    expect(await outcomes.list(database.db, one)).toMatchObject([
      { kind: 'treated', value_cents: 250_000, source: 'crm', actor: 'crm', happened_at: outcome.at },
    ])
    expect(await current(one)).toEqual({ outcome: 'treated', outcome_at: new Date(outcome.at) })
    expect((await current(other)).outcome).toBe('attended')
    expect(await database.db('jobs').where({ purpose: 'outcome' })).toEqual([])
    expect(await database.db('answer_clocks').where('lead_id', one).first()).toMatchObject({
      answered_at: new Date(outcome.at),
      step_at: null,
    })
  })

  it('answers 200 to a repeated message, and does nothing twice', async () => {
    const id = await matchedLead()
    const reached = message({ id }, { kind: 'reached' })
    await send(reached)
    await send(message({ id }, { kind: 'booked', booked_for: '2026-12-01' }), { id: 'msg_2' })
    expect((await send(reached)).status).toBe(200)
    const parallel = await Promise.all(Array.from({ length: 5 }, () => send(reached, { id: 'msg_3' })))
    expect(parallel.map(({ status }) => status)).toEqual(Array(5).fill(200))

    expect(await history(id)).toEqual(['reached', 'booked', 'reached'])
    expect((await current(id)).outcome).toBe('booked')
  })

  it('keeps what happened before the clinic got the lead, and its clock runs on', async () => {
    const id = await matchedLead()
    await send(message({ id }, { kind: 'declined', reason: 'too_far' }, ago(2 * HOUR)))
    expect(await history(id)).toEqual(['declined'])
    expect(await current(id)).toEqual({ outcome: null, outcome_at: null })
    expect(await database.db('answer_clocks').where('lead_id', id).first()).toMatchObject({ answered_at: null })
  })

  it('stops contact when the person wants none, unless staff allowed it again since then', async () => {
    const id = await matchedLead()
    const stop = message({ id }, { kind: 'opted_out' }, ago(MINUTE))
    const active = () => database.db('suppressions').whereNull('lifted_at').pluck('actor')
    expect((await send(stop)).status).toBe(200)
    expect(await active()).toEqual(['crm', 'crm'])

    await allowContactOfLead(database.db, id, { actor: 'staff', because: 'They called us.' }, PERSON_KEY)
    expect((await send(stop)).status).toBe(200)
    expect(await active()).toEqual([])
  })

  it('answers 404 for an unknown lead, 410 for a deleted one, and 409 for a held one', async () => {
    const [restorable, purged] = [await matchedLead(), await matchedLead()]
    for (const id of [restorable, purged]) await deleteLead(database.db, id, { actor: 'staff' })
    await purgeLead(database.db, purged, { actor: 'staff', personKey: PERSON_KEY })
    const held = await createLead(database.db, { heldReason: 'honeypot' })
    const statusOf = async (lead: unknown) => (await send(message(lead, { kind: 'reached' }))).status

    expect(await statusOf({ id: 424_242 })).toBe(404)
    expect(await statusOf({ crm_id: 'crm-424242' })).toBe(404)
    for (const id of [restorable, purged]) {
      expect(await statusOf({ id })).toBe(410)
      expect(await statusOf({ crm_id: `crm-${id}` })).toBe(410)
    }
    expect(await statusOf({ id: held })).toBe(409)
  })

  it('refuses a message that is not signed with the secret, for exactly this body, now', async () => {
    const id = await matchedLead()
    const body = message({ id }, { kind: 'reached' })
    const other = `whsec_${Buffer.from('another secret of 32 bytes long.').toString('base64')}`
    const refused = [
      await send(body, { secret: other }),
      await send(body, { signed: JSON.stringify({ ...body, type: 'x' }) }),
      await send(body, { at: new Date(Date.now() - 6 * MINUTE) }),
      await send(body, { at: new Date(Date.now() + 6 * MINUTE) }),
      await api.call('POST', '/api/hooks/crm', body),
    ]
    expect(refused.map(({ status }) => status)).toEqual(Array(5).fill(401))
    expect(await history(id)).toEqual([])
  })
})

it('without CRM_INBOUND_SECRET there is nothing at the address', async () => {
  const to = await apiWith(database.app)
  expect((await send(message({ id: 1 }, { kind: 'reached' }), { to })).status).toBe(404)
})
