import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '../../core/contract/time.ts'
import type { FailureCause } from '../../core/deliveries/contract/jobs.ts'
import { useApi, useStaff } from '../support/api-server.ts'
import { CRM } from '../support/env.ts'
import { createLead, createProvider, createSyncRun, jobsOf, signedInStaff, staffHeaders } from '../support/factories.ts'
import { found } from '../support/found.ts'

const { api, database } = useApi({ ...CRM, WORDPRESS_URL: 'https://clinics.example' })
const staff = useStaff(database)
const later = (ms: number) => new Date(Date.now() + ms).toISOString()
const ago = (ms: number) => later(-ms)

const read = async (headers: { cookie: string } = staff) =>
  (await api.call('GET', '/api/integrations', undefined, headers)).body

const asRole = async (role: 'viewer' | 'agent') => (await signedInStaff(database.db, { role })).headers
type Made = { at: number; cause?: FailureCause; detail?: string; state?: 'failed' | 'waiting' | 'enqueued' }

/** Stores an attempt of a second, so many milliseconds ago, at the CRM job of a lead of its own. */
async function attempted({ at, cause, detail, state = 'waiting' }: Made) {
  const leadId = await createLead(database.db, { providerId: (await createProvider(database.db)).id })
  const [job] = await jobsOf(database.db, leadId, { name: 'sync-crm' })
    .update({
      attempts: 1,
      ...(cause ? { state, last_cause: cause, last_error: 'The CRM did not answer.' } : { state: 'done' }),
      ...((state === 'failed' || !cause) && { finished_at: ago(at) }),
      created_at: ago(at),
      next_attempt_at: cause && state !== 'failed' ? later(HOUR) : ago(at),
    })
    .returning('id')
  await jobsOf(database.db, leadId, { name: 'send-email' }).delete()
  await database.db('job_attempts').insert({
    ...{ job_id: found(job).id, started_at: ago(at), duration_ms: 1000, outcome: cause ? 'failed' : 'done' },
    ...(cause && { cause, error: 'The CRM did not answer.', detail }),
  })
}

describe('the health of sending', () => {
  it('has the attempts of the last hour and day, and the last success and failure', async () => {
    await attempted({ at: 2 * MINUTE })
    await attempted({ at: 3 * MINUTE, cause: 'refused', detail: 'bob@visitors.example is unknown', state: 'failed' })
    await attempted({ at: 3 * HOUR })
    await attempted({ at: 4 * HOUR, cause: 'unreachable' })
    await attempted({ at: 25 * HOUR })
    const { crm, mail } = await read()
    expect(crm).toMatchObject({
      kind: 'webhook',
      state: 'retrying',
      hour: { succeeded: 1, failed: 1 },
      day: { succeeded: 2, failed: 2 },
      last_failure: { error: 'The CRM did not answer.', detail: 'bob@visitors.example is unknown' },
      pause: null,
    })
    // The end of the attempt.
    expect(Math.round((Date.now() - Date.parse(crm.last_success_at)) / MINUTE)).toBe(2)
    expect(mail).toMatchObject({ state: 'working', day: { succeeded: 0, failed: 0 }, last_success_at: null })
  })

  it('fails after three faults in a row that last for five minutes', async () => {
    for (const minutes of [7, 6]) await attempted({ at: minutes * MINUTE, cause: 'unreachable' })
    expect((await read()).crm.state).toBe('retrying')
    await attempted({ at: MINUTE, cause: 'unreachable' })
    expect((await read()).crm.state).toBe('failing')
  })

  it('is silent while its deliveries have been due for five minutes', async () => {
    await createLead(database.db, { providerId: (await createProvider(database.db)).id })
    await database
      .db('jobs')
      .where('name', 'send-email')
      .update({ next_attempt_at: ago(6 * MINUTE) })
    const { crm, mail } = await read()
    expect([crm.state, mail.state]).toEqual(['working', 'silent'])
  })

  it('has what waits, the oldest of it, and what can be retried', async () => {
    await attempted({ at: 5 * HOUR, cause: 'unreachable' })
    await attempted({ at: 6 * HOUR, cause: 'refused', state: 'failed' })
    await attempted({ at: 31 * DAY, cause: 'refused', state: 'failed' })
    await createLead(database.db, { providerId: (await createProvider(database.db)).id })
    const { crm, mail } = await read()
    expect(crm).toMatchObject({ waiting: 1, retrying: 1, failed: { total: 1 } })
    expect(Math.round((Date.now() - Date.parse(crm.oldest_waiting_at)) / HOUR)).toBe(5)
    expect(mail).toMatchObject({ waiting: 2, retrying: 0, failed: { total: 0 } })
    // The same as the call that retries them.
    const { total, since } = crm.failed
    const retry = { since, name: 'sync-crm', expected: total }
    expect((await api.call('POST', '/api/jobs/retry-failed', retry, staff)).status).toBe(202)
  })
})

describe('the health of what runs', () => {
  it('has the workers that were seen just now', async () => {
    const beat = (seen: number, overrides = {}) =>
      database.db('worker_heartbeats').insert({
        ...{ id: crypto.randomUUID(), started_at: ago(HOUR), seen_at: ago(seen), ...overrides },
      })
    await beat(5 * SECOND)
    await beat(10 * SECOND, { started_at: ago(2 * HOUR) })
    await beat(2 * SECOND, { stopped_at: ago(SECOND), started_at: ago(9 * HOUR) })
    await beat(2 * MINUTE, { started_at: ago(9 * HOUR) })
    const { workers } = await read()
    expect(workers).toMatchObject({ state: 'working', running: 2 })
    expect(Math.round((Date.now() - Date.parse(workers.running_since)) / HOUR)).toBe(2)
  })

  it('has the runs of the sync, and the words of the last failure', async () => {
    const at = (ms: number) => ({ finished_at: ago(ms), created_at: ago(ms) })
    await createSyncRun(database.db, at(3 * HOUR))
    await createSyncRun(database.db, { ...at(2 * HOUR), dry_run: true, state: 'failed', error: 'A dry run.' })
    await createSyncRun(database.db, { ...at(MINUTE), state: 'failed', error: 'WordPress answered 503.' })
    const { wordpress } = await read()
    expect(wordpress).toMatchObject({
      state: 'failing',
      hour: { succeeded: 0, failed: 1 },
      day: { succeeded: 1, failed: 1 },
      last_failure: { error: 'WordPress answered 503.' },
      note: 'Sync failed. WordPress answered 503.',
    })
  })

  it('has the queue, the size and the connections of the database', async () => {
    const { queue, database: facts } = await read()
    expect(queue).toMatchObject({ state: 'working', backend: 'PostgreSQL', queues: [] })
    expect(facts.bytes).toBeGreaterThan(1_000_000)
    expect(facts.connections).toBeGreaterThan(0)
    expect(facts.max_connections).toBeGreaterThan(facts.connections)
    expect(facts.answer_ms).toBeGreaterThan(0)
  })
})

describe('pauses of sending', () => {
  const pause = (body: object = {}, headers: { cookie: string } = staff) =>
    api.call(
      'POST',
      '/api/sending-pauses',
      { integration: 'crm', until: later(HOUR), reason: 'Maintenance of the CRM', ...body },
      headers,
    )
  const resume = (headers: { cookie: string } = staff) =>
    api.call('DELETE', '/api/sending-pauses/crm', undefined, headers)
  const list = async () => (await api.call('GET', '/api/attention', undefined, staff)).body.pauses

  it('are set and ended by managers, and seen by all', async () => {
    const { status, body } = await pause()
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { kind: 'staff', paused_by: 'staff', integration: 'crm' },
    })
    expect(await list()).toEqual([body])
    expect((await read()).crm).toMatchObject({ state: 'paused', pause: body })
    expect((await read()).mail.state).toBe('working')

    expect((await resume()).status).toBe(200)
    expect(await list()).toEqual([])
    expect(await resume()).toMatchObject({ status: 404, body: { error: 'This pause has ended.' } })

    const agent = await asRole('agent')
    expect([(await pause({}, agent)).status, (await resume(agent)).status]).toEqual([403, 403])
    expect((await read(agent)).crm.state).toBe('working')
  })
})

const call = async (method: string, path: string, body?: unknown) =>
  api.call(method, path, body, await staffHeaders(database.db))

const SLACK = { kind: 'slack', name: 'Operations', url: 'https://hooks.example.com/services/T1/B2/secret1234' }

describe('the channels of alerts', () => {
  it('begin with that of the team, which cannot be removed', async () => {
    const { status, body } = await call('GET', '/api/alerts')
    expect(status).toBe(200)
    expect(body).toMatchObject({ checked_at: null, no_lead_hours: 8 })
    expect(body.channels).toMatchObject([{ kind: 'team', target: null, rhythm: 'at_once', last: null }])
    expect(await call('DELETE', `/api/alerts/channels/${body.channels[0].id}`)).toMatchObject({ status: 409 })
  })

  it('are added, changed and removed, and show no secret address', async () => {
    const { body: added } = await call('POST', '/api/alerts/channels', SLACK)
    expect(added.secret).toBeNull()
    const path = `/api/alerts/channels/${added.id}`
    expect((await call('PATCH', path, { daily_hour: 17, rhythm: 'daily' })).status).toBe(200)
    const { body } = await call('GET', '/api/alerts')
    expect(body.channels[1]).toMatchObject({
      ...{ id: added.id, name: 'Operations', daily_hour: 17, target: 'hooks.example.com/…1234' },
      rhythm: 'daily',
    })
    expect(JSON.stringify(body)).not.toContain('secret1234')
    expect((await call('DELETE', path)).status).toBe(200)
    expect((await call('DELETE', path)).status).toBe(404)
    const acts = await database.db('audit_log').where('entity', 'channel').orderBy('id').pluck('action')
    expect(acts).toEqual(['add-channel', 'change-channel', 'remove-channel'])
  })

  it('of a webhook answer with their secret once', async () => {
    const { body } = await call('POST', '/api/alerts/channels', { ...SLACK, kind: 'webhook' })
    expect(body.secret).toMatch(/^whsec_.{40,}$/)
    expect(JSON.stringify((await call('GET', '/api/alerts')).body)).not.toContain(body.secret)
  })
})
