import { describe, expect, it } from 'vitest'
import type { FailureCause } from '../../core/deliveries/contract/jobs.ts'
import { SECOND } from '../../core/time.ts'
import { DeliveryError } from '../../worker/delivery-error.ts'
import type { CrmAnswer } from '../../worker/senders/crm-sender.ts'
import {
  answersOf,
  answerToAnother,
  isAboutOneContact,
  pauseAfter,
  readJson,
  refusalOf,
} from '../../worker/senders/hubspot-answers.ts'
import { leadEvent } from '../support/crm-events.ts'

const [ONE, TWO, THREE] = [leadEvent(1), leadEvent(2), leadEvent(3)]
const NOT_MENTIONED = 'later 207: HubSpot did not report a result for this contact.'
const NOT_YET = 'HubSpot could not accept this contact yet.'
const NEVER = 'HubSpot refused this contact.'

/** What became of contacts, in short. */
const brief = (answers: CrmAnswer[]) =>
  answers.map((answer) => {
    if (answer instanceof DeliveryError)
      return [`${answer.retry} ${answer.status}: ${answer.message}`, answer.detail].filter(Boolean).join(' ')
    return answer instanceof Error ? answer : answer.externalId
  })
const became = (body: unknown, contacts = [ONE, TWO, THREE], status = 207) => brief(answersOf(body, contacts, status))

describe('a contact that HubSpot has taken', () => {
  it('is found by the trace id that we gave it, with its id there', () => {
    const results = [
      { id: '12', objectWriteTraceId: 'msg_2' },
      { id: '11', objectWriteTraceId: 'msg_1' },
    ]
    expect(answersOf({ results }, [ONE, TWO], 200)).toEqual([
      { status: 200, externalId: '11' },
      { status: 200, externalId: '12' },
    ])
  })

  it('is found by its email, whatever its case', () => {
    const results = [{ id: '12', properties: { email: 'VISITOR2@visitors.example', phone: null } }]
    expect(became({ results })).toEqual([NOT_MENTIONED, '12', NOT_MENTIONED])
    expect(became({ results: [{ id: '12', objectWriteTraceId: 'Visitor2@visitors.example' }] })[1]).toBe('12')
    const shouting = leadEvent(2, { email: 'VISITOR2@VISITORS.example' })
    expect(became({ results }, [shouting])).toEqual(['12'])
  })

  it('is found though there is an error of another one beside it', () => {
    const errors = [{ category: 'VALIDATION_ERROR', message: 'Bad', context: { objectWriteTraceId: ['msg_1'] } }]
    expect(became({ results: [{ id: '12', objectWriteTraceId: 'msg_2' }], errors }, [ONE, TWO])[1]).toBe('12')
  })

  it('is found though other members of the answer are not as they should be', () => {
    const results = [{ id: '11', objectWriteTraceId: 'msg_1', properties: 5 }]
    expect(became({ results, errors: 'none' }, [ONE])).toEqual(['11'])
  })
})

describe('a contact that HubSpot does not mention', () => {
  it.each([undefined, null, 'text', {}, { results: 'x' }, { results: [] }, { results: [{ id: 5 }] }])(
    'is sent again: %j',
    (body) => expect(became(body)).toEqual([NOT_MENTIONED, NOT_MENTIONED, NOT_MENTIONED]),
  )

  it('is no fault of the contact', () => {
    expect(answersOf({}, [ONE], 207)[0]).toMatchObject({ cause: 'server_error', retry: 'later', status: 207 })
  })

  it.each(['', 'a\u0000b', 'a\ud800', 'x'.repeat(201), '\n1', '1\n'])('is sent again when its id is none: %j', (id) => {
    expect(became({ results: [{ id, objectWriteTraceId: 'msg_1' }] }, [ONE])).toEqual([NOT_MENTIONED])
  })

  it('has an id of up to 200 characters', () => {
    const id = 'x'.repeat(200)
    expect(became({ results: [{ id, objectWriteTraceId: 'msg_1' }] }, [ONE])).toEqual([id])
  })

  it('is sent again when errors name nobody, or only others', () => {
    const errors = [{ category: 'VALIDATION_ERROR', message: 'Bad' }, { context: { id: ['msg_1'] } }]
    expect(became({ results: [], errors }).slice(1)).toEqual([NOT_MENTIONED, NOT_MENTIONED])
  })
})

describe('a contact that HubSpot refuses in a partial success', () => {
  it.each([
    ['VALIDATION_ERROR', 'never', 'refused', NEVER],
    ['MISSING_SCOPES', 'never', 'credentials', NEVER],
    ['OBJECT_NOT_FOUND', 'never', 'refused', NEVER],
    ['CONFLICT', 'later', 'server_error', NOT_YET],
    ['RATE_LIMITS', 'later', 'server_error', NOT_YET],
    [undefined, 'later', 'server_error', NOT_YET],
  ])('with %s: again %s', (category, retry, cause, summary) => {
    const errors = [{ category, message: 'Why', context: { objectWriteTraceId: ['msg_1'] } }]
    const [answer] = answersOf({ results: [], errors }, [ONE, TWO], 207)
    expect(answer).toMatchObject({ retry, status: 207, cause, summary, detail: 'Why' })
  })

  it.each(['objectWriteTraceId', 'ids', 'id'])('is found by the context %s', (member) => {
    const errors = [{ category: 'VALIDATION_ERROR', context: { [member]: ['none', 'visitor2@visitors.example'] } }]
    expect(became({ results: [], errors })).toEqual([NOT_MENTIONED, `never 207: ${NEVER}`, NOT_MENTIONED])
  })

  it('is the only one there is, whoever the error names', () => {
    const errors = [{ category: 'VALIDATION_ERROR', message: 'Bad phone' }]
    expect(became({ results: [], errors }, [ONE])).toEqual([`never 207: ${NEVER} Bad phone`])
  })

  it('is not quoted what may be about another one', () => {
    const context = { ids: ['msg_1', 'msg_2'] }
    const errors = [{ category: 'VALIDATION_ERROR', message: 'visitor1@visitors.example is bad', context }]
    expect(became({ results: [], errors })).toEqual([`never 207: ${NEVER}`, `never 207: ${NEVER}`, NOT_MENTIONED])
  })

  it('for a property that HubSpot does not have is told which', () => {
    const context = { objectWriteTraceId: ['msg_1'] }
    const errors = [{ category: 'CONFLICT', context, message: 'Property "shoe" does not exist' }]
    const [answer] = answersOf({ results: [], errors }, [ONE], 207)
    expect(answer).toMatchObject({
      retry: 'never',
      status: 207,
      cause: 'unknown_property',
      summary: expect.stringContaining('HubSpot has no contact property called shoe.'),
    })
  })

  it('is found though its context is not as it should be', () => {
    const errors = [{ category: 'VALIDATION_ERROR', message: 5, context: { ids: 'msg_1' }, errors: 5 }]
    expect(became({ results: [], errors }, [ONE])).toEqual([`never 207: ${NEVER}`])
  })
})

describe('a lead of which a newer one of the same person was sent', () => {
  it('is told what that one is told, unless it was refused', () => {
    const taken = { status: 200, externalId: '1' }
    const later = new DeliveryError('Busy', { cause: 'busy', retry: 'later', status: 409 })
    const credentials = new DeliveryError('Token', { cause: 'credentials', retry: 'never', status: 401 })
    for (const answer of [taken, later, credentials]) expect(answerToAnother(answer)).toBe(answer)
  })

  it('is tried again by itself when that one was refused', () => {
    expect(
      answerToAnother(new DeliveryError('Bad phone', { cause: 'refused', retry: 'never', status: 400 })),
    ).toMatchObject({
      retry: 'later',
      status: 400,
      cause: 'refused',
      summary: 'HubSpot refused a newer lead of this person. This one is sent on its own next.',
    })
  })
})

describe('the answer of HubSpot', () => {
  it('is JSON without our token, should it repeat that', async () => {
    const body = '{"message":"token s3cret is bad, s3cret"}'
    expect(await readJson(new Response(body), { without: 's3cret' })).toEqual({ message: 'token … is bad, …' })
  })

  it.each(['<html>', '', '{"half'])('is nothing when it is no JSON: %j', async (body) => {
    expect(await readJson(new Response(body), { without: 's3cret' })).toBeUndefined()
  })
})

describe('a call that HubSpot refuses', () => {
  const refused = (status: number, body: unknown, { contacts = [ONE], headers = {} } = {}) =>
    refusalOf(body, new Response(null, { status, headers }), contacts)

  it.each([401, 403])('because of our credentials (%i): never again, with what to check', (status) => {
    const summary = 'HubSpot refused our credentials. Check HUBSPOT_TOKEN and its scopes.'
    const known = { retry: 'never', status, cause: 'credentials', summary }
    expect(refused(status, undefined)).toMatchObject({ ...known, detail: undefined })
    expect(refused(status, { message: 'Expired' })).toMatchObject({ ...known, detail: 'Expired' })
  })

  it('because of a conflict (409): again later', () => {
    const body = { message: 'Existing ID: 1', category: 'CONFLICT' }
    expect(refused(409, body)).toMatchObject({
      retry: 'later',
      status: 409,
      summary: NOT_YET,
      detail: 'Existing ID: 1',
    })
    expect(refused(409, body, { contacts: [ONE, TWO] })).toMatchObject({ summary: NOT_YET, detail: undefined })
  })

  it('with another status: as every CRM, with what HubSpot said', () => {
    const headers = { 'retry-after': '7' }
    expect(refused(404, { message: 'Why' })).toMatchObject({ retry: 'never', status: 404, detail: 'Why' })
    expect(refused(503, { message: 'Why' }, { headers })).toMatchObject({ retry: 'later', retryAfter: 7 * SECOND })
  })

  it('does not quote to several what may be about one of them', () => {
    expect(refused(400, { message: 'visitor1 is bad' }, { contacts: [ONE, TWO] }).detail).toBeUndefined()
  })

  it('says which limit a 429 is about', () => {
    const said = (body: unknown, contacts = [ONE]) => refused(429, body, { contacts }).detail
    expect(said({ message: 'Too much', policyName: 'DAILY' })).toBe('Too much (DAILY)')
    expect(said({ message: 'Too much', policyName: 'DAILY' }, [ONE, TWO])).toBe('DAILY')
    expect(said({ policyName: 'DAILY' })).toBe('DAILY')
    expect(said({ message: 'Too much', policyName: 'a b' })).toBe('Too much')
    expect(said({ message: 'Too much', policyName: '' })).toBe('Too much')
    expect(said({ policyName: ' DAILY' })).toBeUndefined()
    expect(said({ policyName: 'DAILY ' })).toBeUndefined()
    expect(said({ policyName: 'x'.repeat(101) })).toBeUndefined()
  })

  it.each([undefined, null, 'text', [], { message: 5, context: 5, errors: 5 }])('with anything (%j)', (body) => {
    expect(refused(400, body)).toMatchObject({ message: 'The CRM refused the lead: it answered 400.' })
  })
})

describe('a property that HubSpot does not have', () => {
  const refused = (body: unknown) => refusalOf(body, new Response(null, { status: 400 }), [ONE, TWO])
  const called = (names: string) =>
    `HubSpot has no contact property called ${names}. Create it there under Settings, Properties, or remove it from HUBSPOT_PROPERTIES, then retry.`

  it('is named, with what staff can do, and the call is never repeated', () => {
    expect(refused({ message: 'Property "shoe" does not exist' })).toMatchObject({
      retry: 'never',
      status: 400,
      cause: 'unknown_property',
      summary: called('shoe'),
    })
  })

  it.each([
    ['a message', { message: 'Property values were not valid: [{"message":"Property \\"shoe\\" does not exist"}]' }],
    ['one that is escaped twice', { message: 'Property \\\\"shoe\\\\" does not exist' }],
    ['the message of an error', { errors: [{ message: 'Property "shoe" does not exist' }] }],
    ['a code', { errors: [{ code: 'PROPERTY_DOESNT_EXIST', context: { propertyName: ['shoe'] } }] }],
  ])('is found in %s', (_, body) => expect(refused(body).summary).toBe(called('shoe')))

  it('is named once, and so are all others', () => {
    const message = 'Property "shoe" does not exist, Property "hat" does not exist'
    const errors = [{ code: 'PROPERTY_DOESNT_EXIST', context: { propertyName: ['hat', 'coat'] } }]
    expect(refused({ message, errors }).summary).toBe(called('hat, coat, shoe'))
  })

  it.each([
    { errors: [{ code: 'INVALID_EMAIL', context: { propertyName: ['email'] } }] },
    { errors: [{ code: 'PROPERTY_DOESNT_EXIST' }] },
    { errors: [{ code: 'PROPERTY_DOESNT_EXIST', context: { propertyName: ['no name', 'x '.repeat(3), ' x', 'x '] } }] },
    { errors: [{ code: 'PROPERTY_DOESNT_EXIST', context: { propertyName: ['x'.repeat(101)] } }] },
    { message: 'Property "" does not exist' },
    { message: 'Property "shoe" is read only' },
  ])('is not what %j says', (body) => {
    expect(refused(body).summary).toBe('The CRM refused the lead: it answered 400.')
  })
})

describe('an error of HubSpot', () => {
  const error = (status: number, cause: FailureCause = 'refused') =>
    new DeliveryError('No', { cause, retry: 'never', status })

  it.each([207, 400, 409, 413])('with %i may be about one contact of many', (status) => {
    expect(isAboutOneContact(error(status))).toBe(true)
  })

  it.each([0, 200, 401, 403, 404, 408, 429, 500])('with %i is about all of them', (status) => {
    expect(isAboutOneContact(error(status))).toBe(false)
  })

  it('without an answer is about all of them, and so is one about a property that HubSpot does not have', () => {
    expect(isAboutOneContact(new DeliveryError('Away', { cause: 'unreachable', retry: 'later' }))).toBe(false)
    expect(isAboutOneContact(error(400, 'unknown_property'))).toBe(false)
  })
})

describe('the pause of an account after a refusal', () => {
  it.each([
    ['lasts two seconds where the contact is locked', 423, undefined, 2 * SECOND],
    ['lasts as long as HubSpot says where the contact is locked', 423, 7 * SECOND, 7 * SECOND],
    ['lasts for the window of the limit', 429, undefined, 10 * SECOND],
    ['lasts as long as HubSpot says at the limit', 429, 3 * SECOND, 3 * SECOND],
    ['is none after a fault of HubSpot', 503, 3 * SECOND, undefined],
    ['is none without an answer', undefined, undefined, undefined],
  ])('%s', (_, status, retryAfter, pause) => {
    const refused = { cause: 'busy', status, retryAfter } as const
    expect(pauseAfter(new DeliveryError('Busy', { ...refused, retry: 'later' }))).toBe(pause)
    expect(pauseAfter(new DeliveryError('Busy', { ...refused, retry: 'never' }))).toBeUndefined()
  })

  it('lasts for another window where that is given', () => {
    expect(pauseAfter(new DeliveryError('Busy', { cause: 'busy', retry: 'later', status: 429 }), 5)).toBe(5)
  })
})
