import { describe, expect, it } from 'vitest'
import { CONSENT } from '../../core/contract/consent.ts'
import { Ledger } from '../../core/deliveries/contract/jobs.ts'
import { MatchCandidates } from '../../core/leads/contract/lead-changes.ts'
import { LeadDetails, LeadList } from '../../core/leads/contract/leads.ts'
import type { StaffRole } from '../../core/staff/contract/staff.ts'
import { useApi, useStaff } from '../support/api-server.ts'
import { createLead, createProvider, leadForm, signedInStaff } from '../support/factories.ts'

const { api, database } = useApi()
const staff = useStaff(database)

describe('GET /api/leads', () => {
  const get = (query = '') => api.call('GET', `/api/leads${query}`, undefined, staff)
  const ids = (leads: { id: number }[]) => leads.map(({ id }) => id)

  it('gives the newest 40 and their total, in the shape of the contract', async () => {
    const created: number[] = []
    const { id: providerId } = await createProvider(database.db)
    for (let n = 0; n < 42; n++) created.push(await createLead(database.db, n % 2 ? {} : { providerId }))
    const { status, body } = await get()

    expect(status).toBe(200)
    expect(LeadList.strict().parse(body)).toEqual(body)
    expect(body.total).toBe(42)
    expect(ids(body.leads)).toEqual(created.toReversed().slice(0, 40))
    expect(ids((await get('?page=2')).body.leads)).toEqual([created[1], created[0]])
    expect((await get('?page=3')).body).toEqual({ leads: [], total: 42 })
    expect(ids((await get('?sort=created_at&limit=3&page=2')).body.leads)).toEqual(created.slice(3, 6))
  })
})

it('GET /api/leads/filter-values counts what needs attention, and lists what leads have', async () => {
  await createLead(database.db, { form: { attribution: { last: { landing_page: '/', utm_source: 'radio' } } } })
  const { body } = await api.call('GET', '/api/leads/filter-values', undefined, staff)
  expect(body).toEqual({
    counts: { all: 1, failed: 0, unmatched: 1, held: 0, not_reached: 0, late: 0, due: 0, mine: 0 },
    ...{ states: ['TX'], sources: ['radio'], campaigns: [], staff: [], tags: [] },
  })
})

it('GET /api/leads/{id} tells all that staff may know of a lead, in the shape of the contract', async () => {
  const { id: providerId } = await createProvider(database.db)
  const attribution = { first: { landing_page: '/', utm_source: 'radio' }, last: { landing_page: '/homev2' } }
  const id = await createLead(database.db, { providerId, form: { attribution } })
  const { status, body } = await api.call('GET', `/api/leads/${id}`, undefined, staff)

  expect(status).toBe(200)
  expect(LeadDetails.strict().parse(body)).toEqual(body)
  expect(body).toMatchObject({
    id,
    provider_id: providerId,
    match_kind: 'nearest',
    match_distance_miles: 1.5,
    crm_external_id: null,
    attribution,
    consent: {
      wording: CONSENT.form.wording,
      wording_version: CONSENT.form.version,
      wording_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      ip: '203.0.113.7',
      user_agent: 'test',
      page_url: 'http://localhost:3000/',
    },
  })
  for (const wrong of ['x', '0', '1.5']) {
    expect((await api.call('GET', `/api/leads/${wrong}`, undefined, staff)).status).toBe(422)
  }
})

const call = (method: string, path: string, body?: unknown) => api.call(method, path, body, staff)
const candidates = async (id: number, query = '') => (await call('GET', `/api/leads/${id}/candidates${query}`)).body

describe('GET /api/leads/{id}/candidates', () => {
  it('has the ten nearest active clinics, with their places and distances', async () => {
    const id = await createLead(database.db, { form: leadForm({ zip_code: '78702' }) })
    for (let n = 0; n < 11; n++)
      await createProvider(database.db, { zip_code: '80202', latitude: 39.75, longitude: -104.99 })
    const near = await createProvider(database.db, { zip_code: '78701', latitude: 30.27, longitude: -97.74 })
    await createProvider(database.db, { zip_code: '78701', latitude: 30.27, longitude: -97.74, status: 'f' })
    const body = await candidates(id)
    expect(MatchCandidates.parse(body)).toEqual(body)
    expect(body.candidates).toHaveLength(10)
    expect(body.candidates[0]).toMatchObject({ id: near.id, zipCode: '78701', city: 'Austin', state: 'TX' })
    expect(body.candidates[0].miles).toBeLessThan(3)
    expect(body.candidates[9]).toMatchObject({ city: 'Denver' })
    expect(body.candidates[9].miles).toBeGreaterThan(700)
    expect(body.radiusMiles).toBe(100)
  })

  it('says how fast a clinic with five leads in 90 days answers, and how many it books', async () => {
    const [often, seldom] = [await createProvider(database.db), await createProvider(database.db)]
    for (const { id: providerId } of [often, often, often, often, often, seldom])
      await createLead(database.db, { providerId })
    await database.db.raw(
      `update leads set outcome = 'treated', outcome_at = now() where id = (select max(id) from leads where provider_id = ?)`,
      [often.id],
    )
    await database.db.raw(`update answer_clocks set answered_at = started_at + interval '2 hours'`)
    const { candidates: found } = await candidates(await createLead(database.db))
    const ofId = (id: number) => found.find((each: { id: number }) => each.id === id)
    expect(ofId(often.id)).toMatchObject({ answerTime: 2 * 3_600_000, booked: 1 / 5 })
    expect(ofId(seldom.id)).toMatchObject({ answerTime: null, booked: null })
  })

  it.each([
    ['castellano', ['Dr. Omar Castellano']],
    ['VITALITY front', ['Dr. Omar Castellano']],
    ['denver', ['Dr. Omar Castellano']],
    ['8020', ['Dr. Omar Castellano']],
    ['nunez', ['Dr. Ana Núñez']],
    ['dr', ['Dr. Omar Castellano', 'Dr. Ana Núñez']],
    ['100%', []],
    ['_', []],
    ['\\', []],
  ])('finds a clinic by name, practice, city or zip: %s', async (q, names) => {
    await createProvider(database.db, {
      name: 'Dr. Omar Castellano',
      practice_name: 'Front Range Vitality',
      zip_code: '80202',
    })
    await createProvider(database.db, { name: 'Dr. Ana Núñez', practice_name: null, zip_code: '10001', status: 'f' })
    const { candidates: found } = await candidates(await createLead(database.db), `?q=${encodeURIComponent(q)}`)
    expect(found.map(({ name }: { name: string }) => name)).toEqual(names)
  })
})

const post = (path: string, body: unknown, headers: Record<string, string> = staff) =>
  api.call('POST', path, body, headers)
const get = async (path: string, headers = staff) => (await api.call('GET', path, undefined, headers)).body
const matchedLead = async () =>
  createLead(database.db, { providerId: (await createProvider(database.db, { name: 'Dr. Rosa Quill' })).id })

const account = (role: StaffRole) => signedInStaff(database.db, { role, name: `An ${role}` })

describe('POST /api/leads/:id/outcomes', () => {
  it('records what an agent states, with the name of the agent and of the clinic', async () => {
    const id = await matchedLead()
    const agent = await account('agent')
    const answer = { kind: 'booked', booked_for: '2026-12-01', value_cents: 125_000, note: ' At nine. ' }
    expect(await post(`/api/leads/${id}/outcomes`, answer, agent.headers)).toMatchObject({
      status: 200,
      body: { success: true },
    })

    expect(await get(`/api/leads/${id}`)).toMatchObject({ outcome: 'booked', booked_for: '2026-12-01' })
    const ledger = await get(`/api/leads/${id}/jobs`)
    expect(Ledger.parse(ledger).outcomes).toMatchObject([
      {
        ...{ ...answer, note: 'At nine.', reason: null, source: 'staff' },
        ...{ actor: agent.email, actor_name: 'An agent', clinic: 'Dr. Rosa Quill' },
      },
    ])
    expect(await database.db('audit_log').where({ action: 'record-outcome' })).toMatchObject([
      { actor: agent.email, entity: 'lead', entity_id: String(id), details: { kind: 'booked' } },
    ])
  })

  it('is not for viewers, who see notes without email addresses and phone numbers', async () => {
    const id = await matchedLead()
    const viewer = await account('viewer')
    expect((await post(`/api/leads/${id}/outcomes`, { kind: 'reached' }, viewer.headers)).status).toBe(403)
    await post(`/api/leads/${id}/outcomes`, { kind: 'reached', note: 'Call jo@visitors.example' })
    const [outcome] = (await get(`/api/leads/${id}/jobs`, viewer.headers)).outcomes
    expect(outcome.note).toMatch(/^Call /)
    expect(outcome.note).not.toContain('jo@visitors.example')
  })
})

const found = async (query: string) =>
  (await get(`/api/leads?sort=created_at&${query}`)).leads.map(({ id }: { id: number }) => id)

it('the filter by outcome finds the current outcome, leads without any, and late answers', async () => {
  const [booked, open, late, answered] = await Promise.all(Array.from({ length: 4 }, matchedLead))
  const unmatched = await createLead(database.db)
  await createLead(database.db, { heldReason: 'honeypot' })
  await post(`/api/leads/${booked}/outcomes`, { kind: 'reached' })
  await post(`/api/leads/${booked}/outcomes`, { kind: 'booked' })
  await post(`/api/leads/${answered}/outcomes`, { kind: 'no_answer' })
  const due = (id: number | undefined, hours: number) =>
    database
      .db('answer_clocks')
      .where('lead_id', Number(id))
      .update({
        due_at: database.db.raw(`now() + ? * interval '1 hour'`, [hours]),
      })
  await Promise.all([due(booked, -1), due(open, 1), due(late, -1), due(answered, -1)])

  const sorted = (...ids: (number | undefined)[]) => ids.toSorted()
  expect(await found('outcome=booked')).toEqual([booked])
  expect(await found('outcome=reached')).toEqual([])
  expect((await found('outcome=none')).toSorted()).toEqual(sorted(open, late))
  expect(await found('late=true')).toEqual([late])
  expect(await found('late=true&outcome=none&limit=1')).toEqual([late])
  expect(await found('late=false&outcome=none')).toEqual([open])
  expect(await found('late=false&unmatched=true&held=false')).toEqual([unmatched])
  expect((await api.call('GET', '/api/leads?outcome=eaten', undefined, staff)).status).toBe(422)
})
