import { expect, it } from 'vitest'
import { leadForm } from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'
import { describeOnEachBackend, ledger, retryNow, type Site, startSite, submit, waitUntilSettled } from './site.ts'

const VISITOR = {
  first_name: 'Canarella',
  last_name: 'Birdsong-Yellow',
  email: 'canary.mailbox@visitors.example',
  phone: '(512) 555-7391',
}
const CANARIES = [...Object.values(VISITOR), 'canary.mailbox', '5125557391', '555-7391']

describeOnEachBackend("A visitor's name, e-mail and phone", (backend) => {
  it('are neither in the queue nor in a log, though peers and the database repeat them in their errors', async () => {
    const site = await startSite({ backend })
    const api = await site.startApi()
    const queued: string[] = []
    const form = leadForm(VISITOR)

    // Waiting in the queue, before any worker.
    const { body } = await submit(api, form)
    await waitFor('the jobs to be in the queue', async () => (await statesOf(site)).join() === 'enqueued')
    queued.push(await dumpQueue(site))

    // Both peers repeat what they got.
    site.smtp.answer({ status: 451, text: `try later: ${Object.values(VISITOR).join(' ')}` })
    site.crm.answer({ status: 500, body: JSON.stringify(VISITOR) })
    const worker = await site.startWorker()
    await waitFor('three failed attempts', async () => (await ledger(site.db)).every(({ attempts }) => attempts === 1))
    queued.push(await dumpQueue(site))
    site.smtp.answer({ status: 550, text: `no such user <${VISITOR.email}>` })
    site.crm.answer({ status: 400, body: JSON.stringify(VISITOR) })
    await retryNow(site.db)
    await waitUntilSettled(site.db)

    // Outcomes cannot be recorded, and the database quotes the row.
    await site.db.raw(`alter table jobs add constraint unwritable check (last_error not like '%canary%') not valid`)
    const staff = await api.signIn()
    await api.call('POST', `/api/leads/${body.id}/retry-email`, {}, staff)
    await waitFor('an outcome that cannot be recorded', () => worker.output().includes('unwritable'))
    queued.push(await dumpQueue(site))
    await site.db.raw('alter table jobs drop constraint unwritable')
    await waitUntilSettled(site.db)

    // A lead cannot be stored, and the database quotes it.
    await site.db.raw(`alter table leads add constraint unstorable check (zip_code <> '10001')`)
    const refused = await submit(api, { ...form, email: `other.${VISITOR.email}`, zip_code: '10001' })
    expect(refused.status).toBe(500)
    await waitFor('the API to log it', () => api.output().includes('unstorable'))

    expect(queued.every((dump) => dump.includes('jobId'))).toBe(true)
    expect(leaksIn({ queue: queued.join('\n'), api: api.output(), worker: worker.output() })).toEqual([])
    expect(worker.output()).toContain('550')
    // Staff see all of it.
    const { body: seen } = await api.call('GET', `/api/leads/${body.id}/jobs`, undefined, staff)
    expect(JSON.stringify(seen)).toContain(VISITOR.email)
  })
})

/** Lines that hold a canary. */
function leaksIn(texts: Record<string, string>): string[] {
  return Object.entries(texts).flatMap(([where, text]) =>
    text
      .split('\n')
      .filter((line) => CANARIES.some((canary) => line.includes(canary)))
      .map((line) => `${where}: ${line.slice(0, 1000)}`),
  )
}

/** All that the queue holds: every key of Redis, or every row of BullMQ's tables. */
async function dumpQueue({ db, redis }: Site): Promise<string> {
  if (redis) return redis.dump()

  const tables: string[] = await db('pg_tables').where('schemaname', 'bullmq').pluck('tablename')
  const rows = await Promise.all(tables.map((table) => db.withSchema('bullmq').from(table).select('*')))
  return rows
    .flat()
    .map((row) => JSON.stringify(row))
    .join('\n')
}

async function statesOf({ db }: Site): Promise<string[]> {
  return db('jobs').distinct().pluck('state')
}
