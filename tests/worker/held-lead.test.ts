import { describe, expect, it } from 'vitest'
import * as jobs from '../../core/deliveries/stores/jobs.ts'
import { releaseLead } from '../../core/leads/assign-provider.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { personHashes } from '../../core/privacy/rules/opt-outs.ts'
import * as suppressions from '../../core/privacy/stores/suppressions.ts'
import { createLead, createProvider } from '../support/factories.ts'
import { useLeadJobs } from '../support/lead-jobs.ts'

const STAFF = { actor: 'staff' }

const { worker, runAll, lead, newest, states } = useLeadJobs()

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
