import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { HOUR, SECOND } from '../../core/time.ts'
import { DeliveryError, NotNeeded } from '../../worker/delivery-error.ts'
import { createCrmSender } from '../../worker/senders/crm.ts'
import type { CrmSender, LeadEvent } from '../../worker/senders/crm-sender.ts'
import { createHubspotSender } from '../../worker/senders/hubspot.ts'
import { asTheyAre, failure, leadEvent, PROVIDER, sendOne } from '../support/crm-events.ts'
import { testEnv } from '../support/env.ts'
import { HUBSPOT_TOKEN, startHubspot, type TestHubspot } from '../support/hubspot-server.ts'

const STANDARD = [
  { field: 'first_name', property: 'firstname' },
  { field: 'last_name', property: 'lastname' },
  { field: 'phone', property: 'phone' },
  { field: 'zip_code', property: 'zip' },
] as const

let hubspot: TestHubspot
let sender: CrmSender
const pauses: number[] = []
beforeAll(async () => {
  hubspot = await startHubspot()
})
beforeEach(() => {
  pauses.length = 0
  sender = senderWith({})
})
afterEach(() => hubspot.reset())
afterAll(() => hubspot.close())

function senderWith({ url = hubspot.url, token = HUBSPOT_TOKEN, mapping = [...STANDARD] as never }) {
  return createHubspotSender({
    url: `${url}/crm/v3/objects/contacts/batch/upsert`,
    token,
    mapping,
    limit: { take: async () => {}, pause: async (ms) => void pauses.push(ms), close() {} },
  })
}

const events = (count: number) => Array.from({ length: count }, (_, index) => leadEvent(100 + index))
const idOf = (email: string) => hubspot.contacts.get(email)?.id

describe('a lead', () => {
  it('becomes a contact, found by its e-mail, and its id there is told', async () => {
    const { lead } = leadEvent()
    expect(await sendOne(sender, leadEvent())).toEqual({ status: 200, externalId: idOf(lead.email) })

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
    const first = await sendOne(sender, leadEvent())
    const second = await sendOne(sender, { ...leadEvent(), purpose: 'matched', provider: PROVIDER })
    expect(second).toEqual(first)
    expect(hubspot.contacts.size).toBe(1)
  })

  it('that was deleted leaves its contact as it is, and HubSpot is not called', async () => {
    const [answer] = await sender.send([{ ...leadEvent(), purpose: 'deleted', lead: { id: 7 } }], asTheyAre)
    expect(answer).toBeInstanceOf(NotNeeded)
    expect(hubspot.calls).toEqual([])
  })
})

describe('a batch', () => {
  it('of a hundred leads is one call, and each gets its own id', async () => {
    const batch = events(100)
    const answers = await sender.send(batch, asTheyAre)
    expect(hubspot.calls.map((inputs) => inputs.length)).toEqual([100])
    expect(answers).toEqual(batch.map(({ lead }) => ({ status: 200, externalId: idOf(lead.email) })))
  })

  it('never names anybody twice: the newest lead of a person counts, and all of its events are done', async () => {
    const older = leadEvent(1, { email: 'Same@visitors.example', phone: 'old' })
    const newer = leadEvent(2, { email: 'same@visitors.example', phone: 'new' })
    const answers = await sender.send([newer, older, leadEvent(3)], asTheyAre)

    expect(hubspot.rejected).toEqual([])
    expect(hubspot.calls).toHaveLength(1)
    expect(hubspot.contacts.get('same@visitors.example')?.properties.phone).toBe('new')
    expect(answers[0]).toEqual(answers[1])
    expect(answers[2]).not.toEqual(answers[0])
  })

  it('that is taken in part (207) fails only for those that were not', async () => {
    hubspot.refuse(({ id }) => {
      if (id === 'visitor101@visitors.example') return { category: 'VALIDATION_ERROR', message: 'Email is invalid' }
      if (id === 'visitor103@visitors.example') return { category: 'INTERNAL_ERROR', message: 'Try again' }
      return undefined
    })
    const answers = await sender.send(events(5), asTheyAre)

    expect(hubspot.calls).toHaveLength(1)
    expect(answers.map((answer) => (answer instanceof DeliveryError ? answer.retry : answer))).toEqual([
      { status: 207, externalId: idOf('visitor100@visitors.example') },
      'never',
      { status: 207, externalId: idOf('visitor102@visitors.example') },
      'later',
      { status: 207, externalId: idOf('visitor104@visitors.example') },
    ])
    expect((answers[1] as DeliveryError).message).toBe('HubSpot refused this contact: Email is invalid')
  })

  it('finds each contact by its e-mail, in any case, where HubSpot leaves out the trace id', async () => {
    const contact = (id: string, email: string) => ({ id, properties: { email }, new: true, archived: false })
    const results = [contact('12', 'VISITOR101@visitors.example'), contact('11', 'visitor100@visitors.example')]
    hubspot.answer(() => ({ status: 200, body: { status: 'COMPLETE', results } }))
    expect(await sender.send(events(3), asTheyAre)).toEqual([
      { status: 200, externalId: '11' },
      { status: 200, externalId: '12' },
      expect.objectContaining({ retry: 'later', summary: 'HubSpot did not say what became of this contact.' }),
    ])
  })

  it.each([
    ['ids', 'Visitor101@visitors.example'],
    ['id', 'visitor101@visitors.example'],
    ['ids', 'msg_101'],
    ['objectWriteTraceId', 'msg_101'],
  ])('finds the one that was refused by %s = %s', async (key, name) => {
    const results = ['visitor100', 'visitor102'].map((visitor, index) => ({
      id: String(index),
      properties: { email: `${visitor}@visitors.example` },
    }))
    const errors = [
      { category: 'VALIDATION_ERROR', message: 'Not this one', context: { [key]: ['somebody@else.example'] } },
      { category: 'VALIDATION_ERROR', message: 'Email is invalid', context: { [key]: ['501', name] } },
    ]
    hubspot.answer(() => ({ status: 207, body: { status: 'COMPLETE', results, errors, numErrors: 2 } }))
    const answers = await sender.send(events(3), asTheyAre)
    expect(answers).toEqual([
      { status: 207, externalId: '0' },
      expect.objectContaining({ retry: 'never', message: 'HubSpot refused this contact: Email is invalid' }),
      { status: 207, externalId: '1' },
    ])
  })

  it('says of a contact that HubSpot did not mention that it is tried again', async () => {
    hubspot.answer(() => ({ status: 200, body: { status: 'COMPLETE', results: [] } }))
    expect(await failure(sendOne(sender, leadEvent()))).toMatchObject({ retry: 'later' })

    hubspot.answer(() => ({ status: 200, body: '<html>' }))
    expect(await failure(sendOne(sender, leadEvent()))).toMatchObject({ retry: 'later' })
  })

  it.each([401, 404, 422, 429, 500])(
    'that is refused with %i tells nobody what may be about another',
    async (status) => {
      const message = 'visitor100@visitors.example is known as (512) 555-0100'
      hubspot.answer(() => ({ status, body: { status: 'error', message, category: 'X', policyName: 'DAILY' } }))
      const answers = (await sender.send(events(2), asTheyAre)) as DeliveryError[]
      expect(answers.map((answer) => answer.status)).toEqual([status, status])
      expect(answers.map((answer) => answer.message).join()).not.toContain('known as')

      expect((await failure(sendOne(sender, leadEvent(100)))).message).toContain(message)
    },
  )

  it('that is taken in part tells nobody what may be about another', async () => {
    const [first, second, third] = events(3) as [LeadEvent, LeadEvent, LeadEvent]
    const problem = (message: string, context: Record<string, string[]>) => ({
      status: 'error',
      category: 'VALIDATION_ERROR',
      message,
      context,
      errors: [],
      links: {},
    })
    const errors = [
      problem('A word about the first and the second', { ids: [first.lead.email, second.lead.email] }),
      problem('A word about somebody', {}),
    ]
    hubspot.answer(() => ({ status: 207, body: { status: 'COMPLETE', results: [], errors, numErrors: 2 } }))
    const answers = await sender.send([first, second, third], asTheyAre)
    expect(answers.map((answer) => (answer as DeliveryError).message)).toEqual([
      'HubSpot refused this contact.',
      'HubSpot refused this contact.',
      'HubSpot did not say what became of this contact.',
    ])
    expect((await failure(sendOne(sender, third))).message).toContain('A word about')
  })

  it('that is refused as a whole for one contact (400) arrives without it', async () => {
    hubspot.refuse(
      ({ id }) =>
        id === 'visitor117@visitors.example' ? { category: 'VALIDATION_ERROR', message: 'Bad phone' } : undefined,
      { whole: true },
    )
    const answers = await sender.send(events(40), asTheyAre)
    const refused = answers.flatMap((answer, index) => (answer instanceof Error ? index : []))
    expect(refused).toEqual([17])
    expect(answers[17]).toMatchObject({ retry: 'never', status: 400 })
    expect(hubspot.contacts.size).toBe(39)
    expect(hubspot.calls.length).toBeLessThan(15)
  })

  it('that is too large (413) goes in halves that are not', async () => {
    hubspot.answer((inputs) => (inputs.length > 30 ? { status: 413, body: 'Payload Too Large' } : undefined))
    const answers = await sender.send(events(100), asTheyAre)
    expect(answers.filter((answer) => answer instanceof Error)).toEqual([])
    expect(hubspot.calls.map((inputs) => inputs.length)).toEqual([100, 50, 25, 25, 50, 25, 25])
    expect(hubspot.contacts.size).toBe(100)
  })

  it('whose contacts are refused one after the other ends after a few calls: the rest is tried again', async () => {
    hubspot.refuse(({ id }) => ({ category: 'VALIDATION_ERROR', message: `Not ${id}` }), { whole: true })
    const answers = (await sender.send(events(100), asTheyAre)) as DeliveryError[]

    expect(hubspot.calls.length).toBeLessThan(15)
    expect(answers.map(({ retry, status }) => `${retry} ${status}`)).toEqual([
      ...Array(3).fill('never 400'),
      ...Array(97).fill('later 400'),
    ])
    expect(answers[99]?.message).not.toContain('visitor')
  })

  it('is divided for half a minute at most: what is left is tried again', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    hubspot.answer((inputs) => {
      vi.advanceTimersByTime(6 * SECOND)
      const isTaken = inputs.every(({ id }) => id < 'visitor110')
      return isTaken ? undefined : { status: 400, body: { message: 'No.', category: 'VALIDATION_ERROR' } }
    })
    const answers = await sender.send(events(40), asTheyAre)

    expect(hubspot.calls).toHaveLength(6)
    expect(answers.slice(0, 10)).toEqual(Array(10).fill(expect.objectContaining({ status: 200 })))
    expect(answers.at(-1)).toMatchObject({ retry: 'later', status: 400 })
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
        summary: 'HubSpot has no contact property called assigned_clinic',
        message: expect.stringMatching(/^HubSpot has no contact property called assigned_clinic\. Create it there/),
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
    expect((await failure(sendOne(sender, leadEvent()))).message).toContain('no contact property called zip')
  })
})

describe('a HubSpot that refuses', () => {
  it.each([400, 404, 410, 413, 422])('with %i: never again', async (status) => {
    hubspot.answer(() => ({ status, body: { status: 'error', message: 'No.', category: 'VALIDATION_ERROR' } }))
    const error = await failure(sendOne(sender, leadEvent()))
    expect(error).toMatchObject({ retry: 'never', status })
    expect(error.message).toContain('It said: No.')
    expect(error.summary).not.toContain('No.')
  })

  it('with 409, because somebody else has just made the contact: again later', async () => {
    const conflict = { status: 'error', message: 'Contact already exists. Existing ID: 12345', category: 'CONFLICT' }
    hubspot.answer(() => ({ status: 409, body: conflict }))
    const error = await failure(sendOne(sender, leadEvent()))
    expect(error).toMatchObject({ retry: 'later', status: 409, summary: 'HubSpot could not take this contact yet' })
    expect(error.message).toContain('Existing ID: 12345')
  })

  it('with 409 for one contact of many: only that one goes again later', async () => {
    const isNew = ({ id }: { id: string }) => id === 'visitor104@visitors.example'
    hubspot.answer((inputs) =>
      inputs.some(isNew)
        ? { status: 409, body: { message: 'Contact already exists', category: 'CONFLICT' } }
        : undefined,
    )
    const answers = await sender.send(events(8), asTheyAre)
    expect(answers.flatMap((answer, index) => (answer instanceof Error ? index : []))).toEqual([4])
    expect(answers[4]).toMatchObject({ retry: 'later', status: 409 })
  })

  it('our token: never again, and that is what staff are told', async () => {
    const error = await failure(sendOne(senderWith({ token: 'wrong-token' }), leadEvent()))
    expect(error).toMatchObject({ retry: 'never', status: 401, summary: 'HubSpot refused our credentials' })
    expect(error.message).toContain('HUBSPOT_TOKEN')
  })

  it.each([408, 425, 500, 502, 503])('for now with %i: again later', async (status) => {
    hubspot.answer(() => ({ status, headers: { 'retry-after': '7' }, body: 'not even JSON' }))
    const answers = await sender.send(events(3), asTheyAre)
    expect(answers).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining({ retry: 'later', status, askedFor: 7 * SECOND })),
    )
    expect(hubspot.calls).toHaveLength(1)
  })

  it.each([
    ['for as long as it says', { 'retry-after': '3600' }, HOUR],
    ['for its window when it does not say', undefined, 10 * SECOND],
  ])('because it is too much (429): nobody calls it %s', async (_, headers, pause) => {
    const policy = { status: 'error', message: 'You have reached your limit.', policyName: 'TEN_SECONDLY_ROLLING' }
    hubspot.answer(() => ({ status: 429, headers, body: policy }))
    const error = await failure(sendOne(sender, leadEvent()))
    expect(error).toMatchObject({ retry: 'later', status: 429 })
    expect(error.message).toContain('TEN_SECONDLY_ROLLING')
    expect(pauses).toEqual([pause])
  })

  it('by a redirect: never again, and nobody is asked instead', async () => {
    const other = await startHubspot()
    onTestFinished(() => other.close())
    hubspot.answer(() => ({ status: 307, headers: { location: `${other.url}/crm/v3/objects/contacts/batch/upsert` } }))
    expect(await failure(sendOne(sender, leadEvent()))).toMatchObject({ retry: 'never', status: 307 })
    expect([other.calls, other.rejected]).toEqual([[], []])
  })

  it('to answer: again later, within the deadline', async () => {
    hubspot.answer(() => 'hang')
    const started = performance.now()
    expect(await failure(sendOne(sender, leadEvent()))).toMatchObject({ retry: 'later' })
    expect(performance.now() - started).toBeLessThan(16 * SECOND)
  })

  it('with an answer without end: again later, without reading it all', async () => {
    hubspot.answer(() => 'endless')
    const started = performance.now()
    const answers = await sender.send(events(3), asTheyAre)
    expect(answers.map((answer) => (answer as DeliveryError).retry)).toEqual(['later', 'later', 'later'])
    expect((answers[0] as DeliveryError).message).toMatch(/^The CRM answered with more than 1 MB, /)
    expect(hubspot.calls).toHaveLength(1)
    expect(performance.now() - started).toBeLessThan(5 * SECOND)
  })

  it('for good, in more words than we read: never again all the same', async () => {
    hubspot.answer(() => ({ status: 422, body: { message: 'No. '.repeat(2 ** 18) } }))
    expect(await failure(sendOne(sender, leadEvent()))).toMatchObject({ retry: 'never', status: 422 })
  })

  it('in no language: again later', async () => {
    hubspot.answer(() => 'garbage')
    expect(await failure(sendOne(sender, leadEvent()))).toMatchObject({ retry: 'later' })
  })

  it('and repeats our token: nobody is shown it', async () => {
    const echo = (status: number) =>
      hubspot.answer(() => ({ status, body: { message: `Bearer ${HUBSPOT_TOKEN} is bad`, category: 'X' } }))
    for (const status of [400, 401, 403, 429, 500]) {
      echo(status)
      const error = await failure(sendOne(sender, leadEvent()))
      expect(`${error.message} ${error.summary}`).not.toContain(HUBSPOT_TOKEN)
    }
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
    ['v3', '/crm/v3/objects/contacts/batch/upsert'],
    ['2026-03', '/crm/objects/2026-03/contacts/batch/upsert'],
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
