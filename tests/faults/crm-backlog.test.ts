import { expect, it, onTestFinished } from 'vitest'
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

it('Leads on their way to HubSpot are not lost with a worker that is killed in the middle of its calls', async () => {
  const site = await startSite()
  const { hubspot, settings } = await startHubspotFor({ delay: 500 })
  const api = await site.startApi(settings)
  await submitMany(api, 60)
  await waitFor('the relay', async () => (await ledger(site.db)).every(({ state }) => state === 'enqueued'))
  const worker = await site.startWorker(settings)
  await waitFor('a call to be under way', () => hubspot.calls.length > 0)
  await worker.kill('SIGKILL')

  await site.startWorker(settings)
  // The locks of the killed worker last for 10 s.
  await waitUntilSettled(site.db)
  expect((await crmJobs(site)).map(({ state }) => state)).toEqual(Array.from({ length: 60 }, () => 'done'))
  expect(hubspot.contacts.size).toBe(60)
})
