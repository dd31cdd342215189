import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { retryAll } from '../../core/deliveries/retry-deliveries.ts'
import * as dueJobs from '../../core/deliveries/stores/attempts.ts'
import * as jobs from '../../core/deliveries/stores/jobs.ts'
import { assignProvider } from '../../core/leads/assign-provider.ts'
import type { Logger } from '../../core/platform/log.ts'
import { createLead, createProvider, leadForm } from '../support/factories.ts'
import { attempt, useLeadJobs } from '../support/lead-jobs.ts'
import { waitFor } from '../support/wait.ts'

const STAFF = { actor: 'staff' }
const { worker, run, matchedLead, lead, newest, states } = useLeadJobs()

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
    worker.smtp.answer({ status: 550, at: 'recipient', text: 'no such\0mailbox' })
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

describe('the log of a job', () => {
  it('is one line that says how it ended, and nothing about the visitor', async () => {
    const lines: Record<string, unknown>[] = []
    const log = { info: (line: Record<string, unknown>) => void lines.push(line) } as unknown as Logger
    const form = leadForm({ first_name: 'Canaryfirst', email: 'canary@secret.example', phone: '(512) 555-0187' })
    const { id: providerId } = await createProvider(worker.db)
    const id = await createLead(worker.db, { form, providerId })
    worker.smtp.answer((recipient) => ({
      status: recipient === form.email ? 550 : 451,
      at: 'recipient',
      text: `<${recipient}> user unknown; <${form.email.toUpperCase()}> see ${form.phone}`,
    }))
    const jobIds = await worker.db('jobs').orderBy(['name', 'purpose']).pluck('id')
    for (const jobId of jobIds) await run(jobId, log)

    // The line of the visitor's request has the lead's id as well, and the ledger has the job's.
    expect(lines).toMatchObject([
      { job: 'send-email', purpose: 'provider', attempt: 1, state: 'waiting', ms: expect.any(Number) },
      { job: 'send-email', purpose: 'visitor', attempt: 1, state: 'failed', cause: 'unknown_mailbox', status: 550 },
      { job: 'sync-crm', purpose: 'created', attempt: 1, state: 'done' },
    ])
    expect(lines.map(({ jobId, leadId }) => ({ jobId, leadId }))).toEqual(
      jobIds.map((jobId: string) => ({ jobId, leadId: id })),
    )
    expect(JSON.stringify(lines)).not.toMatch(/canary|555-0187/i)
    expect((await newest(id, 'send-email', 'visitor')).last_detail).toContain('user unknown')
  })

  it('has of a fault of ours its kind alone, because its words may quote anything, and the ledger has those', async () => {
    const lines: Record<string, unknown>[] = []
    const log = { info: (line: Record<string, unknown>) => void lines.push(line) } as unknown as Logger
    const fault = Object.assign(new RangeError('insert … values (canary@secret.example)'), { code: '23505' })
    const id = await matchedLead()
    const broken = { ...worker, mailer: { send: () => Promise.reject(fault), stop() {}, close() {} } }
    await attempt([(await newest(id, 'send-email', 'provider')).id], broken, log)

    expect(lines).toMatchObject([{ state: 'waiting', reason: 'RangeError 23505' }])
    expect(JSON.stringify(lines)).not.toContain('canary')
    expect((await newest(id, 'send-email', 'provider')).last_detail).toContain('canary')
  })
})

describe('a job that is not needed', () => {
  it('is cancelled, with the reason: no CRM is connected', async () => {
    const id = await matchedLead()
    await attempt([(await newest(id, 'sync-crm', 'created')).id], { ...worker, crm: null })
    expect(await newest(id, 'sync-crm', 'created')).toMatchObject({
      state: 'cancelled',
      last_error: expect.stringContaining('CRM'),
    })
  })

  it('is cancelled, with the reason: the lead has a provider already', async () => {
    const id = await createLead(worker.db)
    const { id: providerId } = await createProvider(worker.db)
    await assignProvider(worker.db, id, providerId, STAFF)
    await run((await newest(id, 'match-lead', 'nearest')).id)
    expect(await newest(id, 'match-lead', 'nearest')).toMatchObject({ state: 'cancelled' })
    expect(await newest(id, 'send-email', 'provider')).toMatchObject({ generation: 1, state: 'waiting' })
  })

  it('does nothing when a newer generation has taken its place', async () => {
    const id = await matchedLead()
    const { id: old } = await newest(id, 'send-email', 'provider')
    await retryAll(worker.db, `lead:${id}`, 'send-email', STAFF)
    await run(old)

    expect(worker.smtp.mails).toEqual([])
    expect(await states(id)).toMatchObject({ 'send-email provider 1': 'cancelled', 'send-email provider 2': 'waiting' })
  })

  it('records nothing when it was replaced while it ran', async () => {
    const replaced = await matchedLead()
    worker.crmServer.answer(async () => {
      await retryAll(worker.db, `lead:${replaced}`, 'sync-crm', STAFF)
      return { status: 200, body: '{"id":"stale"}' }
    })
    await run((await newest(replaced, 'sync-crm', 'created')).id)

    expect(worker.crmServer.events).toHaveLength(1)
    expect(await states(replaced)).toMatchObject({ 'sync-crm created 1': 'cancelled', 'sync-crm created 2': 'waiting' })
    expect(await lead(replaced)).toMatchObject({ crm_sync_status: 'pending', crm_external_id: null })
  })
})

it('the email to the team is cancelled once a provider is found', async () => {
  const id = await createLead(worker.db)
  await worker.db.transaction((trx) => jobs.add(trx, `lead:${id}`, [{ name: 'send-email', purpose: 'team' }]))
  await assignProvider(worker.db, id, (await createProvider(worker.db)).id, STAFF)
  await run((await newest(id, 'send-email', 'team')).id)

  expect(await newest(id, 'send-email', 'team')).toMatchObject({ state: 'cancelled' })
  expect(worker.smtp.mails).toEqual([])
})
