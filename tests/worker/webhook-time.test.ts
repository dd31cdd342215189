import { expect, it } from 'vitest'
import { HOUR } from '../../core/contract/time.ts'
import { retryAll } from '../../core/deliveries/retry-deliveries.ts'
import { assignProvider } from '../../core/leads/assign-provider.ts'
import { deleteLead } from '../../core/leads/change-lead.ts'
import { createLead, createProvider } from '../support/factories.ts'
import { useLeadJobs } from '../support/lead-jobs.ts'
import { purgeDeleted } from '../support/purges.ts'

const STAFF = { actor: 'staff' }
const { worker, run, newest, lead, matchedLead } = useLeadJobs()

/** Makes an attempt at the newest job, and returns the time in the webhook. */
async function webhookTime(leadId: number, purpose: string): Promise<Date> {
  worker.crmServer.bodies.length = 0
  await run((await newest(leadId, 'sync-crm', purpose)).id)
  expect(worker.crmServer.bodies).toMatchObject([{ type: `lead.${purpose}` }])
  return new Date((worker.crmServer.bodies as { timestamp: string }[])[0]?.timestamp ?? '')
}

it('the webhook of a new lead has the time when it came in, in each attempt and when staff send it again', async () => {
  const id = await matchedLead()
  const cameIn = new Date(Date.now() - HOUR)
  await worker.db('leads').where({ id }).update({ created_at: cameIn })

  worker.crmServer.answer({ status: 503 })
  expect(await webhookTime(id, 'created')).toEqual(cameIn)
  worker.crmServer.answer({ status: 200 })
  expect(await webhookTime(id, 'created')).toEqual(cameIn)
  await retryAll(worker.db, `lead:${id}`, 'sync-crm', STAFF)
  expect(await webhookTime(id, 'created')).toEqual(cameIn)
})

it('the webhook of a later match has the time of the match', async () => {
  const { id: providerId } = await createProvider(worker.db)
  const id = await createLead(worker.db)
  await assignProvider(worker.db, id, providerId, STAFF)
  const { matched_at } = await lead(id)
  await webhookTime(id, 'created')

  expect(await webhookTime(id, 'matched')).toEqual(matched_at)
  await retryAll(worker.db, `lead:${id}`, 'sync-crm', STAFF)
  expect(await webhookTime(id, 'matched')).toEqual(matched_at)
  expect((await newest(id, 'sync-crm', 'matched')).created_at.getTime()).toBeGreaterThan(Number(matched_at))
})

it('the webhook of a deletion has the time of the permanent deletion', async () => {
  const id = await matchedLead()
  await webhookTime(id, 'created')
  await deleteLead(worker.db, id, STAFF)
  await purgeDeleted(worker.db)
  const { created_at } = await newest(id, 'sync-crm', 'deleted')

  worker.crmServer.answer({ status: 503 })
  expect(await webhookTime(id, 'deleted')).toEqual(created_at)
  worker.crmServer.answer({ status: 204 })
  expect(await webhookTime(id, 'deleted')).toEqual(created_at)
})
