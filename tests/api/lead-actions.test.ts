import { describe, expect, it } from 'vitest'
import { type JobName, type JobState, LedgerJob } from '../../core/contract/jobs.ts'
import { Lead } from '../../core/contract/leads.ts'
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

describe('GET /api/leads/{id}/jobs', () => {
  it('gives the whole ledger in the shape of the contract', async () => {
    const id = await matchedLead()
    const { status, body } = await call('GET', `/api/leads/${id}/jobs`)

    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['jobs', 'acts', 'outcomes', 'edits', 'notes'])
    expect(body.jobs.map((job: unknown) => LedgerJob.strict().parse(job))).toEqual(body.jobs)
    expect(body.jobs).toHaveLength(3)
  })
})

describe('POST /api/leads/{id}/retry-email', () => {
  it.each(STATES)('makes a new generation that waits, whatever became of the last (%s)', async (state) => {
    const id = await matchedLead()
    await setState(id, state)
    const wakes = api.wakes()
    const { status, body } = await call('POST', `/api/leads/${id}/retry-email`)

    expect({ status, body }).toEqual({ status: 200, body: { success: true } })
    const before = state === 'waiting' || state === 'enqueued' ? 'cancelled' : state
    expect(await ledger(id, 'send-email')).toEqual([
      `provider 1 ${before}`,
      'provider 2 waiting',
      `visitor 1 ${before}`,
      ...(state === 'done' ? [] : ['visitor 2 waiting']),
    ])
    expect(api.wakes()).toBe(wakes + 1)
  })

  it('does something every time', async () => {
    const id = await matchedLead()
    for (let n = 0; n < 3; n++) await call('POST', `/api/leads/${id}/retry-email`)

    expect((await ledger(id, 'send-email')).filter((job) => job.startsWith('provider'))).toEqual([
      'provider 1 cancelled',
      'provider 2 cancelled',
      'provider 3 cancelled',
      'provider 4 waiting',
    ])
  })

  it('writes to the team while nobody is matched', async () => {
    const id = await createLead(database.db)
    await call('POST', `/api/leads/${id}/retry-email`)
    expect(await ledger(id, 'send-email')).toEqual(['team 1 waiting'])
  })
})

describe('POST /api/leads/{id}/retry-sync', () => {
  it.each(STATES)('makes a new generation that waits, whatever became of the last (%s)', async (state) => {
    const id = await matchedLead()
    await setState(id, state)
    const { status, body } = await call('POST', `/api/leads/${id}/retry-sync`)

    expect({ status, body }).toEqual({ status: 200, body: { success: true } })
    const before = state === 'waiting' || state === 'enqueued' ? 'cancelled' : state
    expect(await ledger(id, 'sync-crm')).toEqual([`created 1 ${before}`, 'created 2 waiting'])
  })

  it('shows the lead as pending again', async () => {
    const id = await matchedLead()
    await setState(id, 'failed')
    await database.db('leads').update({ crm_sync_status: 'failed' })
    await call('POST', `/api/leads/${id}/retry-sync`)
    expect((await call('GET', '/api/leads')).body.leads[0].crm_sync_status).toBe('pending')
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

  it('is shown with its reason, and is pending at the CRM', async () => {
    await heldLead()
    const [lead] = (await call('GET', '/api/leads')).body.leads
    expect(lead).toMatchObject({ held_reason: 'too_fast', crm_sync_status: 'pending' })
  })

  it('is delivered once it is released, and the relay is woken', async () => {
    const id = await heldLead()
    const wakes = api.wakes()
    const { status, body } = await call('POST', `/api/leads/${id}/release`)

    expect({ status, body }).toEqual({ status: 200, body: { success: true } })
    expect(await ledger(id, 'send-email')).toEqual(['provider 1 waiting', 'team 1 cancelled', 'visitor 1 waiting'])
    expect(await ledger(id, 'sync-crm')).toEqual(['created 1 waiting'])
    expect(api.wakes()).toBe(wakes + 1)
    expect((await call('GET', '/api/leads')).body.leads[0].held_reason).toBeNull()
  })

  it('is released once', async () => {
    const id = await heldLead()
    await call('POST', `/api/leads/${id}/release`)
    const { status, body } = await call('POST', `/api/leads/${id}/release`)

    expect(status).toBe(409)
    expect(body).toEqual({ error: 'This lead is not held. There is nothing to release.', code: 'conflict' })
    expect(await ledger(id, 'sync-crm')).toEqual(['created 1 waiting'])
  })

  it('is released to the provider that staff give it', async () => {
    const id = await heldLead()
    const { id: providerId } = await createProvider(database.db)
    const { status, body } = await call('PATCH', `/api/leads/${id}/provider`, { providerId })

    expect(status).toBe(200)
    expect(body).toMatchObject({ provider_id: providerId, match_kind: 'staff', held_reason: null })
    expect(await ledger(id, 'sync-crm')).toEqual(['created 1 waiting'])
  })
})

describe('PATCH /api/leads/{id}/provider', () => {
  it('gives the lead to the provider and answers with the lead', async () => {
    const id = await createLead(database.db)
    const { id: providerId } = await createProvider(database.db)
    const { status, body } = await call('PATCH', `/api/leads/${id}/provider`, { providerId })

    expect(status).toBe(200)
    expect(Lead.strict().parse(body)).toEqual(body)
    expect(body).toMatchObject({ id, provider_id: providerId, match_kind: 'staff', email_status: 'pending' })
    expect(await ledger(id, 'send-email')).toEqual(['provider 1 waiting', 'visitor 1 waiting'])
    expect(await ledger(id, 'sync-crm')).toEqual(['created 1 waiting', 'matched 1 waiting'])
  })

  it('says which provider is inactive', async () => {
    const id = await createLead(database.db)
    const { id: providerId } = await createProvider(database.db, { name: 'Dr. Retired', status: 'f' })
    const { status, body } = await call('PATCH', `/api/leads/${id}/provider`, { providerId })

    expect(status).toBe(409)
    expect(body).toMatchObject({ code: 'conflict', error: expect.stringContaining('Dr. Retired') })
  })

  it('knows no provider that is not there', async () => {
    const id = await createLead(database.db)
    expect((await call('PATCH', `/api/leads/${id}/provider`, { providerId: 4242 })).status).toBe(404)
  })
})

describe('DELETE /api/leads/{id}', () => {
  it('deletes the lead, and the second time says that it is gone', async () => {
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
})

describe('POST /api/sync', () => {
  it('says that WordPress is not configured', async () => {
    expect(await call('POST', '/api/sync')).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('WordPress') },
    })
  })
})
