import { expect, it } from 'vitest'
import { ProviderRecord } from '../../core/contract/provider-record.ts'
import { useApi, useStaff } from '../support/api-server.ts'
import { createLead, createProvider, createStaff, staffHeaders } from '../support/factories.ts'

const { api, database } = useApi()
const staff = useStaff(database)
const viewer = async () => staffHeaders(database.db, (await createStaff(database.db, { role: 'viewer' })).id)

it('the record of a clinic tells a viewer everything in one answer, without a visitor’s name', async () => {
  const { id } = await createProvider(database.db, { zip_code: '78701', email: 'desk@clinic.example' })
  const leadId = await createLead(database.db, { providerId: id, form: { first_name: 'Zebulon' } })
  await database.db('leads').where('id', leadId).update({ email_status: 'failed' })

  const { status, body } = await api.call('GET', `/api/providers/${id}/record`, undefined, await viewer())
  expect(status).toBe(200)
  expect(ProviderRecord.parse(body)).toMatchObject({
    ...{ address: 'desk@clinic.example', place: { city: 'Austin', state: 'TX' }, failed_leads: 1, mails: [] },
    ...{ health: { state: 'none' }, provider: { id, leadCount: 1 }, periods: [{ days: 30 }, { days: 90 }] },
  })
  expect(JSON.stringify(body)).not.toContain('Zebulon')
})

it('the health of several clinics is listed for those that are asked for', async () => {
  const { id } = await createProvider(database.db)
  const { body } = await api.call('GET', `/api/providers/health?ids=${id}`, undefined, await viewer())
  expect(body).toEqual([{ id, state: 'none', since: null, failed: 0, of: 0 }])
})

it('a test e-mail is a job of the clinic, and a line of the audit log', async () => {
  const { id } = await createProvider(database.db)
  const { status, body } = await api.call('POST', `/api/providers/${id}/test-email`, undefined, staff)
  expect({ status, body }).toEqual({ status: 200, body: { success: true } })
  expect(await database.db('jobs').select('name', 'purpose', 'told_provider_id', 'lead_id', 'state')).toEqual([
    { name: 'send-email', purpose: 'test', told_provider_id: id, lead_id: null, state: 'waiting' },
  ])
  expect(await database.db('audit_log').where({ entity: 'provider' }).select('action', 'entity_id')).toEqual([
    { action: 'test-email', entity_id: String(id) },
  ])
})
