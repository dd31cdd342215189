import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../local/ports.ts'
import type { ApiClient } from '../support/api-client.ts'
import { ledger, retryNow, submit, waitUntilSettled } from '../support/deliveries.ts'
import { CRM_SECRET, STAFF_PASSWORD } from '../support/env.ts'
import { idOf, leadForm } from '../support/factories.ts'
import { scrape } from '../support/metrics.ts'
import { describeOnRedis, type Site, startSite } from '../support/site.ts'
import { startStagedSmtpServer } from '../support/smtp-stages.ts'
import { waitFor } from '../support/wait.ts'
import { startWordPress } from '../support/wordpress-server.ts'

const VISITOR = {
  first_name: 'Canarella',
  last_name: 'Birdsong-Yellow',
  email: 'canary.mailbox@visitors.example',
  phone: '(512) 555-7391',
}
const CANARIES = [...Object.values(VISITOR), 'canary.mailbox', '5125557391', '555-7391', 'visitors.example']

describeOnRedis("A visitor's name, email and phone", () => {
  it('are in no queue, queue page, log or measurement, though peers and the database repeat them in their errors', async () => {
    const site = await startSite()
    const [apiMetrics, workerMetrics] = [String(await freePort()), String(await freePort())]
    const api = await site.startApi({ METRICS_PORT: apiMetrics })
    const queued: string[] = []
    const form = leadForm(VISITOR)

    // Waiting in the queue, before any worker.
    const { body } = await submit(api, form)
    await waitFor('the jobs to be in the queue', async () => (await statesOf(site)).join() === 'enqueued')
    queued.push(await site.redis.dump())

    // Both peers repeat what they got.
    site.smtp.answer({ status: 451, text: `try later: ${Object.values(VISITOR).join(' ')}` })
    site.crm.answer({ status: 500, body: JSON.stringify(VISITOR) })
    const worker = await site.startWorker({ METRICS_PORT: workerMetrics })
    await waitFor('three failed attempts', async () => (await ledger(site.db)).every(({ attempts }) => attempts === 1))
    queued.push(await site.redis.dump())
    site.smtp.answer({ status: 550, text: `no such user <${VISITOR.email}>` })
    site.crm.answer({ status: 400, body: JSON.stringify(VISITOR) })
    await retryNow(site.db)
    await waitUntilSettled(site.db)

    // Outcomes cannot be recorded, and the database quotes the row.
    await site.db.raw(`alter table jobs add constraint unwritable check (last_detail not like '%canary%') not valid`)
    const staff = await api.signIn()
    await api.call('POST', `/api/leads/${await idOf(site.db, body)}/retry-email`, {}, staff)
    await waitFor('an outcome that cannot be recorded', () => worker.output().includes('unwritable'))
    queued.push(await site.redis.dump())
    await site.db.raw('alter table jobs drop constraint unwritable')
    await waitUntilSettled(site.db)

    // A lead cannot be stored, and the database quotes it.
    await site.db.raw(`alter table all_leads add constraint unstorable check (zip_code <> '10001')`)
    const refused = await submit(api, { ...form, email: `other.${VISITOR.email}`, zip_code: '10001' })
    expect(refused.status).toBe(500)
    await waitFor('the API to log it', () => api.output().includes('unstorable'))

    // Staff look for them, and anybody may put them into an address.
    const address = encodeURIComponent(VISITOR.email)
    await api.call('GET', `/api/leads?q=${address}`, undefined, staff)
    await api.call('GET', `/?email=${address}`)
    const measured = [(await scrape(apiMetrics)).text, (await scrape(workerMetrics)).text].join('\n')

    expect(queued.every((dump) => dump.includes('jobId'))).toBe(true)
    expect(measured).toContain('unknown_mailbox')
    const outputs = { api: api.output(), worker: worker.output() }
    expect(leaksIn({ queue: queued.join('\n'), ...outputs, measured }, CANARIES)).toEqual([])
    expect(worker.output()).toContain('550')
    // Staff see all of it.
    const { body: seen } = await api.call('GET', `/api/leads/${await idOf(site.db, body)}/jobs`, undefined, staff)
    expect(JSON.stringify(seen)).toContain(VISITOR.email)
  })
})

const SMTP_PASSWORD = 'canary-of-the-mail-server'
const SECRETS = {
  CRM_WEBHOOK_SECRET: `${CRM_SECRET} whsec_${Buffer.from('a canary that signs beside it').toString('base64')}`,
  HUBSPOT_TOKEN: 'canary-of-hubspot',
  WORDPRESS_APP_PASSWORD: 'canary of the press',
}
const TYPED_PASSWORD = 'canary-typed-by-mistake'
const WEBHOOK_SECRETS = SECRETS.CRM_WEBHOOK_SECRET.split(' ').map((secret) => secret.slice(6))
const SECRET_CANARIES = [
  ...WEBHOOK_SECRETS,
  ...WEBHOOK_SECRETS.map((secret) => Buffer.from(secret, 'base64').toString()),
  SECRETS.HUBSPOT_TOKEN,
  SECRETS.WORDPRESS_APP_PASSWORD,
  SMTP_PASSWORD,
  Buffer.from(`\0worker\0${SMTP_PASSWORD}`).toString('base64'),
  STAFF_PASSWORD,
  TYPED_PASSWORD,
]

describeOnRedis('The secrets of the settings', () => {
  it('are in no queue, log, measurement or answer, whether deliveries succeed or fail', async () => {
    const site = await startSite()
    const refusing = await startStagedSmtpServer()
    const wordpress = await startWordPress({ user: 'reader', password: 'another', wrongPassword: 'refused' })
    onTestFinished(async () => {
      await Promise.all([refusing.close(), wordpress.close()])
    })
    const [apiMetrics, workerMetrics] = [String(await freePort()), String(await freePort())]
    const settings = {
      ...SECRETS,
      WORDPRESS_URL: wordpress.url,
      WORDPRESS_USER: 'reader',
    }
    const login = (url: string) => ({ SMTP_URL: url.replace(/\/\/(.*@)?/, `//worker:${SMTP_PASSWORD}@`) })
    const api = await site.startApi({ ...settings, ...login(site.smtp.url), METRICS_PORT: apiMetrics })
    const { body: lead } = await submit(api)
    await waitFor('the jobs to be in the queue', async () => (await statesOf(site)).join() === 'enqueued')
    const queue = [await site.redis.dump()]
    const [measured, workers]: [string[], string[]] = [[], []]
    expect(queue[0]).toContain('jobId')

    // Nobody there; then somebody who refuses our credentials; then a CRM and a mail server that take everything.
    const takers = [
      { url: 'smtp://127.0.0.1:1', crm: 503, shown: /ECONNREFUSED|answered 503/ },
      { url: refusing.url, crm: 401, shown: /5\.7\.8 wrong password|answered 401/ },
      { url: site.smtp.url, crm: 200, shown: /^done/ },
    ]
    await api.call('POST', '/api/session', { password: TYPED_PASSWORD })
    const staff = await api.signIn()
    refusing.answer('AUTH', { status: 535, text: '5.7.8 wrong password' })
    for (const { url, crm, shown } of takers) {
      site.crm.answer({ status: crm })
      await retryNow(site.db)
      const worker = await site.startWorker({ ...settings, ...login(url), METRICS_PORT: workerMetrics })
      await waitFor('an attempt at each job', async () =>
        (await ledger(site.db))
          .filter(({ subject_kind }) => subject_kind === 'lead')
          .every((job) => shown.test(`${job.state} ${job.last_error} ${job.last_detail}`)),
      )
      expect((await api.call('POST', '/api/sync', {}, staff)).body.success).toBe(false)
      queue.push(await site.redis.dump())
      measured.push((await scrape(workerMetrics)).text)
      await worker.kill('SIGTERM')
      workers.push(worker.output())
    }
    const answers = await everyAnswer(api, await idOf(site.db, lead), staff)
    measured.push((await scrape(apiMetrics)).text)

    const texts = { queue, measured, workers, api: api.output(), answers }
    expect(leaksIn(texts, SECRET_CANARIES)).toEqual([])
    // All of them were used, and the failures are shown.
    expect(site.smtp.logins.map(({ password }) => password)).toContain(SMTP_PASSWORD)
    expect(site.crm.rejected).toEqual([])
    const seen = [
      'refused our credentials',
      'ECONNREFUSED',
      '5.7.8 wrong password',
      'answered 401',
      'incorrect_password',
    ]
    expect(seen.filter((words) => !answers.includes(words))).toEqual([])
  })
})

/** What a member of staff is answered by every call that only reads, of pages as well. */
async function everyAnswer(api: ApiClient, leadId: number, staff: Record<string, string>): Promise<string> {
  const { body: description } = await api.call('GET', '/api/openapi.json')
  const described = Object.entries(description.paths).filter(([, calls]) => 'get' in (calls as object))
  // It does not end.
  const paths = described
    .map(([path]) => path.replace(/\{\w+\}/, String(leadId)))
    .filter((path) => path !== '/api/events')
  expect(paths.length).toBeGreaterThan(15)
  const others = ['/', '/admin', '/healthz', '/readyz']
  const answers = [...paths, ...others].map(async (path) => {
    const { status, headers, body } = await api.call('GET', path, undefined, staff)
    return JSON.stringify([path, status, [...headers], body])
  })
  return (await Promise.all(answers)).join('\n')
}

/** Lines that hold a canary. */
function leaksIn(texts: Record<string, string | string[]>, canaries: string[]): string[] {
  return Object.entries(texts).flatMap(([where, text]) =>
    [text]
      .flat()
      .flatMap((part) => part.split('\n'))
      .filter((line) => canaries.some((canary) => line.includes(canary)))
      .map((line) => `${where}: ${line.slice(0, 1000)}`),
  )
}

async function statesOf({ db }: Site): Promise<string[]> {
  return db('jobs').distinct().pluck('state')
}
