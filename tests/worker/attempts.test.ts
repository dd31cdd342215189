import { describe, expect, it } from 'vitest'
import { HOUR } from '../../core/contract/time.ts'
import { JOBS } from '../../core/deliveries/jobs.ts'
import { retryAll } from '../../core/deliveries/retry-deliveries.ts'
import * as attempts from '../../core/deliveries/stores/attempts.ts'
import * as jobs from '../../core/deliveries/stores/jobs.ts'
import { deleteLead } from '../../core/leads/change-lead.ts'
import { attempt, useLeadJobs } from '../support/lead-jobs.ts'
import { purgeDeleted } from '../support/purges.ts'

const STAFF = { actor: 'staff' }
const { worker, matchedLead } = useLeadJobs()

const ledgerJob = async (leadId: number, name: string, purpose: string) => {
  const rows = (await jobs.list(worker.db, `lead:${leadId}`)).filter(
    (job) => job.name === name && job.purpose === purpose,
  )
  return rows.at(-1) as (typeof rows)[number]
}
const attemptAt = async (leadId: number, name: string, purpose: string) => {
  await attempt([(await ledgerJob(leadId, name, purpose)).id], worker)
  return ledgerJob(leadId, name, purpose)
}
const handOver = async () => (await worker.db.transaction((trx) => attempts.takeDue(trx, 10))).map(({ id }) => id)

describe('the ledger of attempts', () => {
  it('has each attempt with its time, duration, answer, error and next try', async () => {
    const id = await matchedLead()
    worker.smtp.answer({ status: 451, at: 'data', text: 'greylisted' })
    const waiting = await attemptAt(id, 'send-email', 'provider')
    worker.smtp.answer('accept')
    const done = await attemptAt(id, 'send-email', 'provider')

    const [first, second] = done.attempt_log
    expect(first).toEqual({
      started_at: expect.any(String),
      duration_ms: expect.any(Number),
      outcome: 'failed',
      status: 451,
      error: 'The mail server could not accept the email yet.',
      cause: 'busy',
      detail: expect.stringContaining('greylisted'),
      next_attempt_at: waiting.next_attempt_at,
    })
    expect(second).toMatchObject({ outcome: 'done', status: 250, error: null, next_attempt_at: null })
    expect(done.attempt_log).toHaveLength(2)
    expect(Date.parse(String(second?.started_at))).toBeGreaterThan(Date.parse(String(first?.started_at)))
  })

  it('has one that is under way, and one whose worker was killed', async () => {
    const id = await matchedLead()
    const job = await ledgerJob(id, 'send-email', 'provider')
    await attempts.begin(worker.db, [job.id])
    expect((await ledgerJob(id, 'send-email', 'provider')).attempt_log).toMatchObject([{ outcome: 'running' }])

    const { attempts: counted, attempt_log } = await attemptAt(id, 'send-email', 'provider')
    expect(attempt_log).toMatchObject([{ outcome: 'interrupted', duration_ms: null, error: null }, { outcome: 'done' }])
    expect(counted).toBe(1)
  })

  it('has what was delivered though staff had replaced it meanwhile', async () => {
    const id = await matchedLead()
    worker.crmServer.answer(async () => {
      await retryAll(worker.db, `lead:${id}`, 'sync-crm', STAFF)
      return { status: 200 }
    })
    await attempt([(await ledgerJob(id, 'sync-crm', 'created')).id], worker)
    const [replaced] = (await jobs.list(worker.db, `lead:${id}`)).filter(({ name }) => name === 'sync-crm')
    expect(replaced).toMatchObject({ state: 'cancelled', attempt_log: [{ outcome: 'done', status: 200 }] })
  })

  it('keeps an attempt whose beginning a crash of PostgreSQL forgot', async () => {
    const id = await matchedLead()
    worker.crmServer.answer(async () => {
      await worker.db('job_attempts').delete()
      return { status: 200 }
    })
    expect((await attemptAt(id, 'sync-crm', 'created')).attempt_log).toMatchObject([{ outcome: 'done', status: 200 }])
  })

  it('goes with the lead, and not before', async () => {
    const id = await matchedLead()
    await attemptAt(id, 'send-email', 'visitor')
    await deleteLead(worker.db, id, STAFF)
    expect(await worker.db('job_attempts')).toHaveLength(1)

    await purgeDeleted(worker.db)
    expect(await worker.db('job_attempts')).toEqual([])
  })
})

it('many attempts in one call begin together, without those that are settled or gone', async () => {
  const [id, other] = [await matchedLead(), await matchedLead()]
  const done = await attemptAt(id, 'sync-crm', 'created')
  const open = await ledgerJob(other, 'sync-crm', 'created')
  const begun = await attempts.begin(worker.db, [done.id, open.id, '00000000-0000-4000-8000-000000000000'])
  expect(begun).toMatchObject([{ job: { id: open.id, name: 'sync-crm', subject: `lead:${other}` } }])
})

it.each([
  ['send-email', 'provider'],
  ['sync-crm', 'created'],
] as const)(
  'a mail server and a CRM that are away for a day %s is tried all day, ever less often, and delivered when they are back',
  async (name, purpose) => {
    const id = await matchedLead()
    const { id: jobId } = await ledgerJob(id, name, purpose)
    worker.smtp.answer({ status: 421, at: 'recipient', text: 'closed' })
    worker.crmServer.answer({ status: 503 })

    // A clock of our own: it goes on to each next try, which is when the relay hands the job over, and not before.
    let clock = 0
    const waits: number[] = []
    while (clock < 24 * HOUR) {
      expect(await handOver()).toContain(jobId)
      await attempt([jobId], worker)
      expect(await handOver()).not.toContain(jobId)
      const { rows } = await worker.db.raw(
        `select state, extract(epoch from next_attempt_at - now())::float * 1000 as wait from jobs where id = ?`,
        [jobId],
      )
      expect(rows[0].state).toBe('waiting')
      waits.push(rows[0].wait)
      clock += rows[0].wait
      await worker
        .db('jobs')
        .where({ id: jobId })
        .update({ next_attempt_at: worker.db.raw(`next_attempt_at - ? * interval '1 ms'`, [rows[0].wait]) })
    }
    expect(waits.length).toBeLessThan(JOBS[name].retry.attempts)
    expect(Math.max(...waits)).toBeLessThanOrEqual(JOBS[name].retry.maxDelay)
    expect(waits.at(-1)).toBeGreaterThan(60 * Number(waits[0]))

    worker.smtp.answer('accept')
    worker.crmServer.answer({ status: 200 })
    expect(await handOver()).toContain(jobId)
    const { state, attempt_log } = await attemptAt(id, name, purpose)
    expect(state).toBe('done')
    expect(attempt_log.map(({ outcome }) => outcome)).toEqual([...waits.map(() => 'failed'), 'done'])
  },
)
