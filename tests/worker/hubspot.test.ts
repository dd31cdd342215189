import { describe, expect, it, onTestFinished } from 'vitest'
import { HOUR, SECOND } from '../../core/contract/time.ts'
import { NotNeeded } from '../../worker/delivery-error.ts'
import { createCrmSender } from '../../worker/senders/crm.ts'
import type { CrmEvent } from '../../worker/senders/crm-sender.ts'
import { asTheyAre, failure, leadEvent, OUTCOME, PROVIDER } from '../support/crm-events.ts'
import { testEnv } from '../support/env.ts'
import { HUBSPOT_TOKEN, startHubspot } from '../support/hubspot-server.ts'
import { useHubspot } from './hubspot.ts'

const crm = await useHubspot()
const { hubspot, idOf, pauses, senderWith } = crm

/** Sends an event with these properties of HubSpot, and returns those of the contact. */
async function propertiesSent(event: CrmEvent, mapping: string, properties: string[]) {
  const own = await startHubspot({ properties: ['email', ...properties] })
  onTestFinished(() => own.close())
  const settings = { HUBSPOT_TOKEN, HUBSPOT_BASE_URL: own.url, HUBSPOT_PROPERTIES: mapping }
  await createCrmSender(testEnv({ CRM_KIND: 'hubspot', ...settings }))?.send(event, asTheyAre)
  return own.calls[0]?.[0]?.properties
}

describe('a lead sent to HubSpot', () => {
  it('becomes a contact, found by its email address, whose id is returned', async () => {
    const { lead } = leadEvent()
    expect(await crm.sender.send(leadEvent(), asTheyAre)).toEqual({ status: 200, externalId: idOf(lead.email) })

    const properties = {
      ...{ email: lead.email, firstname: 'Zoë', lastname: "O'Brien 李", phone: lead.phone, zip: lead.zip_code },
    }
    expect(hubspot.rejected).toEqual([])
    expect(hubspot.calls).toEqual([[{ id: lead.email, idProperty: 'email', properties }]])
  })

  it('carries the wish for no contact where a property is mapped, and else fails so that staff note it', async () => {
    const event = { ...leadEvent(), purpose: 'opted_out', doNotContact: true } as const
    // Failed, and so in Needs attention until somebody notes it: `cancelled` would be seen by nobody.
    const refused = await failure(crm.sender.send(event, asTheyAre))
    expect(refused).toMatchObject({ retry: 'never', cause: 'refused' })
    expect(refused.message).toContain('HUBSPOT_PROPERTIES names no property for do_not_contact')
    expect(hubspot.calls).toEqual([])

    const mapping = [{ field: 'do_not_contact', property: 'phone' }] as never
    expect(await senderWith({ mapping }).send(event, asTheyAre)).toMatchObject({ status: 200 })
    expect(hubspot.calls[0]?.[0]?.properties).toEqual({ email: event.lead.email, phone: 'true' })
  })

  it('carries its outcome where a property is mapped', async () => {
    const lead = { ...leadEvent().lead, outcome: 'booked', outcome_at: '2026-11-20T12:00:00.000Z' } as const
    const event = { ...leadEvent(), purpose: 'outcome', lead, outcome: OUTCOME } as const
    await expect(crm.sender.send(event, asTheyAre)).rejects.toBeInstanceOf(NotNeeded)
    expect(hubspot.calls).toEqual([])

    const mapping = 'outcome=outcome,outcome_at=outcome_at,outcome_reason=why,booked_for=day,outcome_value=value'
    const names = ['outcome', 'outcome_at', 'why', 'day', 'value']
    expect(await propertiesSent(event, mapping, names)).toEqual({
      ...{ email: lead.email, outcome: 'booked', outcome_at: '2026-11-20T12:00:00.000Z' },
      ...{ why: '', day: '2026-12-01', value: '1250.50' },
    })
    const none = Object.fromEntries(names.map((name) => [name, '']))
    expect(await propertiesSent(leadEvent(8), mapping, names)).toEqual({ email: 'visitor8@visitors.example', ...none })
  })

  it('has the fields that the settings map', async () => {
    const mapping = 'first_name=firstname, provider_name=assigned_clinic, match_distance_miles=distance'
    const names = ['firstname', 'assigned_clinic', 'distance']
    const lead = { ...leadEvent().lead, match_distance_miles: 4.25 }
    expect(await propertiesSent({ ...leadEvent(), lead, provider: PROVIDER }, mapping, names)).toEqual({
      ...{ email: lead.email, firstname: 'Zoë', assigned_clinic: PROVIDER.name, distance: '4.3' },
    })
    expect(await propertiesSent(leadEvent(8), mapping, names)).toMatchObject({ assigned_clinic: '', distance: '' })
  })
})

it('a test of the connection to HubSpot reads, and changes nothing', async () => {
  expect(await crm.sender.check('msg_1')).toEqual({ status: 200 })
  expect(crm.hubspot.contacts.size).toBe(0)
  expect(crm.hubspot.calls).toEqual([])
})

describe('a HubSpot that refuses', () => {
  it.each([
    [423, undefined, 2 * SECOND],
    [423, { 'retry-after': '30' }, 30 * SECOND],
    [477, { 'retry-after': '3600' }, HOUR],
    [477, { 'retry-after': String(48 * 3600) }, 24 * HOUR],
    [477, undefined, 10 * SECOND],
    [503, { 'retry-after': '60' }, undefined],
    [429, undefined, 10 * SECOND],
  ])('is tried again after %i and %j, and all calls pause for %s ms', async (status, headers, pause) => {
    pauses.length = 0
    hubspot.answer(() => ({ status, headers, body: { status: 'error', message: 'Locked.' } }))
    expect(await failure(crm.sender.send(leadEvent(), asTheyAre))).toMatchObject({ retry: 'later', status })
    expect(pauses).toEqual(pause === undefined ? [] : [pause])
  })

  it.each([400, 401, 403, 429, 500])(
    'never shows our token to staff when its refusal repeats it (%i)',
    async (status) => {
      hubspot.answer(() => ({ status, body: { message: `Bearer ${HUBSPOT_TOKEN} is bad`, category: 'X' } }))
      const error = await failure(crm.sender.send(leadEvent(), asTheyAre))
      expect(`${error.message} ${error.detail}`).not.toContain(HUBSPOT_TOKEN)
    },
  )
})
