import { describe, expect, it, vi } from 'vitest'
import { SECOND } from '../../core/contract/time.ts'
import { SyncAnswer } from '../../core/sync/contract/sync.ts'
import { apiWith } from '../support/api-server.ts'
import { staffHeaders } from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'
import { clinicPost, failure } from '../support/wordpress-server.ts'
import { useSyncSite } from './sync-site.ts'

const site = useSyncSite()
const { call, database, runs, startWorker } = site

describe('POST /api/sync', () => {
  it('answers at the end of the run, with what it did', async () => {
    startWorker()
    const { status, body } = await call('POST', '/api/sync')
    expect(status).toBe(200)
    expect(SyncAnswer.parse(body)).toMatchObject({
      success: true,
      run: { state: 'done', trigger: 'staff', started_by: 'staff', counts: { seen: 12, created: 12 } },
    })
    expect((await call('GET', '/api/providers')).body).toHaveLength(12)
    const [line] = await database.db('audit_log').where('action', 'sync')
    expect(line).toMatchObject({ actor: 'staff', entity: 'provider', entity_id: 'all', details: { run: body.run.id } })
  })

  it('says why a run has failed', async () => {
    startWorker()
    site.wordpress.intercept(() => failure(403, 'rest_forbidden'))
    const { status, body } = await call('POST', '/api/sync')
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        success: false,
        error: expect.stringMatching(/does not let us read the posts \(403 rest_forbidden\).* Nothing was changed\.$/),
        run: { state: 'failed' },
      },
    })
  })

  it('joins a run that is under way', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    site.wordpress.intercept(async (_page, answer) => {
      await held
      return answer
    })
    const waiting = vi.spyOn(site.api.events, 'listen')
    startWorker()
    const clicks = [call('POST', '/api/sync'), call('POST', '/api/sync'), call('POST', '/api/sync')]
    await waitFor('the run', async () => (await call('GET', '/api/sync-runs')).body.status.current?.state === 'running')
    clicks.push(call('POST', '/api/sync'))
    await waitFor('all clicks, which wait for its end', () => waiting.mock.calls.length === clicks.length)
    waiting.mockRestore()
    release()
    const answers = await Promise.all(clicks)
    expect(new Set(answers.map(({ body }) => body.run.id)).size).toBe(1)
    expect(answers.every(({ body }) => body.success)).toBe(true)
    expect(await runs()).toHaveLength(1)
  })

  it('answers with 202 after 25 seconds, while the run goes on', async () => {
    const late = new AbortController()
    const { timeout } = AbortSignal
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => (ms === 25 * SECOND ? late.signal : timeout(ms)))
    const click = call('POST', '/api/sync')
    await waitFor('the run', async () => (await runs()).length > 0)
    late.abort()
    try {
      const { status, body } = await click
      expect(status).toBe(202)
      expect(SyncAnswer.parse(body)).toMatchObject({
        success: false,
        error: 'The sync is waiting for a worker to start it.',
        run: { state: 'waiting' },
      })
    } finally {
      vi.restoreAllMocks()
    }
  })

  it('answers with 202 at once when the API is stopped, while the run goes on', async () => {
    const other = await apiWith(database.app, { WORDPRESS_URL: site.wordpress.url })
    const click = other.call('POST', '/api/sync', undefined, await staffHeaders(database.db))
    await waitFor('the run', async () => (await runs()).length > 0)
    other.stop()
    expect(await click).toMatchObject({ status: 202, body: { success: false, run: { state: 'waiting' } } })
    startWorker()
    await waitFor('the end', async () => (await runs())[0]?.state === 'done')
  })

  it('is refused where no WordPress is connected', async () => {
    const other = await apiWith(database.app)
    const staff = await staffHeaders(database.db)
    for (const path of ['/api/sync', '/api/sync?dryRun=true']) {
      expect(await other.call('POST', path, undefined, staff)).toMatchObject({
        status: 409,
        body: { error: 'WordPress is not configured.', code: 'conflict' },
      })
    }
    expect((await other.call('GET', '/api/sync-runs', undefined, staff)).body.status).toMatchObject({
      is_configured: false,
      schedule: null,
    })
  })
})

describe('approving', () => {
  const refusedRun = async () => {
    startWorker()
    await call('POST', '/api/sync')
    for (let id = 1; id <= 6; id++) site.wordpress.posts[id - 1] = clinicPost(id, {}, { active: false })
    const { body } = await call('POST', '/api/sync')
    expect(body).toMatchObject({ success: false, error: expect.stringMatching(/a manager must approve/) })
    return body.run.id as number
  }

  it('does what the run would have done', async () => {
    const id = await refusedRun()
    expect((await call('GET', '/api/sync-runs')).body.status.needs_approval).toBe(id)
    const { body } = await call('POST', `/api/sync-runs/${id}/approve`)
    expect(body).toMatchObject({ success: true, run: { approves: id, counts: { deactivated: 6 } } })
    expect((await call('GET', `/api/sync-runs/${id}`)).body).toMatchObject({
      can_be_approved: false,
      approved: { id: body.run.id, started_by: 'staff', created_at: body.run.created_at },
    })
    expect((await call('GET', '/api/sync-runs')).body.status.needs_approval).toBeNull()
    expect((await call('GET', '/api/providers?status=inactive')).body).toHaveLength(6)
  })

  it('is possible for a run that others have followed, until one of them was applied', async () => {
    const id = await refusedRun()
    const { body: later } = await call('POST', '/api/sync')
    expect((await call('GET', '/api/sync-runs')).body.status.needs_approval).toBe(later.run.id)
    expect((await call('POST', `/api/sync-runs/${id}/approve`)).body.success).toBe(true)
    for (const refused of [id, later.run.id, id - 1]) {
      expect(await call('POST', `/api/sync-runs/${refused}/approve`)).toMatchObject({
        status: 409,
        body: { code: 'conflict', error: expect.stringMatching(/^There is nothing to approve/) },
      })
    }
  })

  it('is still asked for when a later run has failed', async () => {
    const id = await refusedRun()
    const needsApproval = async () => (await call('GET', '/api/sync-runs')).body.status.needs_approval
    site.wordpress.intercept(() => failure(403, 'rest_forbidden'))
    expect((await call('POST', '/api/sync')).body.run.state).toBe('failed')
    expect(await needsApproval()).toBe(id)
    site.wordpress.intercept((_page, answer) => answer)
    site.wordpress.posts.splice(0, Infinity, ...Array.from({ length: 12 }, (_, index) => clinicPost(index + 1)))
    expect((await call('POST', '/api/sync')).body.run.state).toBe('done')
    expect(await needsApproval()).toBeNull()
  })
})
