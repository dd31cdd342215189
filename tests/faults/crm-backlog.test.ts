import { describe, expect, it, onTestFinished } from 'vitest'
import { ledger, submitMany, waitUntilSettled } from '../support/deliveries.ts'
import { HUBSPOT_TOKEN, startHubspot } from '../support/hubspot-server.ts'
import { type Site, startSite } from '../support/site.ts'
import { waitFor } from '../support/wait.ts'

async function startHubspotFor(options: { delay?: number } = {}) {
  const hubspot = await startHubspot(options)
  onTestFinished(() => hubspot.close())
  const settings = { CRM_KIND: 'hubspot', HUBSPOT_TOKEN, HUBSPOT_BASE_URL: hubspot.url }
  return { hubspot, settings }
}

const crmJobs = async (site: Site) => (await ledger(site.db)).filter(({ name }) => name === 'sync-crm')

describe('Leads that have waited for HubSpot', () => {
  it('go to it by the hundred, and each gets its own id', async () => {
    const site = await startSite()
    const { hubspot, settings } = await startHubspotFor()
    const api = await site.startApi(settings)
    await submitMany(api, 250)
    await waitFor('the relay', async () => (await ledger(site.db)).every(({ state }) => state === 'enqueued'))
    await site.startWorker(settings)
    await waitUntilSettled(site.db)

    expect(hubspot.rejected).toEqual([])
    // Three full ones would do; the first may be called with what is there by then.
    expect(hubspot.calls.length).toBeLessThanOrEqual(5)
    expect(hubspot.calls.flat()).toHaveLength(250)
    expect((await crmJobs(site)).every(({ state, attempts }) => state === 'done' && attempts === 1)).toBe(true)
    const leads = await site.db('leads').select('email', 'crm_sync_status', 'crm_external_id')
    for (const lead of leads) {
      expect(lead).toMatchObject({
        crm_sync_status: 'success',
        crm_external_id: hubspot.contacts.get(lead.email.toLowerCase())?.id,
      })
    }
  })
})

describe('Leads on their way to HubSpot', () => {
  it('are not lost with a worker that is killed in the middle of a batch', async () => {
    const site = await startSite()
    const { hubspot, settings } = await startHubspotFor({ delay: 1000 })
    const api = await site.startApi(settings)
    await submitMany(api, 150)
    await waitFor('the relay', async () => (await ledger(site.db)).every(({ state }) => state === 'enqueued'))
    const worker = await site.startWorker(settings)
    await waitFor('a batch to be under way', () => hubspot.calls.length > 0)
    await worker.kill('SIGKILL')

    await site.startWorker(settings)
    // The locks of the killed worker last for 10 s.
    await waitUntilSettled(site.db)
    expect((await crmJobs(site)).map(({ state }) => state)).toEqual(Array.from({ length: 150 }, () => 'done'))
    expect(hubspot.contacts.size).toBe(150)
  })
})
