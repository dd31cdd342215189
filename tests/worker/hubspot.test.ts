import { describe, expect, it, onTestFinished } from 'vitest'
import { HOUR, SECOND } from '../../core/time.ts'
import { NotNeeded } from '../../worker/delivery-error.ts'
import { createCrmSender } from '../../worker/senders/crm.ts'
import { asTheyAre, failure, leadEvent, OUTCOME, PROVIDER, sendOne } from '../support/crm-events.ts'
import { testEnv } from '../support/env.ts'
import { HUBSPOT_TOKEN, startHubspot } from '../support/hubspot-server.ts'
import { events, useHubspot } from './hubspot.ts'

const crm = await useHubspot()
const { hubspot, idOf, pauses, senderWith } = crm

describe('a lead sent to HubSpot', () => {
  it('becomes a contact, found by its email address, whose id is returned', async () => {
    const { lead } = leadEvent()
    expect(await sendOne(crm.sender, leadEvent())).toEqual({ status: 200, externalId: idOf(lead.email) })

    expect(hubspot.rejected).toEqual([])
    expect(hubspot.calls).toEqual([
      [
        {
          id: lead.email,
          idProperty: 'email',
          objectWriteTraceId: 'msg_7',
          properties: {
            email: lead.email,
            firstname: 'Zoë',
            lastname: "O'Brien 李",
            phone: lead.phone,
            zip: lead.zip_code,
          },
        },
      ],
    ])
  })

  it('carries the wish for no contact where a property is mapped, and else fails so that staff note it', async () => {
    const event = { ...leadEvent(), purpose: 'opted_out', doNotContact: true } as const
    const [answer] = await crm.sender.send([event], asTheyAre)
    // Failed, and so in Needs attention until somebody notes it: `cancelled` would be seen by nobody.
    expect(answer).toMatchObject({ name: 'DeliveryError', retry: 'never', cause: 'refused' })
    expect((answer as Error).message).toContain('HUBSPOT_PROPERTIES names no property for do_not_contact')
    expect(hubspot.calls).toEqual([])

    const mapping = [{ field: 'do_not_contact', property: 'phone' }] as never
    expect(await sendOne(senderWith({ mapping }), event)).toMatchObject({ status: 200 })
    expect(hubspot.calls[0]?.[0]?.properties).toEqual({ email: event.lead.email, phone: 'true' })
  })

  it('carries its outcome where a property is mapped', async () => {
    const lead = { ...leadEvent().lead, outcome: 'booked', outcome_at: '2026-11-20T12:00:00.000Z' } as const
    const event = { ...leadEvent(), purpose: 'outcome', lead, outcome: OUTCOME } as const
    const [answer] = await crm.sender.send([event], asTheyAre)
    expect(answer).toBeInstanceOf(NotNeeded)
    expect(hubspot.calls).toEqual([])

    const own = await startHubspot({ properties: ['email', 'outcome', 'outcome_at', 'why', 'day', 'value'] })
    onTestFinished(() => own.close())
    const HUBSPOT_PROPERTIES =
      'outcome=outcome,outcome_at=outcome_at,outcome_reason=why,booked_for=day,outcome_value=value'
    const env = { CRM_KIND: 'hubspot', HUBSPOT_TOKEN, HUBSPOT_BASE_URL: own.url, HUBSPOT_PROPERTIES }
    await createCrmSender(testEnv(env))?.send([event, leadEvent(8)], asTheyAre)
    expect(own.calls[0]?.map(({ properties }) => properties)).toEqual([
      {
        ...{ email: lead.email, outcome: 'booked', outcome_at: '2026-11-20T12:00:00.000Z' },
        ...{ why: '', day: '2026-12-01', value: '1250.50' },
      },
      { email: 'visitor8@visitors.example', outcome: '', outcome_at: '', why: '', day: '', value: '' },
    ])
  })
})

describe('a test of the connection to HubSpot', () => {
  it('reads, and changes nothing', async () => {
    expect(await crm.sender.check('msg_1')).toEqual({ status: 200 })
    expect(crm.hubspot.contacts.size).toBe(0)
    expect(crm.hubspot.calls).toEqual([])
  })
})

const settings = (overrides: Record<string, string>) =>
  testEnv({ CRM_KIND: 'hubspot', HUBSPOT_TOKEN, HUBSPOT_BASE_URL: hubspot.url, ...overrides })

it('the settings of HubSpot choose which fields HubSpot gets', async () => {
  const own = await startHubspot({ properties: ['email', 'firstname', 'assigned_clinic', 'distance'] })
  onTestFinished(() => own.close())
  const mapping = 'first_name=firstname, provider_name=assigned_clinic, match_distance_miles=distance'
  const configured = createCrmSender(settings({ HUBSPOT_BASE_URL: own.url, HUBSPOT_PROPERTIES: mapping }))
  const lead = { ...leadEvent().lead, match_distance_miles: 4.25 }
  await configured?.send([{ ...leadEvent(), purpose: 'created', lead, provider: PROVIDER }, leadEvent(8)], asTheyAre)

  expect(own.calls[0]?.map(({ properties }) => properties)).toEqual([
    { email: lead.email, firstname: 'Zoë', assigned_clinic: PROVIDER.name, distance: '4.3' },
    { email: 'visitor8@visitors.example', firstname: 'Zoë', assigned_clinic: '', distance: '' },
  ])
})

describe('a batch for HubSpot', () => {
  it('arrives without the one contact for which it was refused as a whole (400)', async () => {
    hubspot.refuse(
      ({ id }) =>
        id === 'visitor117@visitors.example' ? { category: 'VALIDATION_ERROR', message: 'Bad phone' } : undefined,
      { whole: true },
    )
    const answers = await crm.sender.send(events(40), asTheyAre)
    const refused = answers.flatMap((answer, index) => (answer instanceof Error ? index : []))
    expect(refused).toEqual([17])
    expect(answers[17]).toMatchObject({ retry: 'never', status: 400 })
    expect(hubspot.contacts.size).toBe(39)
    expect(hubspot.calls.length).toBeLessThan(15)
  })
})

describe('a HubSpot that refuses', () => {
  it.each([
    [423, undefined, 2 * SECOND],
    [423, { 'retry-after': '30' }, 30 * SECOND],
    [477, { 'retry-after': '3600' }, HOUR],
    [477, { 'retry-after': String(48 * 3600) }, 24 * HOUR],
    [477, undefined, 10 * SECOND],
    [503, { 'retry-after': '60' }, undefined],
    [503, undefined, undefined],
    [429, { 'retry-after': '3600' }, HOUR],
    [429, undefined, 10 * SECOND],
  ])('is tried again after %i and %j, and all calls pause for %s ms', async (status, headers, pause) => {
    pauses.length = 0
    hubspot.answer(() => ({ status, headers, body: { status: 'error', message: 'Locked.' } }))
    expect(await failure(sendOne(crm.sender, leadEvent()))).toMatchObject({ retry: 'later', status })
    expect(pauses).toEqual(pause === undefined ? [] : [pause])
  })

  it('never shows our token to staff when its refusal repeats it', async () => {
    const echo = (status: number) =>
      hubspot.answer(() => ({ status, body: { message: `Bearer ${HUBSPOT_TOKEN} is bad`, category: 'X' } }))
    for (const status of [400, 401, 403, 429, 500]) {
      echo(status)
      const error = await failure(sendOne(crm.sender, leadEvent()))
      expect(`${error.message} ${error.detail}`).not.toContain(HUBSPOT_TOKEN)
    }
  })
})
