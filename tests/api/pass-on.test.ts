import { describe, expect, it } from 'vitest'
import * as jobs from '../../core/deliveries/stores/jobs.ts'
import { passOn as passOnLead } from '../../core/leads/pass-on.ts'
import { recordOutcome } from '../../core/leads/record-outcome.ts'
import { stopContactOfLead } from '../../core/privacy/stop-contact.ts'
import { useApi } from '../support/api-server.ts'
import { PERSON_KEY } from '../support/env.ts'
import { createLead, createProvider, createStaff, jobsOf, staffHeaders } from '../support/factories.ts'

const { api, database } = useApi()

const call = async (method: string, path: string, body?: unknown) =>
  api.call(method, path, body, await staffHeaders(database.db))
const passOn = (id: number) => call('POST', `/api/leads/${id}/pass-on`)
const next = async (id: number) => (await call('GET', `/api/leads/${id}/candidates`)).body.next

/** Three clinics, the nearest first, and a lead that the nearest one has. */
async function nearLead() {
  const clinics: number[] = []
  for (const zip_code of ['78702', '78660', '76501']) clinics.push((await createProvider(database.db, { zip_code })).id)
  const id = await createLead(database.db, { providerId: clinics[0] })
  await arrive(id)
  return { id, clinics }
}
const arrive = (id: number) =>
  jobsOf(database.db, id, { state: 'waiting' }).update({ state: 'done', finished_at: database.db.fn.now() })
const waiting = async (id: number) =>
  (await jobs.list(database.db, `lead:${id}`))
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
    const goodbyes = await jobsOf(database.db, id, { purpose: 'passed_on' }).orderBy('generation').pluck('payload')
    expect(goodbyes).toEqual([{ previousProviderId: clinics[0] }, { previousProviderId: clinics[1] }])

    await arrive(id)
    const { status, body } = await passOn(id)
    expect(status).toBe(409)
    expect(body.error).toBe('No other provider within 100 miles can take this lead.')
    expect(await next(id)).toBeNull()
  })

  it('skips a clinic that never got the email, and tells that clinic nothing', async () => {
    const { id, clinics } = await nearLead()
    await passOn(id)
    // The emails of the second clinic are still waiting.
    await passOn(id)
    expect(await waiting(id)).toEqual(['matched', 'new_clinic', 'passed_on', 'provider'])
    const goodbyes = await jobsOf(database.db, id, { purpose: 'passed_on', state: 'waiting' }).pluck('payload')
    expect(goodbyes).toEqual([{ previousProviderId: clinics[0] }])
    expect((await passOn(id)).status).toBe(409)
  })

  it.each([
    ['held', () => createLead(database.db, { heldReason: 'honeypot' }), 'This lead is held. Release it first.'],
    ['without a clinic', () => createLead(database.db), 'No provider has this lead. Match it with one.'],
    [
      'with an appointment',
      async () => {
        const { id } = await nearLead()
        await recordOutcome(database.db, id, { kind: 'booked', source: 'clinic', actor: 'clinic' })
        return id
      },
      'This lead has an appointment or asked to stop. Change the provider instead.',
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

it('is undone by the agent who did it, and by no other', async () => {
  const { id, clinics } = await nearLead()
  const [own, other] = await Promise.all(
    [1, 2].map(async () => {
      const { id: account } = await createStaff(database.db, { role: 'agent' })
      return staffHeaders(database.db, account)
    }),
  )
  await api.call('POST', `/api/leads/${id}/pass-on`, undefined, own)
  const undo = (headers: typeof own) => api.call('POST', `/api/leads/${id}/undo-match`, undefined, headers)
  expect(await undo(other)).toMatchObject({
    status: 403,
    body: { error: 'Only a manager can undo what another person did.' },
  })
  expect((await undo(own)).status).toBe(200)
  expect(await database.db('leads').where({ id }).first()).toMatchObject({ provider_id: clinics[0] })
  expect(await waiting(id)).toEqual([])
  expect(await next(id)).toMatchObject({ id: clinics[1] })
})

describe('what waits at a clinic', () => {
  const plan = async (id: number) => (await call('GET', `/api/providers/${id}/waiting`)).body

  it('is counted with the clinics that would get it, within their limits', async () => {
    const { id, clinics } = await nearLead()
    const [near = 0, middle = 0, far = 0] = clinics
    const others = [
      await createLead(database.db, { providerId: near }),
      await createLead(database.db, { providerId: near }),
    ]
    const answered = await createLead(database.db, { providerId: near })
    await recordOutcome(database.db, answered, { kind: 'reached', source: 'clinic', actor: 'clinic' })
    await createLead(database.db, { providerId: near, heldReason: 'honeypot' })
    await recordOutcome(database.db, id, { kind: 'opened', source: 'clinic', actor: 'clinic' })
    await database.db('provider_rules').insert({ provider_id: middle, daily_cap: 2, updated_by: 'staff' })

    const found = await plan(near)
    expect(found).toMatchObject({ total: 3, unplaced: 0, ids: [id, ...others] })
    expect(found.clinics.map(({ id: clinic, leads }: { id: number; leads: number }) => [clinic, leads])).toEqual([
      [middle, 2],
      [far, 1],
    ])
    await database.db('providers').whereNot({ id: near }).update({ status: 'f' })
    expect(await plan(near)).toEqual({ total: 3, unplaced: 3, ids: [], clinics: [] })
    expect((await call('GET', '/api/providers/999999/waiting')).status).toBe(404)
  })

  it('is passed on only if it came within the last days, and told apart from what is older', async () => {
    const { id, clinics } = await nearLead()
    const [near = 0] = clinics
    const [old, fresh] = [
      await createLead(database.db, { providerId: near }),
      await createLead(database.db, { providerId: near }),
    ]
    await database
      .db('leads')
      .where('id', old)
      .update({ created_at: database.db.raw(`now() - interval '8 days'`) })
    expect(await plan(near)).toMatchObject({ total: 3, ids: [id, fresh], olderIds: [old] })

    await database
      .db('answer_clocks')
      .where('lead_id', fresh)
      .update({ due_at: new Date(Date.now() - 1000) })
    const late = (await call('GET', `/api/providers/${near}/waiting?late=true`)).body
    expect(late).toMatchObject({ total: 1, ids: [fresh] })

    const options = { actor: 'staff', radiusMiles: 100, personKey: PERSON_KEY, waitingAt: near }
    await expect(passOnLead(database.db, old, options)).rejects.toThrow(
      'This lead is older than 7 days. Close it as unanswered instead.',
    )
  })

  it('leaves out people who asked for no contact, and is for managers', async () => {
    const { id, clinics } = await nearLead()
    await database.db('leads').where({ id }).update({ outcome: null })
    expect(await plan(Number(clinics[0]))).toMatchObject({ total: 1 })
    const agent = await createStaff(database.db, { role: 'agent' })
    const headers = await staffHeaders(database.db, agent.id)
    expect((await api.call('GET', `/api/providers/${clinics[0]}/waiting`, undefined, headers)).status).toBe(403)
  })

  it('is passed on only while the clinic has it without an answer', async () => {
    const { id, clinics } = await nearLead()
    const [near = 0, middle = 0] = clinics
    const options = { actor: 'staff', radiusMiles: 100, personKey: PERSON_KEY, waitingAt: near }
    await expect(passOnLead(database.db, id, { ...options, waitingAt: middle })).rejects.toThrow(
      'no longer has this lead',
    )
    await recordOutcome(database.db, id, { kind: 'reached', source: 'clinic', actor: 'clinic' })
    await expect(passOnLead(database.db, id, options)).rejects.toThrow('The provider has answered')
    await database.db('leads').where({ id }).update({ outcome: 'opened' })
    expect(await passOnLead(database.db, id, options)).toMatchObject({ provider_id: middle })
  })
})
