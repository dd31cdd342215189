import { describe, expect, it } from 'vitest'
import { Ledger } from '../../core/deliveries/contract/jobs.ts'
import { recordOutcome } from '../../core/leads/record-outcome.ts'
import type { StaffRole } from '../../core/staff/contract/staff.ts'
import { useApi, useStaff } from '../support/api-server.ts'
import { runBulk } from '../support/bulk.ts'
import { createLead, createProvider, createStaff, staffHeaders } from '../support/factories.ts'

const { api, database } = useApi()
const staff = useStaff(database)

const post = (path: string, body: unknown, headers: Record<string, string> = staff) =>
  api.call('POST', path, body, headers)
const get = async (path: string, headers = staff) => (await api.call('GET', path, undefined, headers)).body
const matchedLead = async () =>
  createLead(database.db, { providerId: (await createProvider(database.db, { name: 'Dr. Rosa Quill' })).id })

async function account(role: StaffRole) {
  const { id, email } = await createStaff(database.db, { role, name: `An ${role}` })
  return { email, headers: await staffHeaders(database.db, id) }
}

describe('POST /api/leads/:id/outcomes', () => {
  it('records what an agent states, with the name of the agent and of the clinic', async () => {
    const id = await matchedLead()
    const agent = await account('agent')
    const answer = { kind: 'booked', booked_for: '2026-12-01', value_cents: 125_000, note: ' At nine. ' }
    expect(await post(`/api/leads/${id}/outcomes`, answer, agent.headers)).toMatchObject({
      status: 200,
      body: { success: true },
    })

    expect((await get(`/api/leads/${id}`)).outcome).toBe('booked')
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

  it('is not for viewers, who see notes without e-mail addresses and phone numbers', async () => {
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

it('the bulk action record-outcome records the same for each lead, and tells which could not be', async () => {
  const ids = [await matchedLead(), await matchedLead(), await createLead(database.db, { heldReason: 'honeypot' })]
  const { status, body } = await post('/api/leads/bulk', {
    action: 'record-outcome',
    outcome: { kind: 'declined', reason: 'no_capacity' },
    ids,
  })
  expect(status).toBe(202)
  await runBulk(database.app, body.id)

  const { report } = await get(`/api/bulk/${body.id}`)
  expect(report).toMatchObject({ succeeded: 2, failed: 1, failures: [{ lead_id: ids[2] }] })
  expect(await database.db('leads').where({ outcome: 'declined' }).orderBy('id').pluck('id')).toEqual(ids.slice(0, 2))
  expect(await database.db('audit_log').where({ action: 'record-outcome' })).toHaveLength(2)
})

it('a clinic may give the same answer as the one before it', async () => {
  const id = await matchedLead()
  const said = { kind: 'no_answer', source: 'clinic', actor: 'clinic' } as const
  await recordOutcome(database.db, id, said)
  const next = await createProvider(database.db)
  await api.call('PATCH', `/api/leads/${id}/provider`, { providerId: next.id }, staff)
  expect(await recordOutcome(database.db, id, said)).toBe(true)
  expect((await get(`/api/leads/${id}`)).outcome).toBe('no_answer')
})
