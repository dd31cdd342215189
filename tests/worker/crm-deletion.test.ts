import { describe, expect, it } from 'vitest'
import * as deletedLeads from '../../core/stores/deleted-leads.ts'
import * as leadActions from '../../core/stores/lead-actions.ts'
import { useCrmJobs } from '../support/crm-jobs.ts'

const STAFF = { actor: 'staff' }

const crm = useCrmJobs()
const { run, matchedLeads, jobOf, jobIds } = crm

describe('a lead that is deleted for good', () => {
  const purge = async (id: number) => {
    await leadActions.remove(crm.db, id, STAFF)
    await crm.db('deleted_leads').update({ deleted_at: new Date(0) })
    expect(await deletedLeads.purge(crm.db, 30)).toBe(1)
  }

  it('is told to a webhook that knows it, by its id alone', async () => {
    crm.toWebhook()
    crm.webhooks.answer({ status: 200 })
    const [id] = (await matchedLeads(1)) as [number]
    await run(await jobIds([id]))
    await purge(id)
    const job = await jobOf(id, 'deleted')
    expect(await crm.db('jobs').where('lead_id', id)).toEqual([job])

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

  it('is told to nobody who never heard of it', async () => {
    const [id] = (await matchedLeads(1)) as [number]
    await purge(id)
    expect(await crm.db('jobs')).toEqual([])
  })

  it('leaves its contact in HubSpot, and the ledger says so', async () => {
    const [id] = (await matchedLeads(1)) as [number]
    await run(await jobIds([id]))
    await purge(id)
    const { id: jobId } = await jobOf(id, 'deleted')
    await run([jobId])
    expect(await jobOf(id, 'deleted')).toMatchObject({
      state: 'cancelled',
      last_error: expect.stringContaining('HubSpot keeps its contact'),
    })
    expect(crm.hubspot.contacts.size).toBe(1)
  })
})
