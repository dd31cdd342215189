import { describe, expect, it } from 'vitest'
import * as jobs from '../../core/deliveries/stores/jobs.ts'
import { assignProvider, releaseLead } from '../../core/leads/assign-provider.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { personHashes } from '../../core/privacy/rules/opt-outs.ts'
import * as suppressions from '../../core/privacy/stores/suppressions.ts'
import { changeRules } from '../../core/providers/change-provider.ts'
import { createLead, createProvider } from '../support/factories.ts'
import { useLeadJobs } from '../support/lead-jobs.ts'

const STAFF = { actor: 'staff' }
const { worker, runAll, lead, newest, states } = useLeadJobs()

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

it('a lead whose providers in reach are full is named to the team and the visitor, with the reason on the lead', async () => {
  const { id: providerId } = await createProvider(worker.db)
  await changeRules(worker.db, providerId, { daily_cap: 1 }, { actor: 'staff' })
  await createLead(worker.db, { providerId })
  const id = await createLead(worker.db)
  await runAll(id)
  expect(await lead(id)).toMatchObject({
    ...{ provider_id: null, unreached_at: null },
    match_skipped: [{ id: providerId, obstacle: { reason: 'full', period: 'day', used: 1, cap: 1 } }],
  })
  const recipients = worker.smtp.mails.flatMap(({ recipients }) => recipients)
  expect(recipients).toEqual(expect.arrayContaining([worker.env.TEAM_EMAIL, (await lead(id)).email]))
})

describe('a held lead', () => {
  const heldLead = (providerId?: number) => createLead(worker.db, { providerId, heldReason: 'honeypot' })
  const provider = () => createProvider(worker.db, { email: 'clinic@clinics.example' })

  it('notifies the team alone', async () => {
    const { id: providerId } = await provider()
    const id = await heldLead(providerId)
    await runAll(id)

    const subject = `Lead ${id} is held for review`
    expect(worker.smtp.mails).toMatchObject([{ recipients: [worker.env.TEAM_EMAIL], subject }])
    expect(worker.crmServer.events).toEqual([])
    expect(await newest(id, 'send-email', 'team')).toMatchObject({ state: 'done', result: { heldReason: 'honeypot' } })
    // The clinic's and the visitor's mails are yet to come.
    expect(await lead(id)).toMatchObject({ crm_sync_status: 'pending', email_status: 'pending' })
  })

  it('is confirmed to its sender where only the phone is on the list: it may be that of somebody else', async () => {
    const { id: providerId } = await provider()
    const [byPhone, byEmail] = [
      await createLead(worker.db, { providerId, heldReason: 'do_not_contact' }),
      await createLead(worker.db, { providerId, heldReason: 'do_not_contact' }),
    ]
    const key = deriveKey(worker.env.DATA_KEY, 'person-hash')
    await worker.db.transaction(async (trx) => {
      const said = { reason: 'stop', leadId: null, actor: 'staff' } as const
      const { phone } = await lead(byPhone)
      await suppressions.add(trx, personHashes(key, { phone }), said)
      const { email } = await lead(byEmail)
      await suppressions.add(trx, personHashes(key, { email }), said)
      for (const leadId of [byPhone, byEmail]) {
        await jobs.add(trx, `lead:${leadId}`, [
          { name: 'send-email', purpose: 'visitor' },
          { name: 'send-email', purpose: 'provider' },
        ])
      }
    })
    for (const id of [byPhone, byEmail]) await runAll(id)

    expect(await states(byPhone)).toMatchObject({
      'send-email visitor 1': 'done',
      'send-email provider 1': 'cancelled',
    })
    expect(await states(byEmail)).toMatchObject({
      'send-email visitor 1': 'cancelled',
      'send-email provider 1': 'cancelled',
    })
    const [mail] = worker.smtp.mails.filter(({ recipients }) => !recipients.includes(worker.env.TEAM_EMAIL))
    expect(mail?.subject).toBe('Your request has reached a provider near you')
  })

  it('is neither matched nor delivered, whatever jobs it has', async () => {
    const { id: providerId } = await provider()
    const [unmatched, matched] = [await heldLead(), await heldLead(providerId)]
    await worker.db.transaction((trx) =>
      jobs.add(trx, `lead:${unmatched}`, [{ name: 'match-lead', purpose: 'nearest' }]),
    )
    await worker.db.transaction((trx) =>
      jobs.add(trx, `lead:${matched}`, [
        { name: 'send-email', purpose: 'provider' },
        { name: 'send-email', purpose: 'visitor' },
        { name: 'sync-crm', purpose: 'created' },
      ]),
    )
    await runAll(unmatched)
    await runAll(matched)

    expect(await states(unmatched)).toEqual({ 'match-lead nearest 1': 'cancelled', 'send-email team 1': 'done' })
    expect(await states(matched)).toEqual({
      'send-email provider 1': 'cancelled',
      'send-email team 1': 'done',
      'send-email visitor 1': 'cancelled',
      'sync-crm created 1': 'cancelled',
    })
    expect(await newest(unmatched, 'match-lead', 'nearest')).toMatchObject({
      last_error: expect.stringContaining('held'),
    })
    expect(await lead(unmatched)).toMatchObject({ provider_id: null })
    expect(worker.crmServer.events).toEqual([])
  })

  it('notifies everyone once it is released', async () => {
    const { id: providerId } = await provider()
    const id = await heldLead(providerId)
    await runAll(id)
    await releaseLead(worker.db, id, { ...STAFF, radiusMiles: 100 })
    await runAll(id)

    const { email, email_status } = await lead(id)
    expect(email_status).toBe('success')
    expect(worker.smtp.mails.flatMap(({ recipients }) => recipients).toSorted()).toEqual(
      [worker.env.TEAM_EMAIL, 'clinic@clinics.example', email].toSorted(),
    )
    expect(worker.crmServer.events.map(({ type }) => type)).toEqual(['lead.created'])
  })

  it('released with nobody in reach: the team hears that, too, and the visitor that we look', async () => {
    const id = await heldLead()
    await runAll(id)
    await releaseLead(worker.db, id, { ...STAFF, radiusMiles: 100 })
    await runAll(id)

    expect(worker.smtp.mails.map(({ subject }) => subject).toSorted()).toEqual([
      `Lead ${id} is held for review`,
      `No provider near zip 78702 (lead ${id})`,
      'We have received your request',
    ])
  })
})
