import { describe, expect, it } from 'vitest'
import { freePort } from '../../local/ports.ts'
import { submit, waitUntilSettled } from '../support/deliveries.ts'
import { idOf, leadForm } from '../support/factories.ts'
import { scrape } from '../support/metrics.ts'
import { describeOnRedis, type Site, startSite } from '../support/site.ts'
import { waitFor } from '../support/wait.ts'

async function startMeasured(site: Site) {
  const [apiPort, workerPort] = [await freePort(), await freePort()]
  return {
    api: await site.startApi({ METRICS_PORT: String(apiPort) }),
    startWorker: () => site.startWorker({ METRICS_PORT: String(workerPort) }),
    ofApi: () => scrape(apiPort),
    ofWorker: () => scrape(workerPort),
  }
}

describe('Measurements', () => {
  it('follow leads from the form to their deliveries, and to the retries of staff', async () => {
    const site = await startSite()
    const { api, startWorker, ofApi, ofWorker } = await startMeasured(site)
    const { body } = await submit(api)
    await submit(api, leadForm({ zip_code: '99723' }))
    await submit(api, { ...leadForm(), email: 'not an address' })

    const waiting = await waitFor('the jobs to be in the queue', async () => {
      const read = await ofApi()
      const enqueued = (queue: string) => read.value('leadwell_jobs', { queue, state: 'enqueued' })
      return enqueued('send-email') === 2 && enqueued('match-lead') === 1 && enqueued('sync-crm') === 2 && read
    })
    expect(waiting.value('bullmq_job_count', { queue: 'send-email', state: 'waiting' })).toBe(2)
    expect(waiting.value('bullmq_job_count', { queue: 'match-lead', state: 'waiting' })).toBe(1)
    expect(waiting.value('bullmq_job_count', { queue: 'sync-crm', state: 'active' })).toBe(0)
    expect(waiting.value('leadwell_job_oldest_due_seconds', { queue: 'send-email' })).toBeGreaterThan(0)
    expect(waiting.value('leadwell_outbox_age_seconds', { queue: 'send-email' })).toBe(0)
    expect(waiting.value('leadwell_leads_last_day', { match: 'nearest' })).toBe(1)
    expect(waiting.value('leadwell_leads_last_day', { match: 'none' })).toBe(1)
    expect(waiting.value('leadwell_leads_last_day', { match: 'staff' })).toBe(0)
    expect(waiting.value('leadwell_dependency_up', { dependency: 'queue' })).toBe(1)
    const posts = { method: 'POST', route: '/api/leads' }
    expect(waiting.value('http_request_duration_seconds_count', { ...posts, status: '201' })).toBe(2)
    expect(waiting.value('http_request_duration_seconds_count', { ...posts, status: '422' })).toBe(1)

    site.smtp.answer((recipient) =>
      recipient.startsWith('visitor') ? { status: 550, text: '5.1.1 no such user', at: 'recipient' } : 'accept',
    )
    site.crm.answer({ status: 410 })
    await startWorker()
    await waitUntilSettled(site.db)

    const done = await ofWorker()
    const attempts = (labels: Record<string, string>) => done.value('leadwell_job_duration_seconds_count', labels)
    expect(attempts({ queue: 'send-email', outcome: 'done' })).toBe(2)
    expect(attempts({ queue: 'send-email', outcome: 'failed' })).toBe(2)
    expect(attempts({ queue: 'match-lead', outcome: 'done' })).toBe(1)
    const failures = (labels: Record<string, string>) => done.value('leadwell_job_failures_total', labels)
    expect(failures({ queue: 'send-email', cause: 'unknown_mailbox', outcome: 'failed' })).toBe(2)
    expect(failures({ queue: 'sync-crm', cause: 'wrong_address', outcome: 'failed' })).toBe(2)
    expect(failures({ queue: 'sync-crm', cause: 'busy', outcome: 'retried' })).toBe(0)

    const after = await ofApi()
    expect(after.value('leadwell_jobs_failed', { queue: 'send-email', cause: 'unknown_mailbox' })).toBe(2)
    expect(after.value('leadwell_jobs_failed', { queue: 'sync-crm', cause: 'wrong_address' })).toBe(2)
    expect(after.value('leadwell_job_oldest_due_seconds', { queue: 'send-email' })).toBe(0)
    expect(after.value('leadwell_jobs', { queue: 'send-email', state: 'enqueued' })).toBe(0)

    // Staff make the mails of one of the two leads again: its failure counts no longer.
    site.smtp.answer('accept')
    await api.call('POST', `/api/leads/${await idOf(site.db, body)}/retry-email`, {}, await api.signIn())
    await waitUntilSettled(site.db)
    const retried = await ofApi()
    expect(retried.value('leadwell_jobs_failed', { queue: 'send-email', cause: 'unknown_mailbox' })).toBe(1)
  })

  it('tell what the worker has found wrong, with zeros', async () => {
    const site = await startSite()
    const { ofApi } = await startMeasured(site)
    expect((await ofApi()).value('leadwell_condition', { id: 'sending', severity: 'high' })).toBe(0)
    const now = new Date()
    await site.db('alert_states').insert({
      ...{
        event: 'sending',
        subject: 'crm',
        title: 'The CRM fails.',
        path: '/admin',
        opened_at: now,
        last_seen_at: now,
      },
    })
    expect((await ofApi()).value('leadwell_condition', { id: 'sending' })).toBe(1)
  })

  it('are on a port of their own and nowhere on the site, and name routes by their pattern', async () => {
    const site = await startSite()
    const { api, ofApi } = await startMeasured(site)
    const staff = await api.signIn()
    const { body } = await submit(api)
    await api.call('GET', `/api/leads/${await idOf(site.db, body)}`, undefined, staff)
    await api.call('GET', '/api/leads/4242', undefined, staff)
    await api.call('GET', '/api/canary-path?q=canary-query')
    await api.call('GET', '/canary-page')
    await api.call('GET', '/canary.js')
    await api.call('PROPFIND', '/api/leads')

    const { text, value } = await ofApi()
    const withoutValues = text.replace(/ \S+$/gm, '')
    expect(withoutValues).not.toMatch(/canary|4242/)
    const count = (labels: Record<string, string>) => value('http_request_duration_seconds_count', labels)
    expect(count({ route: '/api/leads/:id', status: '200' })).toBe(1)
    expect(count({ route: '/api/leads/:id', status: '404' })).toBe(1)
    expect(count({ route: 'page', status: '404' })).toBe(1)
    expect(count({ method: 'other', status: '405' })).toBe(1)

    expect(api.output()).toContain('"msg":"metrics ready"')
    expect((await api.call('GET', '/metrics')).status).toBe(404)
    expect((await api.call('GET', '/metrics', undefined, staff)).status).toBe(404)
    expect((await site.startApi()).output()).not.toContain('metrics')
  })

  it('say that the database is away, in time and without what it was before', async () => {
    const site = await startSite()
    const { ofApi } = await startMeasured(site)
    expect((await ofApi()).value('leadwell_jobs_failed', { queue: 'sync-crm', cause: 'busy' })).toBe(0)

    await site.db.raw('alter table jobs rename to hidden_jobs')
    const away = await ofApi()
    expect(away.value('leadwell_dependency_up', { dependency: 'database' })).toBe(0)
    expect(away.names.has('leadwell_jobs_failed')).toBe(false)
    expect(away.names.has('process_cpu_seconds_total')).toBe(true)
    await site.db.raw('alter table hidden_jobs rename to jobs')
    expect((await ofApi()).value('leadwell_dependency_up', { dependency: 'database' })).toBe(1)
  })
})

describeOnRedis('Measurements', () => {
  it('say that Redis is away and how long the outbox has waited for it', async () => {
    const site = await startSite()
    const { api, ofApi } = await startMeasured(site)
    site.redis.freeze()
    await submit(api)
    const away = await waitFor('the outbox to age', async () => {
      const read = await ofApi()
      return Number(read.value('leadwell_outbox_age_seconds', { queue: 'sync-crm' })) > 2 && read
    })
    expect(away.value('leadwell_dependency_up', { dependency: 'queue' })).toBe(0)
    expect(away.value('leadwell_jobs', { queue: 'sync-crm', state: 'waiting' })).toBe(1)
    expect(away.names.has('bullmq_job_count')).toBe(false)

    site.redis.thaw()
    // The relay catches up at once; what a check of Redis found counts for five seconds.
    await waitFor('the relay to catch up', async () => {
      const read = await ofApi()
      return (
        read.value('leadwell_outbox_age_seconds', { queue: 'sync-crm' }) === 0 &&
        read.value('leadwell_dependency_up', { dependency: 'queue' }) === 1
      )
    })
  })
})
