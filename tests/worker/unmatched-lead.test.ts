import { describe, expect, it } from 'vitest'
import * as jobs from '../../core/deliveries/stores/jobs.ts'
import { assignProvider } from '../../core/leads/assign-provider.ts'
import { createLead, createProvider } from '../support/factories.ts'
import { useLeadJobs } from '../support/lead-jobs.ts'

const STAFF = { actor: 'staff' }

const { worker, runAll, lead, newest } = useLeadJobs()

describe('an unmatched lead', () => {
  it('with no provider in reach notifies team and visitor once, and the CRM', async () => {
    await createProvider(worker.db, { zip_code: '10001' })
    const id = await createLead(worker.db)
    await runAll(id)

    expect(await newest(id, 'match-lead', 'nearest')).toMatchObject({ state: 'done', result: { providerId: null } })
    expect((await newest(id, 'match-lead', 'nearest')).result?.nearestMiles).toBeGreaterThan(1000)
    const { email } = await lead(id)
    expect(worker.smtp.mails.flatMap(({ recipients }) => recipients).toSorted()).toEqual(
      [worker.env.TEAM_EMAIL, email].toSorted(),
    )
    expect(worker.crmServer.events.map(({ type }) => type)).toEqual(['lead.created'])
    expect(await lead(id)).toMatchObject({ provider_id: null, crm_sync_status: 'success' })

    expect((await lead(id)).unreached_at).toEqual(expect.any(Date))

    const again = { name: 'match-lead', purpose: 'nearest' } as const
    await worker.db.transaction((trx) => jobs.add(trx, `lead:${id}`, [again]))
    await runAll(id)
    expect(await newest(id, 'match-lead', 'nearest')).toMatchObject({ generation: 2, state: 'done' })
    expect(worker.smtp.mails).toHaveLength(2)
  })

  it('with a provider by then notifies provider and visitor, and the CRM of the match', async () => {
    const id = await createLead(worker.db)
    const { id: providerId } = await createProvider(worker.db, { email: 'clinic@clinics.example' })
    await runAll(id)

    expect(await lead(id)).toMatchObject({ provider_id: providerId, match_kind: 'nearest', crm_sync_status: 'success' })
    expect((await lead(id)).unreached_at).toBeNull()
    const { email } = await lead(id)
    expect(worker.smtp.mails.flatMap(({ recipients }) => recipients).toSorted()).toEqual(
      ['clinic@clinics.example', email].toSorted(),
    )
    expect(worker.crmServer.events.map(({ type }) => type)).toEqual(['lead.created', 'lead.matched'])
    expect(worker.crmServer.events[1]?.data).toMatchObject({
      lead: { id, match_kind: 'nearest' },
      provider: { id: providerId },
    })
    expect(new Set(worker.crmServer.events.map(({ id: event }) => event)).size).toBe(2)
  })

  it('with a provider found after the team was notified notifies everybody', async () => {
    const id = await createLead(worker.db)
    await runAll(id)
    expect(worker.smtp.mails).toHaveLength(2)

    const { id: providerId } = await createProvider(worker.db)
    await assignProvider(worker.db, id, providerId, STAFF)
    await runAll(id)
    expect(worker.smtp.mails.map(({ subject }) => subject)).toEqual(
      expect.arrayContaining(['Your request has reached a provider near you', 'We have received your request']),
    )
    expect(worker.smtp.mails).toHaveLength(4)
  })
})
