import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { LedgerJob } from '../../core/deliveries/contract/jobs.ts'
import type { Lead } from '../../core/leads/contract/leads.ts'
import type { CrmAnswer } from '../support/crm-server.ts'
import { ledger, retryNow, submit, waitUntilSettled } from '../support/deliveries.ts'
import { idOf } from '../support/factories.ts'
import { type ApiProcess, type Site, startSite } from '../support/site.ts'
import type { SmtpAnswer } from '../support/smtp-server.ts'
import { waitFor } from '../support/wait.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND

describe('What a mail server may answer', () => {
  it('every kind of refusal is retried or final as it should be, told to staff, and mended by a retry', async () => {
    const office = await openOffice(await startSite())
    const { site } = office
    const cases: { answer: SmtpAnswer; state: string; status: string; says: string }[] = [
      { answer: { status: 421 }, state: 'waiting', status: 'pending', says: '421' },
      { answer: { status: 451, at: 'recipient' }, state: 'waiting', status: 'pending', says: '451' },
      { answer: { status: 452, at: 'data' }, state: 'waiting', status: 'pending', says: '452' },
      { answer: { status: 550, at: 'recipient' }, state: 'failed', status: 'failed', says: '550' },
      { answer: { status: 554, at: 'data' }, state: 'failed', status: 'failed', says: '554' },
      {
        answer: { status: 451, text: 'no \0 sense \u0007 at all'.padEnd(5000, '!') },
        state: 'waiting',
        status: 'pending',
        says: 'no',
      },
      { answer: { status: 554, text: 'no \0 sense' }, state: 'failed', status: 'failed', says: 'no' },
    ]
    for (const { answer, state, status, says } of cases) {
      site.smtp.answer(answer)
      await office.staffRetry('retry-email')
      await waitFor(`an attempt that ends ${state} with ${says}`, async () => {
        const [provider] = await office.newest('send-email', 'provider')
        return provider?.state === state && provider.attempts === 1 && saidOf(provider).includes(says)
      })
      expect((await office.lead()).email_status).toBe(status)

      site.smtp.answer('accept')
      const mails = site.smtp.mails.length
      if (state === 'failed') await office.staffRetry('retry-email')
      else await retryNow(site.db)
      await waitUntilSettled(site.db)
      expect((await office.lead()).email_status).toBe('success')
      expect(site.smtp.mails.length).toBeGreaterThan(mails)
      expect((await office.newest('send-email', 'provider'))[0]).toMatchObject({ state: 'done', last_error: null })
    }
  })

  it('no server, no answer, or an answer that is no SMTP: tried again later, and delivered once it is well', async () => {
    const site = await startSite()
    const api = await site.startApi()
    const nonsense = await startNonsenseServer()
    for (const [url, cause] of [
      ['smtp://127.0.0.1:1', 'unreachable'],
      [nonsense, 'server_error'],
    ] as const) {
      const worker = await site.startWorker({ SMTP_URL: url })
      await submit(api)
      await waitFor('two failed attempts', async () => (await waitingMails(site)).length === 2)
      expect((await waitingMails(site)).map(({ last_cause }) => last_cause)).toEqual([cause, cause])
      await worker.kill('SIGKILL')
      const healthy = await site.startWorker()
      await retryNow(site.db)
      await waitUntilSettled(site.db)
      await healthy.kill('SIGKILL')
    }
    expect(site.smtp.mails).toHaveLength(4)
  })
})

describe('What a CRM may answer', () => {
  it('every kind of refusal is retried or final as it should be, told to staff, and mended by a retry', async () => {
    const office = await openOffice(await startSite())
    const { site } = office
    const cases: { answer: CrmAnswer; state: string; status: string; says: string; wait?: [number, number] }[] = [
      ...[401, 403, 404, 405, 408, 500, 502, 503].map((status) => pending({ status })),
      { ...pending({ status: 429, headers: { 'retry-after': '600' } }), wait: [590 * SECOND, 610 * SECOND] },
      {
        ...pending({ status: 503, headers: { 'retry-after': inHttp(Date.now() + HOUR) } }),
        wait: [0.9 * HOUR, 1.1 * HOUR],
      },
      // What makes no sense, or asks for more than a day, must neither break the ledger nor lose the lead.
      ...['99999999999999999999', '-5', 'soon', inHttp(Date.UTC(9999, 11, 31))].map((wait) => ({
        ...pending({ status: 429, headers: { 'retry-after': wait } }),
        wait: [0, 25 * HOUR] as [number, number],
      })),
      { answer: 'garbage', state: 'waiting', status: 'pending', says: 'could not be reached' },
      ...[400, 410, 413, 422].map((status) => failed({ status })),
      failed({ status: 302, headers: { location: site.crm.url } }),
    ]
    for (const { answer, state, status, says, wait } of cases) {
      site.crm.answer(answer)
      await office.staffRetry('retry-sync')
      const job = await waitFor(`an attempt that ends ${state} with ${says}`, async () => {
        const [created] = await office.newest('sync-crm', 'created')
        return created?.state === state && created.attempts === 1 && saidOf(created).includes(says) && created
      })
      expect((await office.lead()).crm_sync_status).toBe(status)
      if (wait) {
        const delay = Date.parse(job.next_attempt_at) - Date.now()
        expect(delay).toBeGreaterThan(wait[0] - 60 * SECOND)
        expect(delay).toBeLessThan(wait[1])
      }

      site.crm.answer({ status: 200, body: '{"id":"crm-1"}' })
      if (state === 'failed') await office.staffRetry('retry-sync')
      else await retryNow(site.db)
      await waitUntilSettled(site.db)
      expect((await office.lead()).crm_sync_status).toBe('success')
    }
    expect(site.crm.rejected).toEqual([])
  })

  it('a 200 is a success whatever it says, and asked for once', async () => {
    const office = await openOffice(await startSite())
    const { crm, db } = office.site
    const bodies = ['', 'OK', '<html>', '{}', '[]', 'null', '{"id":null}', '{"id":{"a":1}}']
    const ids = [String.raw`a\u0000b`, String.raw`\ud800`, 'x'.repeat(5000)]
    for (const body of [...bodies, ...ids.map((id) => `{"id":"${id}"}`)]) {
      crm.answer({ status: 200, body })
      crm.events.length = 0
      await office.staffRetry('retry-sync')
      await waitUntilSettled(db)
      expect({ body, times: crm.events.length }).toEqual({ body, times: 1 })
      expect((await office.lead()).crm_sync_status).toBe('success')
    }
  })
})

describe('A retry by staff', () => {
  it('delivers whatever was waiting, enqueued, failed, done or cancelled', async () => {
    const office = await openOffice(await startSite())
    const { db, smtp, crm } = office.site
    for (const [index, state] of (['waiting', 'enqueued', 'failed', 'done', 'cancelled'] as const).entries()) {
      await db('jobs').update({
        state,
        last_cause: 'refused',
        attempts: 3,
        next_attempt_at: db.raw(`now() + interval '1 hour'`),
        enqueued_at: db.fn.now(),
        finished_at: ['waiting', 'enqueued'].includes(state) ? null : db.fn.now(),
      })
      smtp.mails.length = 0
      crm.events.length = 0

      await office.staffRetry('retry-email')
      await office.staffRetry('retry-sync')
      await waitFor('both to be delivered', () => crm.events.length === 1 && smtp.mails.length >= 1)
      await waitFor('the newest to be done', async () => {
        const [[mail], [call]] = [
          await office.newest('send-email', 'provider'),
          await office.newest('sync-crm', 'created'),
        ]
        return mail?.state === 'done' && mail.generation === index + 2 && call?.state === 'done'
      })
      expect(smtp.mails.map(({ recipients }) => recipients[0])).toContain(office.clinic)
      expect((await office.lead()).crm_sync_status).toBe('success')
    }
  })

  it('supersedes an attempt that hangs', async () => {
    const office = await openOffice(await startSite())
    const { site } = office
    site.crm.answer('hang')
    await office.staffRetry('retry-sync')
    await waitFor('the call to hang', () => site.crm.events.length === 2)
    site.crm.answer({ status: 200 })
    await office.staffRetry('retry-sync')
    await waitFor(
      'the newest to be done',
      async () => (await office.newest('sync-crm', 'created'))[0]?.state === 'done',
    )
    expect((await office.lead()).crm_sync_status).toBe('success')
    expect((await office.newest('sync-crm', 'created'))[1]).toMatchObject({ state: 'cancelled' })
  })
})

const saidOf = ({ last_error, last_detail }: LedgerJob) => `${last_error} ${last_detail}`

const pending = (answer: Exclude<CrmAnswer, string>) => ({
  answer,
  state: 'waiting',
  status: 'pending',
  says: String(answer.status),
})
const failed = (answer: Exclude<CrmAnswer, string>) => ({
  answer,
  state: 'failed',
  // Because it has a copy from before.
  status: 'success',
  says: String(answer.status),
})
const inHttp = (time: number) => new Date(time).toUTCString()

/** A site with one delivered lead, as staff see it over HTTP. */
async function openOffice(site: Site) {
  const api: ApiProcess = await site.startApi()
  await site.startWorker()
  const { body } = await submit(api)
  await waitUntilSettled(site.db)
  const staff = await api.signIn()
  const leadId = await idOf(site.db, body)

  return {
    site,
    clinic: (await site.db('providers').first())?.email as string,
    async lead(): Promise<Lead> {
      const { body } = await api.call('GET', '/api/leads', undefined, staff)
      return body.leads.find(({ id }: Lead) => id === leadId)
    },
    /** Every generation of one of the lead's jobs, newest first. */
    async newest(name: string, purpose: string): Promise<LedgerJob[]> {
      const { body } = await api.call('GET', `/api/leads/${leadId}/jobs`, undefined, staff)
      const jobs: LedgerJob[] = body.jobs.filter((job: LedgerJob) => job.name === name && job.purpose === purpose)
      return jobs.toSorted((a, b) => b.generation - a.generation)
    },
    async staffRetry(action: 'retry-email' | 'retry-sync') {
      const answer = await api.call('POST', `/api/leads/${leadId}/${action}`, {}, staff)
      expect(answer).toMatchObject({ status: 200, body: { success: true } })
    },
  }
}

async function waitingMails({ db }: Site) {
  return (await ledger(db)).filter(
    ({ name, state, attempts }) => name === 'send-email' && state === 'waiting' && attempts > 0,
  )
}

/** Something that answers whatever connects with what is no SMTP. Returns its address. */
async function startNonsenseServer(): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.write('HTTP/1.1 200 OK\r\n\r\n<html>\0</html>\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}
