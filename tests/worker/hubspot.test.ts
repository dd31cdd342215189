import { describe, expect, it, onTestFinished } from 'vitest'
import { NotNeeded } from '../../worker/delivery-error.ts'
import { createCrmSender } from '../../worker/senders/crm.ts'
import { asTheyAre, failure, leadEvent, OUTCOME, PROVIDER, sendOne } from '../support/crm-events.ts'
import { testEnv } from '../support/env.ts'
import { HUBSPOT_TOKEN, startHubspot } from '../support/hubspot-server.ts'
import { events, STANDARD, useHubspot } from './hubspot.ts'

const crm = await useHubspot()
const { hubspot, idOf, senderWith } = crm

describe('a lead', () => {
  it('becomes a contact, found by its e-mail, and its id there is told', async () => {
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

  it('that comes again keeps its contact', async () => {
    const first = await sendOne(crm.sender, leadEvent())
    const second = await sendOne(crm.sender, { ...leadEvent(), purpose: 'matched', provider: PROVIDER })
    expect(second).toEqual(first)
    expect(hubspot.contacts.size).toBe(1)
  })

  it('whose person wants no contact is told where there is a property for it, else staff are asked to note it', async () => {
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

  it('whose outcome is stated is told where there is a property for it', async () => {
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

  it('that was deleted leaves its contact as it is, and HubSpot is not called', async () => {
    const [answer] = await crm.sender.send(
      [{ ...leadEvent(), purpose: 'deleted', lead: { id: 7 }, reason: 'deleted', crmId: '1000' }],
      asTheyAre,
    )
    expect(answer).toBeInstanceOf(NotNeeded)
    expect(hubspot.calls).toEqual([])
  })
})

describe('a test of the connection', () => {
  it('reads, and changes nothing', async () => {
    expect(await crm.sender.check('msg_1')).toEqual({ status: 200 })
    expect(crm.hubspot.contacts.size).toBe(0)
    expect(crm.hubspot.calls).toEqual([])
  })

  it('says what to check when the token is refused', async () => {
    await expect(crm.senderWith({ token: 'pat-wrong' }).check('msg_1')).rejects.toThrow('Check HUBSPOT_TOKEN')
    crm.hubspot.reset()
  })
})

describe('a property that HubSpot does not have', () => {
  it('is named, with what staff can do, after a single call', async () => {
    const mapping = [...STANDARD, { field: 'provider_name', property: 'assigned_clinic' }] as never
    const answers = await senderWith({ mapping }).send(events(20), asTheyAre)

    expect(hubspot.calls).toHaveLength(1)
    for (const answer of answers) {
      expect(answer).toMatchObject({
        retry: 'never',
        status: 400,
        cause: 'unknown_property',
        summary: expect.stringMatching(/^HubSpot has no contact property called assigned_clinic\. Create it there/),
      })
    }
  })

  it('is named, too, where HubSpot says it by a code', async () => {
    hubspot.refuse(() => ({
      category: 'VALIDATION_ERROR',
      message: 'One or more properties are wrong',
      code: 'PROPERTY_DOESNT_EXIST',
      property: 'zip',
    }))
    expect((await failure(sendOne(crm.sender, leadEvent()))).message).toContain('no contact property called zip')
  })
})

describe('the settings of HubSpot', () => {
  const settings = (overrides: Record<string, string>) =>
    testEnv({ CRM_KIND: 'hubspot', HUBSPOT_TOKEN, HUBSPOT_BASE_URL: hubspot.url, ...overrides })

  it('choose what is told', async () => {
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

  it.each([
    ['v3', '/crm/v3/objects/contacts'],
    ['2026-03', '/crm/objects/2026-03/contacts'],
  ])('choose the version %s', async (HUBSPOT_API_VERSION, path) => {
    const own = await startHubspot({ path })
    onTestFinished(() => own.close())
    const configured = createCrmSender(settings({ HUBSPOT_BASE_URL: `${own.url}/`, HUBSPOT_API_VERSION }))
    await configured?.send([leadEvent()], asTheyAre)
    expect(own.rejected).toEqual([])
    expect(own.contacts.size).toBe(1)
  })

  it.each([
    ['HUBSPOT_TOKEN', ''],
    ['HUBSPOT_TOKEN', 'two words'],
    ['HUBSPOT_BASE_URL', 'http://crm.example.com'],
    ['HUBSPOT_BASE_URL', 'https://user:hush@api.hubapi.com'],
    ['HUBSPOT_BASE_URL', 'crm.example.com'],
    ['HUBSPOT_API_VERSION', 'v4'],
    ['HUBSPOT_API_VERSION', '../../x'],
    ['HUBSPOT_PROPERTIES', 'first_name'],
    ['HUBSPOT_PROPERTIES', 'shoe_size=shoe_size'],
    ['HUBSPOT_PROPERTIES', 'constructor=foo'],
    ['HUBSPOT_PROPERTIES', 'first_name=First Name'],
    ['HUBSPOT_RATE', '0'],
  ])('refuse %s=%j, without repeating it', (name, value) => {
    const create = () => createCrmSender(settings({ [name]: value }))
    expect(create).toThrow(name)
    if (value.length > 10) expect(create).not.toThrow(value)
  })
})
