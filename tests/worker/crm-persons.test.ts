import { describe, expect, it, onTestFinished } from 'vitest'
import * as sentMessages from '../../core/deliveries/stores/sent-messages.ts'
import { assignProvider } from '../../core/leads/assign-provider.ts'
import { editLead } from '../../core/leads/change-lead.ts'
import { createHubspotSender } from '../../worker/senders/hubspot.ts'
import { useCrmJobs } from '../support/crm-jobs.ts'
import { PERSON_KEY } from '../support/env.ts'
import { createLead, createProvider, jobsOf } from '../support/factories.ts'
import { HUBSPOT_TOKEN, startHubspot } from '../support/hubspot-server.ts'

const STAFF = { actor: 'staff' }

const crm = useCrmJobs()
const { run, jobOf, jobIds, lead } = crm

describe('a lead whose email is corrected', () => {
  const WRONG = 'wrong@visitors.example'
  const RIGHT = 'right@visitors.example'
  const correct = (id: number, email = RIGHT) => editLead(crm.db, id, { email }, { ...STAFF, personKey: PERSON_KEY })
  const emails = () => [...crm.hubspot.contacts.keys()].toSorted()
  const sendNew = async (email: string, phone = '(512) 555-0100') => {
    const id = await createLead(crm.db, { form: { email, phone } })
    await run(await jobIds([id]))
    return id
  }
  const sendAgain = async (id: number) => {
    const open = await jobsOf(crm.db, id, { name: 'sync-crm', state: 'waiting' }).pluck('id')
    await run(open)
  }

  it('keeps its contact, and a second one is not made', async () => {
    const id = await sendNew(WRONG)
    const { crm_external_id: contact } = await lead(id)
    await correct(id)
    await sendAgain(id)
    expect(emails()).toEqual([RIGHT])
    expect(await lead(id)).toMatchObject({ crm_sync_status: 'success', crm_external_id: contact })
    expect(crm.hubspot.contacts.get(RIGHT)).toMatchObject({ id: contact, properties: { email: RIGHT } })
  })

  it('leaves the contact to another lead with the earlier email', async () => {
    const id = await sendNew(WRONG)
    await sendNew(WRONG, '(512) 555-0177')
    await correct(id)
    await sendAgain(id)
    expect(emails()).toEqual([RIGHT, WRONG])
  })

  it('becomes the contact that has the email already', async () => {
    const [id, other] = [await sendNew(WRONG), await sendNew(RIGHT)]
    await correct(id)
    await sendAgain(id)
    const { crm_external_id: contact } = await lead(other)
    expect(await lead(id)).toMatchObject({ crm_sync_status: 'success', crm_external_id: contact })
    expect(emails()).toEqual([RIGHT, WRONG])
  })

  it('leaves a contact alone to which HubSpot has given another email', async () => {
    const id = await sendNew(WRONG)
    const contact = crm.hubspot.contacts.get(WRONG)
    if (contact) contact.properties.email = 'theirs@visitors.example'
    await correct(id)
    await sendAgain(id)
    expect(contact?.properties.email).toBe('theirs@visitors.example')
    expect(crm.hubspot.contacts.get(RIGHT)?.id).not.toBe(contact?.id)
  })
})

describe('several leads of one person', () => {
  const EMAIL = 'twice@visitors.example'
  const leadOf = async (phone: string, email = EMAIL, options: { heldReason?: 'too_fast' } = {}) => {
    const id = await createLead(crm.db, { form: { email, phone }, ...options })
    return { id, jobs: options.heldReason ? [] : await jobIds([id]) }
  }
  const phone = () => crm.hubspot.contacts.get(EMAIL)?.properties.phone

  it('are one contact with what the newest says, also when an older one comes later', async () => {
    const mistyped = await leadOf('(512) 555-0100')
    crm.hubspot.answer(() => ({ status: 503 }))
    await run(mistyped.jobs)
    crm.hubspot.answer(undefined)
    const corrected = await leadOf('(512) 555-0101', 'Twice@Visitors.example')
    await run(corrected.jobs)
    await run(mistyped.jobs)

    expect(phone()).toBe('(512) 555-0101')
    expect(crm.hubspot.calls).toHaveLength(3)
    for (const { id } of [mistyped, corrected]) {
      expect(await lead(id)).toMatchObject({
        crm_sync_status: 'success',
        crm_external_id: crm.hubspot.contacts.get(EMAIL)?.id,
      })
    }
  })

  it('have copies of their own payloads only, which go with them', async () => {
    const older = await leadOf('(512) 555-0100')
    const newer = await leadOf('(512) 555-0101')
    await run([...older.jobs, ...newer.jobs])
    const copyOf = async ({ id, jobs: [jobId = ''] }: typeof older) =>
      (await sentMessages.findPayload(crm.db, { leadId: id, jobId }))?.payload
    expect(await copyOf(newer)).toMatchObject({ id: EMAIL, properties: { phone: '(512) 555-0101' } })
    expect(await copyOf(older)).toBeUndefined()
  })

  it('are read after the wait for a turn, so that what has changed meanwhile is sent', async () => {
    const own = await startHubspot({ properties: ['email', 'phone', 'clinic'] })
    onTestFinished(() => own.close())
    const provider = await createProvider(crm.db, { name: 'Dr. Late' })
    const older = await leadOf('(512) 555-0100')
    const sender = createHubspotSender({
      url: `${own.url}/crm/v3/objects/contacts`,
      erasure: 'request',
      token: HUBSPOT_TOKEN,
      mapping: [
        { field: 'phone', property: 'phone' },
        { field: 'provider_name', property: 'clinic' },
      ],
      limit: {
        async take() {
          const { id } = await leadOf('(512) 555-0101')
          await assignProvider(crm.db, id, provider.id, STAFF)
        },
        pause: async () => {},
        close() {},
      },
    })
    await run(older.jobs, { crm: sender })

    expect(own.contacts.get(EMAIL)?.properties).toEqual({ email: EMAIL, phone: '(512) 555-0101', clinic: 'Dr. Late' })
    expect(await lead(older.id)).toMatchObject({ crm_sync_status: 'success' })
  })

  it.each([false, true])('of which the newest is refused: the next older one counts (with 400: %s)', async (whole) => {
    const good = await leadOf('(512) 555-0100')
    const bad = await leadOf('(000) 000-0000')
    const refused = { category: 'VALIDATION_ERROR', message: 'No such phone: (000) 000-0000' }
    crm.hubspot.refuse(({ properties }) => (properties.phone === '(000) 000-0000' ? refused : undefined), { whole })
    await run([...good.jobs, ...bad.jobs])

    expect(await lead(bad.id)).toMatchObject({ crm_sync_status: 'failed' })
    expect(await jobOf(good.id)).toMatchObject({
      state: 'waiting',
      last_error: 'HubSpot refused a newer lead of this person. This one is sent on its own next.',
    })
    await run(good.jobs)
    expect(await lead(good.id)).toMatchObject({ crm_sync_status: 'success' })
    expect(phone()).toBe('(512) 555-0100')
  })
})
