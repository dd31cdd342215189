import { describe, expect, it } from 'vitest'
import * as attempts from '../../core/deliveries/stores/attempts.ts'
import { ListedLead } from '../../core/leads/contract/leads.ts'
import { Bulk } from '../../core/staff/contract/bulk.ts'
import { useApi, useStaff } from '../support/api-server.ts'
import { runBulk } from '../support/bulk.ts'
import { CRM } from '../support/env.ts'
import { createApplication, createLead, createProvider } from '../support/factories.ts'

const REFUSED = {
  state: 'failed',
  cause: 'refused',
  error: 'The CRM refused the lead: it answered 400.',
  detail: 'contact_type is required',
} as const
const BUSY = { state: 'waiting', cause: 'busy', error: 'The server is busy.', delay: 60_000 } as const
const DONE = { state: 'done', result: {} } as const

const { api, database } = useApi(CRM)
const staff = useStaff(database)

const matchedLead = async () => createLead(database.db, { providerId: (await createProvider(database.db)).id })
const clear = () => database.db('jobs').update({ state: 'done', finished_at: database.db.fn.now() })

/** Does the work of a worker: makes one attempt at every open job, and ends it as the test says. */
async function work(settlementOf: (leadId: number, purpose: string) => attempts.Settlement): Promise<void> {
  const ids = await database.db('jobs').where({ state: 'waiting' }).whereNot({ name: 'bulk' }).pluck('id')
  const begun = await attempts.begin(database.db, ids)
  await database.db.transaction(async (trx) => {
    for (const attempt of begun) {
      const leadId = Number(attempt.job.subject?.replace('lead:', ''))
      await attempts.settle(trx, [{ attempt, settlement: settlementOf(leadId, attempt.job.purpose), ms: 5 }])
    }
  })
}

/** Makes the call, and works once jobs of so many leads are there. */
async function callAndWork(path: string, settlementOf: Parameters<typeof work>[0], body?: unknown, leads = 1) {
  const calling = api.call('POST', path, body, staff)
  await expect
    .poll(async () => new Set(await database.db('jobs').where({ state: 'waiting' }).pluck('subject_id')).size)
    .toBe(leads)
  await work(settlementOf)
  return calling
}

describe('a retry that waits for its outcome', () => {
  it.each(['retry-sync', 'retry-email'])('succeeds once everything was delivered: %s', async (action) => {
    const id = await matchedLead()
    await clear()
    const { status, body } = await callAndWork(`/api/leads/${id}/${action}?wait=20`, () => DONE)
    expect({ status, body }).toEqual({ status: 200, body: { success: true } })
  })

  it('waits for the emails of an application as well', async () => {
    const id = await createApplication(database.db)
    await clear()
    const { body } = await callAndWork(`/api/provider-applications/${id}/retry-email?wait=20`, () => REFUSED)
    expect(body).toMatchObject({ success: false })
  })

  it('waits no longer than any proxy does', async () => {
    const { status, body } = await api.call('POST', '/api/leads/1/retry-sync?wait=26', undefined, staff)
    expect({ status, fields: body.fields }).toMatchObject({ status: 422, fields: { wait: expect.any(String) } })
  })
})

/** Makes the call and the attempt at its bulk action, and works once so many deliveries wait. Returns the report. */
async function bulkAndWork(path: string, body: unknown, settlementOf: Parameters<typeof work>[0], deliveries: number) {
  const { id } = (await api.call('POST', path, body, staff)).body
  const running = runBulk(database.app, id)
  await expect
    .poll(() => database.db('jobs').where({ state: 'waiting' }).whereNot({ name: 'bulk' }).pluck('id'))
    .toHaveLength(deliveries)
  await work(settlementOf)
  await running
  return Bulk.parse((await api.call('GET', `/api/bulk/${id}`, undefined, staff)).body).report
}

describe('many retries', () => {
  it('count what was delivered, refused and still waits, and name who was refused', async () => {
    const [delivered, refused, busy] = [await matchedLead(), await matchedLead(), await matchedLead()]
    await clear()
    const settlementOf = (id: number) => (id === delivered ? DONE : id === refused ? REFUSED : BUSY)
    const body = { action: 'retry-sync', ids: [delivered, refused, busy, 4242] }
    const report = await bulkAndWork('/api/leads/bulk', body, settlementOf, 3)
    expect(report).toMatchObject({ succeeded: 1, failed: 2, waiting: 1 })
    expect(report?.failures).toMatchObject([
      {
        lead_id: refused,
        name: 'Jordan Avery',
        error: 'The CRM refused the lead: it answered 400. It said: “contact_type is required”',
      },
      { lead_id: 4242, name: null, error: 'There is no such lead. It may have been deleted.' },
    ])
    const errors = await database.db('bulk_items').whereNotNull('error').pluck('error')
    expect(errors).toEqual(['There is no such lead. It may have been deleted.'])
  })

  it('let others act while they wait', async () => {
    const [one, two] = [await matchedLead(), await matchedLead()]
    await clear()
    const start = async (body: unknown) => api.call('POST', '/api/leads/bulk', body, staff)
    const started = [
      await start({ action: 'retry-sync', ids: [one] }),
      await start({ action: 'retry-sync', ids: [two] }),
    ]
    const running = started.map(({ body }) => runBulk(database.app, body.id))
    await expect.poll(() => database.db('bulk_items').where({ acted_at: null }).pluck('position')).toEqual([])
    expect((await start({ action: 'delete', ids: [4242] })).status).toBe(202)
    await work(() => DONE)
    await Promise.all(running)
  })

  it('count the outcomes of everything that had failed', async () => {
    const [one, two] = [await matchedLead(), await matchedLead()]
    await work((_, purpose) => (purpose === 'created' ? REFUSED : DONE))
    const everything = { since: '2020-01-01T00:00:00Z', expected: 2 }
    const settlementOf = (id: number) => (id === one ? DONE : REFUSED)
    expect(await bulkAndWork('/api/jobs/retry-failed', everything, settlementOf, 2)).toMatchObject({
      ...{ succeeded: 1, failed: 1, waiting: 0 },
      failures: [{ name: 'Jordan Avery', lead_id: two, error: expect.stringContaining('contact_type is required') }],
    })
  })
})

const listed = async () => {
  const { body } = await api.call('GET', '/api/leads', undefined, staff)
  return ListedLead.strict().parse(body.leads[0]).deliveries
}

it('tells the CRM, the clinic and the visitor apart in the deliveries of a listed lead', async () => {
  await matchedLead()
  const untried = { status: 'pending', next_attempt_at: null }
  expect(await listed()).toEqual({ crm: untried, clinic: untried, visitor: untried })

  await work((_, purpose) => (purpose === 'provider' ? REFUSED : purpose === 'visitor' ? BUSY : DONE))
  expect(await listed()).toEqual({
    crm: { status: 'success', next_attempt_at: null },
    clinic: { status: 'failed', next_attempt_at: null },
    visitor: { status: 'retrying', next_attempt_at: expect.any(String) },
  })
})

describe('the recipient of an email', () => {
  const recipients = async (id: number) => {
    const { body } = await api.call('GET', `/api/leads/${id}/jobs`, undefined, staff)
    return Object.fromEntries(
      body.jobs.map(({ purpose, recipient }: { purpose: string; recipient: string | null }) => [purpose, recipient]),
    )
  }

  it('is where it would be sent now, and afterwards where it was sent', async () => {
    const { id: providerId } = await createProvider(database.db, { email: 'old@clinics.example' })
    const id = await createLead(database.db, { form: { email: 'ana@visitors.example' }, providerId })
    expect(await recipients(id)).toEqual({
      created: null,
      provider: 'old@clinics.example',
      visitor: 'ana@visitors.example',
    })

    await work((_, purpose) => (purpose === 'provider' ? { ...REFUSED, result: { to: 'old@clinics.example' } } : DONE))
    await database.db('providers').update({ email: 'new@clinics.example' })
    expect(await recipients(id)).toMatchObject({ provider: 'old@clinics.example' })
  })

  it('comes with the clinic that staff would call instead', async () => {
    const { id: providerId } = await createProvider(database.db, {
      name: 'Dr. Rosa Quill',
      practice_name: 'Quill Urology',
    })
    const id = await createLead(database.db, { providerId })
    const { body } = await api.call('GET', `/api/leads/${id}`, undefined, staff)
    expect(body.clinic).toEqual({
      name: 'Dr. Rosa Quill',
      practiceName: 'Quill Urology',
      phone: '(512) 555-0100',
      email: expect.stringContaining('@clinics.example'),
    })
  })
})
