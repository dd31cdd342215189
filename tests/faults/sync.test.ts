import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { MINUTE, SECOND } from '../../core/contract/time.ts'
import { readSyncEnv } from '../../core/env.ts'
import { createLog } from '../../core/platform/log.ts'
import { scheduleSyncs } from '../../worker/sync/schedule.ts'
import { createTestDatabase } from '../support/database.ts'
import { waitUntilSettled } from '../support/deliveries.ts'
import { createLead, createSyncRun, staffHeaders } from '../support/factories.ts'
import { startSite } from '../support/site.ts'
import { waitFor } from '../support/wait.ts'
import { clinicPost, startWordPress } from '../support/wordpress-server.ts'

it('a provider sync is done once, and leads that waited find their provider, though its worker is killed in the middle', async () => {
  const wordpress = await startWordPress()
  onTestFinished(() => wordpress.close())
  wordpress.posts.push(...Array.from({ length: 150 }, (_, index) => clinicPost(index + 1)))
  let isHeld = true
  wordpress.intercept((page, answer) => (page === 2 && isHeld ? null : answer))
  const site = await startSite()
  await site.db('providers').update({ status: 'f' })
  const settings = { WORDPRESS_URL: wordpress.url }
  const api = await site.startApi(settings)
  const victim = await site.startWorker(settings)
  const leadId = await createLead(site.db)
  await waitUntilSettled(site.db)

  const staff = await staffHeaders(site.db)
  const click = api.call('POST', '/api/sync', undefined, staff)
  await waitFor('the second page', () =>
    wordpress.requests.some(({ searchParams }) => searchParams.get('page') === '2'),
  )
  await victim.kill('SIGKILL')
  isHeld = false
  await Promise.all([site.startWorker(settings), site.startWorker(settings)])

  expect((await click).body).toMatchObject({ success: true, run: { counts: { created: 150 }, leads_queued: 1 } })
  await waitUntilSettled(site.db)
  expect(await site.db('leads').where('id', leadId).first()).toMatchObject({ match_kind: 'nearest' })
  expect(await site.db('provider_syncs')).toMatchObject([{ state: 'done', attempt: 2 }])
  const { body } = await api.call('GET', '/api/sync-runs', undefined, staff)
  expect(body.runs[0].leads_matched).toBe(1)
})

it('The schedule of a provider sync starts it once, however many workers there are, but never before a person has', async () => {
  const wordpress = await startWordPress()
  wordpress.posts.push(clinicPost(1))
  const { db, url, drop } = await createTestDatabase()
  // Each second, so that the workers meet in a minute again and again. The settings allow no more than each minute.
  const settings = { WORDPRESS_URL: wordpress.url, DATABASE_URL: url }
  const env = { ...readSyncEnv(settings), WORDPRESS_SYNC_CRON: '* * * * * *', NETWORK_TIME_ZONE: 'America/New_York' }
  const workers = Array.from({ length: 3 }, () => scheduleSyncs({ env, db, log: createLog('test', 'silent') }))
  onTestFinished(async () => {
    await Promise.all(workers.map((worker) => worker.stop()))
    await Promise.all([wordpress.close(), drop()])
  })
  const runs = () => db('provider_syncs').orderBy('id')
  // Two times of the schedule at least.
  await sleep(3 * SECOND)
  expect(await runs()).toEqual([])

  const { id: first } = await createSyncRun(db, { finished_at: db.raw(`now() - interval '1 hour'`) })
  const scheduled = async () => (await runs()).filter((run) => run.id !== first)
  await waitFor('the run', async () => (await scheduled()).length > 0)
  await db('provider_syncs').where('state', 'waiting').update({ state: 'done', finished_at: db.fn.now() })
  await sleep(3 * SECOND)
  const minutes = (await scheduled()).map((run) => {
    expect(run).toMatchObject({ trigger: 'schedule', started_by: null })
    return Number(run.scheduled_for)
  })
  expect(minutes.every((minute) => minute % MINUTE === 0)).toBe(true)
  // Two where a minute has ended meanwhile.
  expect(minutes.length).toBeLessThanOrEqual(2)
  expect(new Set(minutes).size).toBe(minutes.length)
  expect(await db('jobs').where('name', 'sync-providers')).toHaveLength(minutes.length)
})
