import { describe, expect, it } from 'vitest'
import { recordOutcome } from '../../core/commands/leads/record-outcome.ts'
import { stopContactOfLead } from '../../core/commands/opt-outs/stop-contact.ts'
import * as jobs from '../../core/stores/jobs.ts'
import { useApi } from '../support/api-server.ts'
import { PERSON_KEY } from '../support/env.ts'
import { createLead, createProvider, createStaff, staffHeaders } from '../support/factories.ts'

const { api, database } = useApi()

const call = async (method: string, path: string, body?: unknown) =>
  api.call(method, path, body, await staffHeaders(database.db))
const passOn = (id: number) => call('POST', `/api/leads/${id}/pass-on`)
const next = async (id: number) => (await call('GET', `/api/leads/${id}/next-clinic`)).body.clinic

/** Three clinics, the nearest first, and a lead that the nearest one has. */
async function nearLead() {
  const clinics: number[] = []
  for (const zip_code of ['78702', '78660', '76501']) clinics.push((await createProvider(database.db, { zip_code })).id)
  const id = await createLead(database.db, { providerId: clinics[0] })
  await arrive(id)
  return { id, clinics }
}
const arrive = (id: number) =>
  database
    .db('jobs')
    .where('lead_id', id)
    .where('state', 'waiting')
    .update({ state: 'done', finished_at: database.db.fn.now() })
const waiting = async (id: number) =>
  (await jobs.list(database.db, { leadId: id }))
    .filter(({ state }) => state === 'waiting')
    .map(({ purpose }) => purpose)
    .toSorted()

describe('POST /api/leads/{id}/pass-on', () => {
  it('gives the lead to the next nearest clinic that has not had it, and tells everybody once', async () => {
    const { id, clinics } = await nearLead()
    expect(await next(id)).toMatchObject({ id: clinics[1], miles: expect.any(Number) })
    expect((await passOn(id)).body).toMatchObject({ provider_id: clinics[1], match_kind: 'nearest' })
    expect(await waiting(id)).toEqual(['matched', 'new_clinic', 'passed_on', 'provider'])
    expect(await database.db('audit_log').where('action', 'pass-on').first()).toMatchObject({
      details: { from: clinics[0], to: clinics[1] },
    })

    await arrive(id)
    expect((await passOn(id)).body).toMatchObject({ provider_id: clinics[2] })
    expect(await waiting(id)).toEqual(['matched', 'new_clinic', 'passed_on', 'provider'])
    const goodbyes = await database
      .db('jobs')
      .where({ lead_id: id, purpose: 'passed_on' })
      .pluck('previous_provider_id')
    expect(goodbyes.toSorted()).toEqual([clinics[0], clinics[1]])

    await arrive(id)
    const { status, body } = await passOn(id)
    expect(status).toBe(409)
    expect(body.error).toBe('No other clinic within 100 miles can take this lead.')
    expect(await next(id)).toBeNull()
  })

  it('can be undone, and the next clinic is the same again', async () => {
    const { id, clinics } = await nearLead()
    await passOn(id)
    expect((await call('POST', `/api/leads/${id}/undo-match`)).status).toBe(200)
    expect(await waiting(id)).toEqual([])
    expect(await next(id)).toMatchObject({ id: clinics[1] })
  })

  it('skips a clinic that never got the e-mail, and tells that clinic nothing', async () => {
    const { id, clinics } = await nearLead()
    await passOn(id)
    // The e-mails of the second clinic are still waiting.
    await passOn(id)
    expect(await waiting(id)).toEqual(['matched', 'new_clinic', 'passed_on', 'provider'])
    const goodbyes = await database
      .db('jobs')
      .where({ lead_id: id, purpose: 'passed_on', state: 'waiting' })
      .pluck('previous_provider_id')
    expect(goodbyes).toEqual([clinics[0]])
    expect((await passOn(id)).status).toBe(409)
  })

  it('is for agents, not for viewers', async () => {
    const { id, clinics } = await nearLead()
    const as = async (role: 'agent' | 'viewer') =>
      api.call(
        'POST',
        `/api/leads/${id}/pass-on`,
        undefined,
        await staffHeaders(database.db, (await createStaff(database.db, { role })).id),
      )
    expect((await as('viewer')).status).toBe(403)
    expect((await as('agent')).body).toMatchObject({ provider_id: clinics[1] })
  })

  it.each([
    ['held', () => createLead(database.db, { heldReason: 'honeypot' }), 'This lead is held. Release it first.'],
    ['without a clinic', () => createLead(database.db), 'No clinic has this lead. Match it with one.'],
    [
      'with an appointment',
      async () => {
        const { id } = await nearLead()
        await recordOutcome(database.db, id, { kind: 'booked', source: 'clinic', actor: 'clinic' })
        return id
      },
      'This lead has an appointment or asked to stop. Change the clinic instead.',
    ],
    [
      'whose person asked to stop',
      async () => {
        const { id } = await nearLead()
        await stopContactOfLead(database.db, id, { actor: 'staff' }, { key: PERSON_KEY, timeZone: 'UTC' })
        return id
      },
      'This person asked not to be contacted. Open the lead and release it there.',
    ],
  ])('refuses a lead %s', async (_, make, error) => {
    expect(await passOn(await make())).toMatchObject({ status: 409, body: { error } })
  })
})
