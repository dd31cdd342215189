import { expect, it } from 'vitest'
import { MINUTE } from '../../core/time.ts'
import { waitUntilSettled } from '../support/deliveries.ts'
import { createLead, createSyncRun, staffHeaders } from '../support/factories.ts'
import { describeOnBestBackend, startSite } from '../support/site.ts'
import { waitFor } from '../support/wait.ts'
import { clinicPost, startWordPress } from '../support/wordpress-server.ts'

describeOnBestBackend('a provider sync', (backend) => {
  it('is done once, and leads that waited find their provider, though its worker is killed in the middle', async () => {
    const wordpress = await startWordPress()
    wordpress.posts.push(...Array.from({ length: 150 }, (_, index) => clinicPost(index + 1)))
    let isHeld = true
    wordpress.intercept((page, answer) => (page === 2 && isHeld ? null : answer))
    const site = await startSite({ backend })
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
    await wordpress.close()
  })

  it('is started once by the schedules of several workers, after the first by a person', async () => {
    const wordpress = await startWordPress()
    wordpress.posts.push(clinicPost(1))
    const site = await startSite({ backend })
    const settings = { WORDPRESS_URL: wordpress.url, WORDPRESS_SYNC_CRON: '* * * * *' }
    await Promise.all([site.startWorker(settings), site.startWorker(settings), site.startWorker(settings)])
    const runs = () => site.db('provider_syncs').orderBy('id')
    await new Promise((resolve) => setTimeout(resolve, MINUTE))
    expect(await runs()).toEqual([])
    await createSyncRun(site.db, { finished_at: site.db.raw(`now() - interval '1 hour'`) })
    const ofSchedule = async () => (await runs()).find(({ trigger }) => trigger === 'schedule')
    const run = await waitFor('the minute', ofSchedule, { within: 90_000 })
    await waitFor('the run', async () => (await ofSchedule())?.state === 'done')
    await new Promise((resolve) => setTimeout(resolve, 5000))
    const ofThatMinute = (await runs()).filter(
      ({ trigger, created_at }) => trigger === 'schedule' && created_at - run.created_at < 30_000,
    )
    expect(ofThatMinute).toHaveLength(1)
    expect(run).toMatchObject({ trigger: 'schedule', started_by: null })
    expect(await site.db('providers').where('wordpress_id', 1)).toHaveLength(1)
    await wordpress.close()
  })
})
