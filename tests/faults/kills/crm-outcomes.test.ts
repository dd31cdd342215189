import { expect, it, onTestFinished } from 'vitest'
import { HOUR, SECOND } from '../../../core/contract/time.ts'
import * as outcomes from '../../../core/leads/stores/outcomes.ts'
import { createLead } from '../../support/factories.ts'
import { HUBSPOT_TOKEN, startHubspot } from '../../support/hubspot-server.ts'
import { startSite } from '../../support/site.ts'
import { waitFor } from '../../support/wait.ts'

const CONTACT = '4711'

it('A worker that is killed while it reads outcomes from HubSpot after it has read and before it has recorded: another one reads on within 20 seconds, and each is recorded once', async () => {
  const hubspot = await startHubspot()
  onTestFinished(() => hubspot.close())
  const site = await startSite()
  const id = await createLead(site.db, { providerId: site.providerId })
  const anHourAgo = new Date(Date.now() - HOUR)
  const then = { created_at: anHourAgo, matched_at: anHourAgo, crm_external_id: CONTACT }
  await site.db('leads').where({ id }).update(then)
  await site.db('crm_cursors').insert({ source: 'hubspot-lifecycle', changed_since: anHourAgo, due_at: 'infinity' })
  hubspot.records.setLifecycle(CONTACT, 'opportunity')
  hubspot.records.setLifecycle(CONTACT, 'customer')
  const settings = {
    CRM_KIND: 'hubspot',
    HUBSPOT_TOKEN,
    HUBSPOT_BASE_URL: hubspot.url,
    HUBSPOT_OUTCOMES: 'lifecycle',
    HUBSPOT_STAGES: 'opportunity=booked,customer=treated',
  }
  const kinds = async () => (await outcomes.list(site.db, id)).map(({ kind }) => kind)
  const isRead = (part: string) => hubspot.records.reads.some(({ call }) => call.endsWith(part))

  const worker = await site.startWorker(settings)
  // It waits for the lock of the lead: nothing of the page is recorded.
  const lock = await site.db.transaction()
  await lock('leads').where({ id }).forUpdate().first('id')
  await site.db('crm_cursors').update({ due_at: site.db.fn.now() })
  await waitFor('the histories', () => isRead('/batch/read'), { within: 15 * SECOND })
  await worker.kill('SIGKILL')
  await lock.rollback()
  expect(await kinds()).toEqual([])

  const successor = await site.startWorker(settings)
  await waitFor('the outcomes', async () => (await kinds()).length === 2, { within: 35 * SECOND })

  await site.db('crm_cursors').update({ due_at: site.db.fn.now() })
  const before = hubspot.records.reads.length
  await waitFor('another pass', () => hubspot.records.reads.length >= before + 2, { within: 15 * SECOND })
  expect(await kinds()).toEqual(['booked', 'treated'])
  expect(successor.isRunning()).toBe(true)
  expect(hubspot.rejected).toEqual([])
}, 120_000)
