import { describe, expect, it } from 'vitest'
import * as dueJobs from '../../core/deliveries/stores/attempts.ts'
import * as jobs from '../../core/deliveries/stores/jobs.ts'
import { deleteLead, eraseLead, restoreLead } from '../../core/leads/change-lead.ts'
import { only } from '../../core/platform/db.ts'
import * as erasures from '../../core/privacy/stores/erasures.ts'
import { PERSON_KEY } from '../support/env.ts'
import { createLead, createProvider, jobsOf } from '../support/factories.ts'
import { attempt, useLeadJobs } from '../support/lead-jobs.ts'

const STAFF = { actor: 'staff' }
const { worker, run, matchedLead, newest: jobOf } = useLeadJobs()
const remove = (id: number) => deleteLead(worker.db, id, STAFF)
const restore = (id: number) => restoreLead(worker.db, id, STAFF)
/** What the relay and the queue do: every job that is due, each handed to the worker once. */
async function runDue(): Promise<void> {
  const due = await worker.db.transaction((trx) => dueJobs.takeDue(trx, 100))
  for (const { id } of due) await run(id)
}
/** Answers every mail and every call after `meanwhile`, which is when an attempt is under way. */
function whileUnderWay(meanwhile: () => Promise<void>): void {
  let isFirst = true
  const once = async () => {
    if (!isFirst) return
    isFirst = false
    await meanwhile()
  }
  worker.smtp.answer(async (_recipient, stage) => {
    if (stage === 'data') await once()
    return 'accept' as const
  })
  worker.crmServer.answer(async () => {
    await once()
    return { status: 200, body: '{"id":"crm-7"}' }
  })
}

describe('a lead that is deleted before an attempt', () => {
  it('is delivered to nobody, and to everyone once when it is restored', async () => {
    const id = await matchedLead()
    await remove(id)
    await runDue()
    expect([worker.smtp.mails.length, worker.crmServer.events.length]).toEqual([0, 0])

    await restore(id)
    await runDue()
    await runDue()
    expect([worker.smtp.mails.length, worker.crmServer.events.length]).toEqual([2, 1])
    expect((await jobs.list(worker.db, `lead:${id}`)).map(({ state, attempts }) => [state, attempts])).toEqual([
      ['done', 1],
      ['done', 1],
      ['done', 1],
    ])
  })

  it('is matched once it is restored', async () => {
    const id = await createLead(worker.db)
    await createProvider(worker.db)
    await remove(id)
    await runDue()
    await restore(id)
    await runDue()
    await runDue()
    expect(await worker.db('leads').where({ id }).first()).toMatchObject({ match_kind: 'nearest' })
    expect(worker.smtp.mails).toHaveLength(2)
  })
})

const enqueue = (jobId: string) =>
  worker.db('jobs').where('id', jobId).update({ state: 'enqueued', enqueued_at: worker.db.fn.now() })

describe('a lead that is deleted while an attempt is under way', () => {
  it.each([
    ['send-email', 'provider'],
    ['sync-crm', 'created'],
  ] as const)(
    'has the outcome of %s recorded, so that it is not done again when it is restored',
    async (name, purpose) => {
      const id = await matchedLead()
      const { id: jobId } = await jobOf(id, name, purpose)
      await enqueue(jobId)
      whileUnderWay(() => remove(id))
      await run(jobId)
      expect(await jobOf(id, name, purpose)).toMatchObject({ state: 'done', attempts: 1 })

      await restore(id)
      await runDue()
      expect([worker.smtp.mails.length, worker.crmServer.events.length]).toEqual([2, 1])
      expect(await worker.db('leads').where({ id }).first()).toMatchObject({
        crm_sync_status: 'success',
        crm_external_id: 'crm-7',
      })
    },
  )

  it('has the outcome recorded when it is restored before that', async () => {
    const id = await matchedLead()
    const { id: jobId } = await jobOf(id, 'send-email', 'provider')
    await enqueue(jobId)
    whileUnderWay(async () => {
      await remove(id)
      await restore(id)
    })
    await run(jobId)
    expect(await jobOf(id, 'send-email', 'provider')).toMatchObject({ state: 'done', attempts: 1 })
    await runDue()
    expect(worker.smtp.mails).toHaveLength(2)
  })

  it('is tried again after a failure once it is restored, when the time has come', async () => {
    const id = await matchedLead()
    const { id: jobId } = await jobOf(id, 'send-email', 'provider')
    await enqueue(jobId)
    worker.smtp.answer(async () => {
      await remove(id).catch(() => {})
      return { status: 451, text: 'busy' }
    })
    await run(jobId)
    const { next_attempt_at } = await jobOf(id, 'send-email', 'provider')
    expect(next_attempt_at.getTime()).toBeGreaterThan(Date.now())
    // Nothing is done for it meanwhile, however long that is.
    await worker.db('jobs').update({ next_attempt_at: worker.db.fn.now() })
    await runDue()
    expect(await jobOf(id, 'send-email', 'provider')).toMatchObject({ state: 'cancelled', attempts: 1 })
    await restore(id)
    expect(await jobOf(id, 'send-email', 'provider')).toMatchObject({
      ...{ state: 'waiting', attempts: 1, last_detail: expect.stringContaining('busy') },
    })
  })

  it('leaves no trace of the attempt once it is purged', async () => {
    const id = await matchedLead()
    const { id: jobId } = await jobOf(id, 'send-email', 'provider')
    whileUnderWay(async () => {
      await remove(id)
      await worker.db('all_leads').delete()
      await worker.db('jobs').delete()
    })
    await run(jobId)
    expect(await worker.db('jobs')).toEqual([])
  })
})

it('what an attempt says that it has changed is the lead or the application, and nothing for a job that is settled', async () => {
  const id = await matchedLead()
  const { id: jobId } = await jobOf(id, 'send-email', 'provider')
  expect(await run(jobId)).toEqual({ jobs: [id] })
  expect(await run(jobId)).toEqual({})

  const unmatched = await createLead(worker.db)
  expect(await run((await jobOf(unmatched, 'match-lead', 'nearest')).id)).toEqual({
    leads: [unmatched],
    jobs: [unmatched],
  })
})

it('asks the clinic and the CRM that knew of an erased lead to delete it, without a word about the person', async () => {
  const { id: providerId } = await createProvider(worker.db, { email: 'desk@calloway.example' })
  const form = { first_name: 'Ada', last_name: 'Canary', email: 'ada.canary@visitors.example' }
  const id = await createLead(worker.db, { form, providerId })
  for (const jobId of await jobsOf(worker.db, id).pluck('id')) await attempt([jobId], worker)
  worker.smtp.mails.length = 0

  await worker.db.transaction(async (trx) => {
    const requestId = await erasures.addRequest(trx, 'staff')
    await eraseLead(trx, id, { reason: 'request', personKey: PERSON_KEY, requestId })
  })
  worker.smtp.answer(() => ({ status: 451 }))
  const mail = only(await jobsOf(worker.db, id, { purpose: 'erased' }))
  await attempt([mail.id], worker)
  expect(await worker.db('jobs').where('id', mail.id).first()).toMatchObject({ state: 'waiting', attempts: 1 })
  worker.smtp.reset()
  for (const jobId of await jobsOf(worker.db, id).pluck('id')) await attempt([jobId], worker)

  const [sent] = worker.smtp.mails
  expect(worker.smtp.mails).toHaveLength(1)
  expect(sent?.recipients).toEqual(['desk@calloway.example'])
  expect(sent?.subject).toBe(`Please delete request no. ${id}`)
  expect(String(sent?.raw)).not.toMatch(/canary/i)
  expect(worker.crmServer.events.at(-1)).toMatchObject({
    type: 'lead.deleted',
    data: { lead: { id }, reason: 'request' },
  })
  expect(await jobsOf(worker.db, id).pluck('state')).toEqual(['done', 'done'])
})
