import { describe, expect, it } from 'vitest'
import { retryAll } from '../../core/deliveries/retry-deliveries.ts'
import * as jobs from '../../core/deliveries/stores/jobs.ts'
import { assignProvider } from '../../core/leads/assign-provider.ts'
import { createLead, createProvider } from '../support/factories.ts'
import { attempt, useLeadJobs } from '../support/lead-jobs.ts'

const STAFF = { actor: 'staff' }

const { worker, run, matchedLead, lead, newest, states } = useLeadJobs()

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
