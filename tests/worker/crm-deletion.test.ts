import { describe, expect, it } from 'vitest'
import { deleteLead, eraseLead } from '../../core/leads/change-lead.ts'
import * as erasures from '../../core/privacy/stores/erasures.ts'
import { useCrmJobs } from '../support/crm-jobs.ts'
import { PERSON_KEY } from '../support/env.ts'
import { jobsOf } from '../support/factories.ts'
import { purgeDeleted } from '../support/purges.ts'

const STAFF = { actor: 'staff' }

const crm = useCrmJobs()
const { run, matchedLeads, jobOf, jobIds } = crm

describe('a lead that is permanently deleted', () => {
  const purge = async (id: number) => {
    await deleteLead(crm.db, id, STAFF)
    expect(await purgeDeleted(crm.db)).toBe(1)
  }

  it('reaches a webhook that knows it, by its id alone', async () => {
    crm.toWebhook()
    crm.webhooks.answer({ status: 200 })
    const [id] = (await matchedLeads(1)) as [number]
    await run(await jobIds([id]))
    await purge(id)
    const job = await jobOf(id, 'deleted')
    expect(await jobsOf(crm.db, id)).toEqual([job])

    crm.webhooks.answer({ status: 503 })
    await run([job.id])
    expect(await jobOf(id, 'deleted')).toMatchObject({ state: 'waiting', attempts: 1 })
    crm.webhooks.answer({ status: 204 })
    await run([job.id])

    expect(await jobOf(id, 'deleted')).toMatchObject({ state: 'done', attempts: 2 })
    expect(crm.webhooks.events.map(({ type }) => type)).toEqual(['lead.created', 'lead.deleted', 'lead.deleted'])
    expect(crm.webhooks.events[2]).toMatchObject({ id: `msg_${job.id}`, data: { lead: { id } } })
    expect(Object.keys(crm.webhooks.events[2]?.data.lead)).toEqual(['id'])
  })

  it('is reported to nobody who did not get it', async () => {
    const [id] = (await matchedLeads(1)) as [number]
    await purge(id)
    expect(await crm.db('jobs')).toEqual([])
  })

  it('leaves no contact in HubSpot, as the privacy policy says', async () => {
    const [id] = (await matchedLeads(1)) as [number]
    await run(await jobIds([id]))
    await purge(id)
    const { id: jobId } = await jobOf(id, 'deleted')
    await run([jobId])
    expect(await jobOf(id, 'deleted')).toMatchObject({ state: 'done' })
    expect(crm.hubspot.contacts.size).toBe(0)
  })
})

it('the contact of a test lead is deleted in HubSpot as well, because nobody is behind it', async () => {
  const [id] = (await matchedLeads(1)) as [number]
  await crm.db('leads').where({ id }).update({ is_test: true })
  await run(await jobIds([id]))
  expect([...crm.hubspot.contacts.keys()]).toEqual([`test-lead-${id}@example.com`])

  await crm.db.transaction((trx) => eraseLead(trx, id, { reason: 'deleted', personKey: PERSON_KEY }))
  await run([(await jobOf(id, 'deleted')).id])
  expect(await jobOf(id, 'deleted')).toMatchObject({ state: 'done' })
  expect(crm.hubspot.contacts.size).toBe(0)
})

describe('a lead that its person wants erased', () => {
  const erase = async (...ids: number[]) => {
    await crm.db.transaction(async (trx) => {
      const requestId = await erasures.addRequest(trx, 'staff')
      for (const id of ids) await eraseLead(trx, id, { reason: 'request', personKey: PERSON_KEY, requestId })
    })
  }
  /** Leads of one person, all sent to HubSpot. */
  const leadsInHubspot = async (count: number): Promise<number[]> => {
    const ids = (await matchedLeads(count)) as number[]
    await crm.db('leads').whereIn('id', ids).update({ email: 'one@visitors.example' })
    for (const id of ids) await run(await jobIds([id]))
    expect(crm.hubspot.contacts.size).toBe(1)
    return ids
  }

  it('is permanently deleted in HubSpot', async () => {
    const [id] = (await leadsInHubspot(1)) as [number]
    await erase(id)
    await run([(await jobOf(id, 'deleted')).id])
    expect(await jobOf(id, 'deleted')).toMatchObject({ state: 'done', result: { status: 204 } })
    expect(crm.hubspot.contacts.size).toBe(0)
    expect(crm.hubspot.rejected).toEqual([])
  })

  it('stays in HubSpot while another request of the person is here, and goes with the last one', async () => {
    const [first, second] = (await leadsInHubspot(2)) as [number, number]
    await erase(first)
    await run([(await jobOf(first, 'deleted')).id])
    expect(await jobOf(first, 'deleted')).toMatchObject({
      state: 'cancelled',
      last_error: expect.stringContaining('another request'),
    })
    expect(crm.hubspot.contacts.size).toBe(1)

    await erase(second)
    await run([(await jobOf(second, 'deleted')).id])
    expect(crm.hubspot.contacts.size).toBe(0)
  })

  it('is not needed where somebody deleted the contact in HubSpot', async () => {
    const [id] = (await leadsInHubspot(1)) as [number]
    crm.hubspot.contacts.clear()
    await erase(id)
    await run([(await jobOf(id, 'deleted')).id])
    expect(await jobOf(id, 'deleted')).toMatchObject({
      state: 'cancelled',
      last_error: expect.stringContaining('no longer has'),
    })
  })

  it('fails visibly where HubSpot’s answer was lost: somebody has to look for the contact', async () => {
    const [id] = (await leadsInHubspot(1)) as [number]
    await crm.db('leads').where({ id }).update({ crm_external_id: null })
    await erase(id)
    await run([(await jobOf(id, 'deleted')).id])
    expect(await jobOf(id, 'deleted')).toMatchObject({
      state: 'failed',
      last_error: expect.stringContaining('by hand'),
    })
  })
})
