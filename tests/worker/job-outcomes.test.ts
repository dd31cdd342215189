import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { retryAll } from '../../core/deliveries/retry-deliveries.ts'
import * as dueJobs from '../../core/deliveries/stores/attempts.ts'
import { useLeadJobs } from '../support/lead-jobs.ts'
import { waitFor } from '../support/wait.ts'

const STAFF = { actor: 'staff' }

const { worker, run, matchedLead, lead, newest } = useLeadJobs()

describe('a job that succeeds', () => {
  it('is done once, with the answer of the receiver', async () => {
    const id = await matchedLead()
    const { id: jobId } = await newest(id, 'send-email', 'provider')
    await run(jobId)

    expect(await newest(id, 'send-email', 'provider')).toMatchObject({
      state: 'done',
      attempts: 1,
      last_error: null,
      result: {
        messageId: `<${jobId}@localhost>`,
        to: expect.stringContaining('@clinics.example'),
        response: expect.stringMatching(/^250/),
      },
      finished_at: expect.any(Date),
    })
    expect(worker.smtp.mails.map(({ messageId }) => messageId)).toEqual([`<${jobId}@localhost>`])

    await run(jobId)
    expect(worker.smtp.mails).toHaveLength(1)
    expect(await newest(id, 'send-email', 'provider')).toMatchObject({ attempts: 1 })
  })

  it('notifies the CRM, keeps its id, and shows the lead as synced', async () => {
    const id = await matchedLead()
    const { id: jobId } = await newest(id, 'sync-crm', 'created')
    await run(jobId)

    expect(worker.crmServer.events).toMatchObject([
      { id: `msg_${jobId}`, type: 'lead.created', data: { lead: { id } } },
    ])
    expect(await lead(id)).toMatchObject({ crm_sync_status: 'success', crm_external_id: `crm-${id}` })
    expect(await newest(id, 'sync-crm', 'created')).toMatchObject({
      state: 'done',
      result: { status: 200, externalId: `crm-${id}` },
    })
  })
})

it('a job that fails for now waits for its next attempt, with the answer of the receiver', async () => {
  const id = await matchedLead()
  worker.smtp.answer({ status: 451, at: 'data', text: 'greylisted' })
  await run((await newest(id, 'send-email', 'provider')).id)

  const job = await newest(id, 'send-email', 'provider')
  expect(job).toMatchObject({ state: 'waiting', attempts: 1, result: { status: 451 }, finished_at: null })
  expect(job).toMatchObject({ last_cause: 'busy', last_detail: expect.stringContaining('greylisted') })
  expect(job.next_attempt_at.getTime()).toBeGreaterThan(job.created_at.getTime() + 4000)
  expect(await worker.db.transaction((trx) => dueJobs.takeDue(trx, 10))).not.toContainEqual(
    expect.objectContaining({ id: job.id }),
  )

  worker.smtp.answer('accept')
  await run(job.id)
  expect(await newest(id, 'send-email', 'provider')).toMatchObject({ state: 'done', attempts: 2, last_error: null })
})

describe('a job that fails permanently', () => {
  it('is failed at once, with the answer of the mail server', async () => {
    const id = await matchedLead()
    worker.smtp.answer({ status: 550, at: 'recipient', text: 'no such mailbox' })
    await run((await newest(id, 'send-email', 'provider')).id)

    const job = await newest(id, 'send-email', 'provider')
    expect(job).toMatchObject({
      state: 'failed',
      attempts: 1,
      result: { status: 550, to: expect.stringContaining('@') },
    })
    expect(job).toMatchObject({
      last_cause: 'unknown_mailbox',
      last_detail: expect.stringContaining('no such mailbox'),
    })
  })

  it('shows the lead as failed in the same moment, and a retry by staff mends it', async () => {
    const id = await matchedLead()
    worker.crmServer.answer({ status: 422 })
    await run((await newest(id, 'sync-crm', 'created')).id)
    expect(await lead(id)).toMatchObject({ crm_sync_status: 'failed', crm_external_id: null })

    worker.crmServer.answer({ status: 200, body: '{"id":"late"}' })
    await retryAll(worker.db, `lead:${id}`, 'sync-crm', STAFF)
    await run((await newest(id, 'sync-crm', 'created')).id)
    expect(await lead(id)).toMatchObject({ crm_sync_status: 'success', crm_external_id: 'late' })
  })

  it('changes neither the job nor the lead while one of them cannot be written, and then both, without asking the CRM again', async () => {
    const id = await matchedLead()
    const { db } = worker
    await db.raw(`alter table all_leads add constraint fault check (crm_sync_status <> 'success')`)
    const running = run((await newest(id, 'sync-crm', 'created')).id)
    await waitFor('the first try to record it', () => worker.crmServer.events.length > 0)
    await sleep(300)
    expect(await newest(id, 'sync-crm', 'created')).toMatchObject({ state: 'waiting', attempts: 0 })
    expect(await lead(id)).toMatchObject({ crm_sync_status: 'pending', crm_external_id: null })

    await db.raw('alter table all_leads drop constraint fault')
    await running
    expect(await newest(id, 'sync-crm', 'created')).toMatchObject({ state: 'done', attempts: 1 })
    expect(await lead(id)).toMatchObject({ crm_sync_status: 'success', crm_external_id: `crm-${id}` })
    expect(worker.crmServer.events).toHaveLength(1)
  })
})
