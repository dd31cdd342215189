import { describe, expect, it } from 'vitest'
import { retry } from '../../core/deliveries/retry-deliveries.ts'
import { SyncRunDetails, SyncRunList } from '../../core/sync/contract/sync.ts'
import {
  applySync,
  type BegunRun,
  beginSync,
  failSync,
  LostRun,
  recordProgress,
  startSync,
} from '../../core/sync/runs.ts'
import { createStaff, staffHeaders } from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'
import { clinicPost } from '../support/wordpress-server.ts'
import { useSyncSite } from './sync-site.ts'

const site = useSyncSite()
const { call, database, runs, startWorker } = site

describe('GET /api/sync-runs', () => {
  it('lists the runs, the newest first, and how the sync stands', async () => {
    expect((await call('GET', '/api/sync-runs')).body).toEqual({
      runs: [],
      total: 0,
      status: {
        is_configured: true,
        schedule: '0 * * * *',
        next_at: null,
        current: null,
        last_success_at: null,
        is_overdue: false,
        needs_approval: null,
      },
    })
    startWorker()
    await call('POST', '/api/sync?dryRun=true')
    expect((await call('GET', '/api/sync-runs')).body.status).toMatchObject({ last_success_at: null })
    const { id } = await createStaff(database.db, { name: 'Ada Park', email: 'ada@leadwell.example' })
    await site.api.call('POST', '/api/sync', undefined, await staffHeaders(database.db, id))
    const { body } = await call('GET', '/api/sync-runs?limit=1')
    expect(SyncRunList.parse(body)).toMatchObject({
      total: 2,
      runs: [{ id: 2, started_by: 'ada@leadwell.example', started_by_name: 'Ada Park', dry_run: false }],
      status: {
        next_at: expect.stringMatching(/:00:00\.000Z$/),
        last_success_at: body.runs[0].finished_at,
        is_overdue: false,
        current: null,
      },
    })
    expect((await call('GET', '/api/sync-runs?limit=1&page=2')).body.runs).toMatchObject([{ id: 1, dry_run: true }])
  })

  it('has the changes and the skipped posts of one run', async () => {
    startWorker()
    site.wordpress.posts.push(clinicPost(99, {}, { zip_code: '' }))
    const { body } = await call('POST', '/api/sync')
    const details = SyncRunDetails.parse((await call('GET', `/api/sync-runs/${body.run.id}`)).body)
    expect(details.changes).toHaveLength(12)
    expect(details.changes[0]).toEqual({
      kind: 'create',
      wordpress_id: 1,
      provider_id: null,
      name: 'Dr. Number 1',
      zipCode: '78701',
      reason: null,
      fields: [
        { field: 'email', from: null, to: 'clinic1@clinics.example' },
        { field: 'phone', from: null, to: '(512) 555-0100' },
      ],
    })
    expect(details.skipped).toEqual([{ wordpress_id: 99, title: 'Dr. Number 99', reason: 'It has no zip code.' }])
  })

  it('tells open dashboards of a run, and of the providers that it has changed', async () => {
    const heard: string[] = []
    const client = await database.db.client.acquireConnection()
    try {
      client.on('notification', ({ payload }: { payload: string }) => heard.push(payload))
      await client.query('listen changes')
      startWorker()
      await call('POST', '/api/sync')
      await waitFor('the news', () => heard.some((line) => line.includes('providers')))
      expect(JSON.parse(heard.at(-1) ?? '')).toEqual({
        syncs: [1],
        providers: Array.from({ length: 12 }, (_, index) => index + 1),
        jobs: [],
      })
      await client.query('unlisten changes')
    } finally {
      await database.db.client.releaseConnection(client)
    }
  })
})

describe('a run', () => {
  const asked = { trigger: 'staff', actor: 'staff' } as const

  it('runs while no other one does, and the other one follows it', async () => {
    const first = (await startSync(database.db, asked)) as number
    const second = (await startSync(database.db, { ...asked, dryRun: true })) as number
    const run = (await beginSync(database.db, first)) as BegunRun
    expect(await beginSync(database.db, second)).toBe('busy')
    await database.db('jobs').update({ state: 'cancelled', finished_at: database.db.fn.now() })
    await failSync(database.db, run, 'WordPress is away.')
    expect(await beginSync(database.db, first)).toBe('ended')
    const open = database.db('jobs').where({ name: 'sync-providers', state: 'waiting' })
    expect(await open).toMatchObject([{ subject_kind: 'sync', subject_id: second, generation: 2 }])
    expect(await beginSync(database.db, second)).toMatchObject({ id: second })
  })

  it('is given to one worker at a time, whoever begins it', async () => {
    const id = (await startSync(database.db, asked)) as number
    const begun = await Promise.all(Array.from({ length: 3 }, () => beginSync(database.db, id)))
    const reported = await Promise.allSettled(
      begun.map((run) => recordProgress(database.db, run as BegunRun, { pagesDone: 1, pagesTotal: 1 })),
    )
    expect(reported.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('that has ended is not run again by a retry of its job', async () => {
    startWorker()
    await call('POST', '/api/sync')
    const failed = { state: 'failed' as const, last_cause: 'our_side' as const, last_error: 'The database is away.' }
    const ended = { ...failed, finished_at: database.db.fn.now() }
    const [job] = await database.db('jobs').where('name', 'sync-providers').update(ended).returning('id')
    await expect(retry(database.db, job?.id ?? '', { actor: 'staff' })).rejects.toThrow(
      'This sync has ended. Start a new one.',
    )
  })

  it('whose worker has died is begun again, and what that one still does counts for nothing', async () => {
    const id = (await startSync(database.db, asked)) as number
    const dead = (await beginSync(database.db, id)) as BegunRun
    expect(await beginSync(database.db, id)).toEqual({ id, attempt: 2, dryRun: false })
    await expect(recordProgress(database.db, dead, { pagesDone: 1, pagesTotal: 1 })).rejects.toThrow(LostRun)
    const reading = { posts: [], unusable: [], unreadable: 0, removed: new Set<number>() }
    await expect(
      applySync(database.db, dead, reading, {
        pagesDone: 1,
        radiusMiles: 100,
        mainDomain: 'localhost',
      }),
    ).rejects.toThrow(LostRun)
    await failSync(database.db, dead, 'Too late.')
    expect(await runs()).toMatchObject([{ state: 'running', error: null }])
  })

  it('has failed when three workers have died of it', async () => {
    const id = (await startSync(database.db, asked)) as number
    for (let attempt = 1; attempt <= 3; attempt++) expect(await beginSync(database.db, id)).toMatchObject({ attempt })
    expect(await beginSync(database.db, id)).toBe('ended')
    expect(await runs()).toMatchObject([{ state: 'failed', error: expect.stringMatching(/three times/) }])
  })

  it('goes back when its worker is stopped', async () => {
    site.wordpress.intercept(() => new Promise(() => {}))
    const started = site.wordpress.requests.length
    startWorker()
    await startSync(database.db, asked)
    await waitFor('a request', () => site.wordpress.requests.length > started)
    await site.stopWorker()
    expect(await runs()).toMatchObject([{ state: 'waiting' }])
    site.wordpress.intercept((_page, answer) => answer)
    startWorker()
    await waitFor('the end', async () => (await runs())[0]?.state === 'done')
  })

  it('of a schedule is started once for its minute', async () => {
    const scheduled = { trigger: 'schedule', actor: null, scheduledFor: new Date('2026-11-25T10:00:00Z') } as const
    const ids = await Promise.all(Array.from({ length: 5 }, () => startSync(database.db, scheduled)))
    expect(ids.filter((id) => id !== null)).toHaveLength(1)
    startWorker()
    await waitFor('the end', async () => (await runs())[0]?.state === 'done')
    expect(await startSync(database.db, scheduled)).toBeNull()
    expect(await runs()).toHaveLength(1)
  })
})
