import { describe, expect, it } from 'vitest'
import type { JobName, JobState } from '../../core/deliveries/contract/jobs.ts'
import { Lead } from '../../core/leads/contract/leads.ts'
import { startApiServer, useApi, useStaff } from '../support/api-server.ts'
import { CRM } from '../support/env.ts'
import { createLead, createProvider } from '../support/factories.ts'

const STATES: JobState[] = ['waiting', 'enqueued', 'done', 'failed', 'cancelled']

const { api, database } = useApi(CRM)
const staff = useStaff(database)

const call = (method: string, path: string, body?: unknown) => api.call(method, path, body, staff)
const matchedLead = async () => createLead(database.db, { providerId: (await createProvider(database.db)).id })

/** Puts every job of the lead into that state, as the worker would have. */
async function setState(leadId: number, state: JobState): Promise<void> {
  const isOpen = state === 'waiting' || state === 'enqueued'
  await database
    .db('jobs')
    .where('lead_id', leadId)
    .update({
      state,
      last_cause: state === 'failed' ? 'refused' : null,
      enqueued_at: database.db.fn.now(),
      finished_at: isOpen ? null : database.db.fn.now(),
    })
}

const ledger = async (id: number, name: JobName) =>
  (await database.db('jobs').where({ lead_id: id, name }).orderBy(['purpose', 'generation'])).map(
    ({ purpose, generation, state }) => `${purpose} ${generation} ${state}`,
  )

it.each(STATES)(
  'POST /api/leads/{id}/retry-email makes a new generation that waits, whatever became of the last (%s)',
  async (state) => {
    const id = await matchedLead()
    await setState(id, state)
    const { status, body } = await call('POST', `/api/leads/${id}/retry-email`)

    expect({ status, body }).toEqual({ status: 200, body: { success: true } })
    const before = state === 'waiting' || state === 'enqueued' ? 'cancelled' : state
    expect(await ledger(id, 'send-email')).toEqual([
      `provider 1 ${before}`,
      'provider 2 waiting',
      `visitor 1 ${before}`,
      ...(state === 'done' ? [] : ['visitor 2 waiting']),
    ])
  },
)

describe('POST /api/leads/{id}/retry-sync', () => {
  it.each(STATES)('makes a new generation that waits, whatever became of the last (%s)', async (state) => {
    const id = await matchedLead()
    await setState(id, state)
    const { status, body } = await call('POST', `/api/leads/${id}/retry-sync`)

    expect({ status, body }).toEqual({ status: 200, body: { success: true } })
    const before = state === 'waiting' || state === 'enqueued' ? 'cancelled' : state
    expect(await ledger(id, 'sync-crm')).toEqual([`created 1 ${before}`, 'created 2 waiting'])
  })

  it('says that no CRM is connected', async () => {
    const id = await matchedLead()
    const alone = await startApiServer(database.app)
    try {
      const { status, body } = await alone.call('POST', `/api/leads/${id}/retry-sync`, undefined, staff)
      expect({ status, code: body.code }).toEqual({ status: 409, code: 'conflict' })
      expect(await ledger(id, 'sync-crm')).toEqual(['created 1 waiting'])
    } finally {
      await alone.close()
    }
  })
})

describe('a held lead', () => {
  const HELD = 'This lead is held. Release it first.'
  const heldLead = async () =>
    createLead(database.db, { providerId: (await createProvider(database.db)).id, heldReason: 'too_fast' })

  it.each(['retry-email', 'retry-sync'])('is not sent by %s', async (action) => {
    const id = await heldLead()
    const { status, body } = await call('POST', `/api/leads/${id}/${action}`)

    expect({ status, body }).toEqual({ status: 409, body: { error: HELD, code: 'conflict' } })
    expect(await ledger(id, 'send-email')).toEqual(['team 1 waiting'])
    expect(await ledger(id, 'sync-crm')).toEqual([])
  })

  it('is delivered once it is released, and the relay is woken', async () => {
    const id = await heldLead()
    const { status, body } = await call('POST', `/api/leads/${id}/release`)

    expect({ status, body }).toEqual({ status: 200, body: { success: true } })
    expect(await ledger(id, 'send-email')).toEqual(['provider 1 waiting', 'team 1 cancelled', 'visitor 1 waiting'])
    expect(await ledger(id, 'sync-crm')).toEqual(['created 1 waiting'])
    expect((await call('GET', '/api/leads')).body.leads[0].held_reason).toBeNull()
  })
})

it('PATCH /api/leads/{id}/provider gives the lead to the provider and answers with the lead', async () => {
  const id = await createLead(database.db)
  const { id: providerId } = await createProvider(database.db)
  const { status, body } = await call('PATCH', `/api/leads/${id}/provider`, { providerId })

  expect(status).toBe(200)
  expect(Lead.strict().parse(body)).toEqual(body)
  expect(body).toMatchObject({ id, provider_id: providerId, match_kind: 'staff', email_status: 'pending' })
  expect(await ledger(id, 'send-email')).toEqual(['provider 1 waiting', 'visitor 1 waiting'])
  expect(await ledger(id, 'sync-crm')).toEqual(['created 1 waiting', 'matched 1 waiting'])
})

it('DELETE /api/leads/{id} deletes the lead, and the second time says that it is gone', async () => {
  const id = await matchedLead()
  expect(await call('DELETE', `/api/leads/${id}`)).toMatchObject({ status: 200, body: { success: true } })
  expect((await call('GET', '/api/leads')).body).toEqual({ leads: [], total: 0 })
  expect((await call('GET', `/api/leads/${id}/jobs`)).status).toBe(404)
  expect(await database.db('consents')).toHaveLength(1)

  expect(await call('DELETE', `/api/leads/${id}`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect((await database.db('audit_log').orderBy('id')).map(({ action, entity_id }) => [action, entity_id])).toEqual([
    ['delete', `${id}`],
  ])
})
