import { describe, expect, it, onTestFinished } from 'vitest'
import { HOUR } from '../../core/contract/time.ts'
import { Bulk } from '../../core/staff/contract/bulk.ts'
import { apiWith, useApi, useStaff } from '../support/api-server.ts'
import { bulkServices, changeLeads, runBulk } from '../support/bulk.ts'
import { createTestDatabase } from '../support/database.ts'
import { CRM } from '../support/env.ts'
import { createLead, createProvider, createStaff, staffHeaders } from '../support/factories.ts'
import { attempt } from '../support/lead-jobs.ts'

const { api, database } = useApi(CRM)
const staff = useStaff(database)

const send = (body: unknown) => api.call('POST', '/api/leads/bulk', body, staff)
const read = async (id: string) =>
  Bulk.strict().parse((await api.call('GET', `/api/bulk/${id}`, undefined, staff)).body)
async function start(body: unknown): Promise<string> {
  const answer = await send(body)
  expect(answer.status).toBe(202)
  return answer.body.id
}
const startDeletion = (ids: (number | undefined)[]) => start({ action: 'delete', ids })
const report = (body: unknown) => changeLeads({ api, database }, body, staff)
const done = (succeeded: number) => ({ succeeded, failed: 0, waiting: 0, failures: [] })
async function someLeads(count: number, options: Parameters<typeof createLead>[1] = {}): Promise<number[]> {
  const ids: number[] = []
  for (let n = 0; n < count; n++) ids.push(await createLead(database.db, options))
  return ids
}
const acts = async () =>
  (await database.db('audit_log').orderBy('id')).map(({ action, entity_id }) => `${action} ${entity_id}`)
const deletionsOf = (leads: number[]) => leads.map((lead) => `delete ${lead}`).toSorted()
const stored = () => database.db('leads').orderBy('id').pluck('id')
/** Makes some entries of the audit log unwritable, as a fault of ours does. Returns a function that mends it. */
async function breakAuditLog(condition: string): Promise<() => Promise<unknown>> {
  await database.db.raw(`alter table audit_log add constraint unwritable check (${condition}) not valid`)
  const mend = () => database.db.raw('alter table audit_log drop constraint if exists unwritable')
  onTestFinished(async () => void (await mend()))
  return mend
}

describe('POST /api/leads/bulk', () => {
  it('answers at once with the job, acts on each lead by itself, and reports what failed', async () => {
    const [first, second] = await someLeads(2)
    const [held] = await someLeads(1, { heldReason: 'honeypot' })
    const id = await start({ action: 'release', ids: [first, held, 4242, second, first] })
    expect(await read(id)).toEqual({
      ...{ id, action: 'release', state: 'running', progress: { done: 0, total: 4, failed: 0 }, report: null },
    })
    expect(await acts()).toEqual([])
    const failure = (lead_id: number | undefined, name: string | null, error: string) => ({
      ...{ position: expect.any(Number), lead_id, subject: null, name, error },
    })
    await runBulk(database.app, id)
    expect(await read(id)).toMatchObject({
      ...{ state: 'done', progress: { done: 4, total: 4, failed: 3 } },
      report: {
        ...{ succeeded: 1, failed: 3, waiting: 0 },
        failures: [
          failure(first, 'Jordan Avery', 'This lead is not held. There is nothing to release.'),
          failure(4242, null, 'There is no such lead. It may have been deleted.'),
          failure(second, 'Jordan Avery', 'This lead is not held. There is nothing to release.'),
        ],
      },
    })
    expect(await acts()).toEqual([`release ${held}`])
  })

  it('matches, assigns, tags and deletes, and takes a match back', async () => {
    const { id: providerId } = await createProvider(database.db)
    const { id: owner_id } = await createStaff(database.db)
    const ids = await someLeads(2)
    const workOf = async () =>
      (await database.db('lead_work').orderBy('lead_id')).map(({ owner_id, tags }) => ({ owner_id, tags }))

    expect(await report({ action: 'assign-provider', providerId, ids })).toEqual(done(2))
    expect(await database.db('leads').pluck('provider_id')).toEqual([providerId, providerId])
    expect(await report({ action: 'undo-match', ids })).toEqual(done(2))
    expect(await database.db('leads').pluck('provider_id')).toEqual([null, null])
    await report({ action: 'change-work', ids: [ids[0]], work: { add_tag: 'VIP' } })
    expect(await report({ action: 'change-work', ids, work: { owner_id, add_tag: 'call back' } })).toEqual(done(2))
    expect(await workOf()).toEqual([
      { owner_id, tags: ['call back', 'vip'] },
      { owner_id, tags: ['call back'] },
    ])
    await report({ action: 'change-work', ids, work: { remove_tag: 'call back' } })
    expect((await workOf()).map(({ tags }) => tags)).toEqual([['vip'], []])
    expect((await send({ action: 'change-work', ids })).status).toBe(422)
    expect(await report({ action: 'delete', ids })).toEqual(done(2))
    expect(await stored()).toEqual([])
  })

  it('takes every lead that matched a filter when it was asked for, if they are as many as were seen', async () => {
    const [kept] = await someLeads(1)
    const found = await someLeads(3, { form: { last_name: 'Serin' } })
    const body = { action: 'delete', filter: { q: 'serin', unmatched: true } }
    expect(await send({ ...body, expected: 2 })).toMatchObject({
      status: 409,
      body: { code: 'conflict', error: 'The list has changed: 3 leads match now, not 2. Please check again.' },
    })
    const { body: started } = await send({ ...body, expected: 3 })
    expect(started.ids).toEqual(found)
    const [later] = await someLeads(1, { form: { last_name: 'Serin' } })
    await runBulk(database.app, started.id)
    expect(await stored()).toEqual([kept, later])
  })

  it('refuses more than it can do, and says so', async () => {
    const many = await createTestDatabase()
    onTestFinished(many.drop)
    // To fill them takes ten times as long as the table.
    await many.db.raw(
      'drop index leads_words_idx, leads_names_idx, leads_name_idx, leads_phone_idx, leads_recipient_idx, leads_source_idx',
    )
    await many.db.raw(
      `insert into leads (first_name, last_name, email, phone, zip_code, request_hash, person_key, repeat_window)
       select 'Jordan', 'Avery', 'a@visitors.example', '1', '78702', '', gen_random_uuid(), 'empty'
       from generate_series(1, 50001)`,
    )
    const server = await apiWith(many.app)
    const body = { action: 'delete', filter: {}, expected: 50_001 }
    expect(await server.call('POST', '/api/leads/bulk', body, await staffHeaders(many.db))).toMatchObject({
      status: 409,
      body: { error: 'No more than 50,000 leads can be changed at once, and 50,001 match. Narrow the filter.' },
    })
  })

  it('refuses a third one while two act, and lists those that the caller has running', async () => {
    const running = async (headers: { cookie: string }) =>
      (await api.call('GET', '/api/bulk', undefined, headers)).body.running
    const [first] = await someLeads(1)
    const ids = [await startDeletion([first]), await startDeletion([4242])]
    expect(await send({ action: 'delete', ids: [first] })).toMatchObject({
      status: 429,
      body: { error: 'Other bulk changes are still running. Please try again in a minute.' },
    })
    expect(await running(staff)).toEqual([await read(String(ids[1])), await read(String(ids[0]))])
    expect(await running(await staffHeaders(database.db, (await createStaff(database.db)).id))).toEqual([])
    await runBulk(database.app, String(ids[0]))
    await startDeletion([first])
  })
})

describe('a bulk action', () => {
  it('does nothing twice where several workers have it', async () => {
    const leads = await someLeads(40)
    const id = await startDeletion(leads)
    await Promise.all([runBulk(database.app, id), runBulk(database.app, id), runBulk(database.app, id)])
    expect((await read(id)).report).toEqual(done(40))
    expect((await acts()).toSorted()).toEqual(deletionsOf(leads))
  })

  it('is done after the first attempts of all its deliveries where two workers have it', async () => {
    const id = await start({ action: 'retry-sync', ids: await someLeads(20) })
    const running = [runBulk(database.app, id), runBulk(database.app, id)]
    await expect.poll(() => database.db('bulk_items').where({ acted_at: null }).pluck('position')).toEqual([])
    const crm = () => database.db('jobs').where({ name: 'sync-crm', generation: 2 })
    const end = { state: 'done', finished_at: new Date() } as const
    await crm()
      .whereIn('id', await crm().limit(10).pluck('id'))
      .update(end)
    await expect.poll(async () => (await read(id)).progress.done).toBe(10)
    expect((await read(id)).state).toBe('running')
    await crm().update(end)
    await Promise.all(running)
    expect((await read(id)).report).toEqual(done(20))
    expect(await crm().pluck('id')).toHaveLength(20)
  })

  it('goes on where it was after a worker has stopped, and is not late as long as it makes progress', async () => {
    const leads = await someLeads(30)
    const id = await startDeletion(leads)
    const job = () => database.db('jobs').where({ id })
    const anHourAgo = new Date(Date.now() - HOUR)
    await job().update({ next_attempt_at: anHourAgo, enqueued_at: anHourAgo, state: 'enqueued' })
    const stopping = new AbortController()
    const attempted = attempt([id], bulkServices(database.app, stopping.signal))
    await expect.poll(async () => (await acts()).length).toBeGreaterThan(0)
    stopping.abort()
    await expect(attempted).rejects.toThrow('The worker stops.')
    expect((await stored()).length).toBeGreaterThan(0)
    expect((await read(id)).state).toBe('running')
    expect(await job().where('next_attempt_at', '>', anHourAgo).where('enqueued_at', '>', anHourAgo)).toHaveLength(1)

    await runBulk(database.app, id)
    expect((await read(id)).report).toEqual(done(30))
    expect((await acts()).toSorted()).toEqual(deletionsOf(leads))
  })

  it('ends the attempt where the fault is ours, and goes on when it is over', async () => {
    const ids = await someLeads(30)
    const id = await startDeletion(ids)
    const mend = await breakAuditLog('false')
    await runBulk(database.app, id)
    expect(await read(id)).toMatchObject({ state: 'running', progress: { done: 0, failed: 0 } })
    const job = { state: 'waiting', attempts: 1, last_cause: 'our_side' }
    expect(await database.db('jobs').where({ id }).first()).toMatchObject(job)
    expect(await stored()).toEqual(ids)
    await mend()
    await runBulk(database.app, id)
    expect((await read(id)).report).toEqual(done(30))
  })

  it('reports a lead at which our side fails twice, and acts on the others', async () => {
    const [first, broken, last] = await someLeads(3)
    await breakAuditLog(`entity_id <> '${broken}'`)
    const error = 'Something went wrong on our side. Please try again.'
    expect(await report({ action: 'delete', ids: [first, broken, last] })).toMatchObject({
      ...{ succeeded: 2, failed: 1 },
      failures: [{ lead_id: broken, error }],
    })
  })
})
