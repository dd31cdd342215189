import { expect, it } from 'vitest'
import { eraseLead } from '../../core/commands/leads/purge-leads.ts'
import { only } from '../../core/platform/db.ts'
import * as erasures from '../../core/stores/erasures.ts'
import { PERSON_KEY } from '../support/env.ts'
import { createLead, createProvider } from '../support/factories.ts'
import { attempt } from '../support/lead-jobs.ts'
import { useWorkerServices } from '../support/worker-services.ts'

const worker = useWorkerServices()

it('asks the clinic and the CRM that knew of an erased lead to delete it, without a word about the person', async () => {
  const { id: providerId } = await createProvider(worker.db, { email: 'desk@calloway.example' })
  const form = { first_name: 'Ada', last_name: 'Canary', email: 'ada.canary@visitors.example' }
  const id = await createLead(worker.db, { form, providerId })
  for (const jobId of await worker.db('jobs').where('lead_id', id).pluck('id')) await attempt([jobId], worker)
  worker.smtp.mails.length = 0

  await worker.db.transaction(async (trx) => {
    const requestId = await erasures.addRequest(trx, 'staff')
    await eraseLead(trx, id, { reason: 'request', personKey: PERSON_KEY, requestId })
  })
  worker.smtp.answer(() => ({ status: 451 }))
  const mail = only(await worker.db('jobs').where({ lead_id: id, purpose: 'erased' }))
  await attempt([mail.id], worker)
  expect(await worker.db('jobs').where('id', mail.id).first()).toMatchObject({ state: 'waiting', attempts: 1 })
  worker.smtp.reset()
  for (const jobId of await worker.db('jobs').where('lead_id', id).pluck('id')) await attempt([jobId], worker)

  const [sent] = worker.smtp.mails
  expect(worker.smtp.mails).toHaveLength(1)
  expect(sent?.recipients).toEqual(['desk@calloway.example'])
  expect(sent?.subject).toBe(`Please delete request no. ${id}`)
  expect(String(sent?.raw)).not.toMatch(/canary/i)
  expect(worker.crmServer.events.at(-1)).toMatchObject({
    type: 'lead.deleted',
    data: { lead: { id }, reason: 'request' },
  })
  expect(await worker.db('jobs').where('lead_id', id).pluck('state')).toEqual(['done', 'done'])
})
