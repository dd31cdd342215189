import { describe, expect, it } from 'vitest'
import { SECOND } from '../../core/contract/time.ts'
import { DeliveryError } from '../../worker/delivery-error.ts'
import { answerOf, failureOfAnother, pauseAfter, readJson, refusalOf } from '../../worker/senders/hubspot-answers.ts'

const NOT_YET = 'HubSpot could not accept this contact yet.'
const NEVER = 'HubSpot refused this contact.'
const missing = (names: string) =>
  `HubSpot has no contact property called ${names}. Create it there under Settings, Properties, or remove it from HUBSPOT_PROPERTIES, then retry.`

it.each([
  ['with its id there', { results: [{ id: '11', properties: 5 }] }, '11'],
  ['although other members are malformed', { results: [{ id: '11' }], errors: 'none' }, '11'],
  ['with an id of 200 characters', { results: [{ id: 'x'.repeat(200) }] }, 'x'.repeat(200)],
])('a contact that HubSpot has accepted is done, %s', (_, body, externalId) =>
  expect(answerOf(body, 200)).toEqual({ status: 200, externalId }),
)

describe('a contact that HubSpot does not mention', () => {
  it.each([undefined, null, 'text', {}, { results: 'x' }, { results: [] }, { results: [{ id: 5 }] }])(
    'is sent again: %j',
    (body) => {
      const message = 'HubSpot did not report a result for this contact.'
      expect(() => answerOf(body, 207)).toThrow(
        expect.objectContaining({ cause: 'server_error', retry: 'later', status: 207, message }),
      )
    },
  )

  it.each(['', 'a\u0000b', 'a\ud800', 'x'.repeat(201), '\n1', '1\n'])(
    'is sent again when its id is unusable: %j',
    (id) => {
      expect(() => answerOf({ results: [{ id }] }, 200)).toThrow('did not report a result')
    },
  )
})

describe('a contact that HubSpot refuses in a partial success', () => {
  it.each([
    ['VALIDATION_ERROR', 'never', 'refused', NEVER],
    ['MISSING_SCOPES', 'never', 'credentials', NEVER],
    ['OBJECT_NOT_FOUND', 'never', 'refused', NEVER],
    ['CONFLICT', 'later', 'server_error', NOT_YET],
    ['RATE_LIMITS', 'later', 'server_error', NOT_YET],
    [undefined, 'later', 'server_error', NOT_YET],
  ])('with %s is retried: %s', (category, retry, cause, message) => {
    const errors = [{ category, message: 'Why', context: { ids: 'malformed' }, errors: 5 }]
    expect(() => answerOf({ results: [], errors }, 207)).toThrow(
      expect.objectContaining({ retry, status: 207, cause, message, detail: 'Why' }),
    )
  })

  it('for a property that HubSpot does not have fails with its name', () => {
    const errors = [{ category: 'CONFLICT', message: 'Property "shoe" does not exist' }]
    expect(() => answerOf({ results: [], errors }, 207)).toThrow(
      expect.objectContaining({ retry: 'never', status: 207, cause: 'unknown_property', message: missing('shoe') }),
    )
  })
})

describe('the failure of a newer lead of the same person', () => {
  const failure = (status: number | undefined, more: object = {}) =>
    new DeliveryError('No', { cause: 'refused', retry: 'never', status, ...more })

  it.each([207, 400, 409, 413])('with %i is about that lead: the older one is retried', (status) => {
    const message = 'HubSpot refused a newer lead of this person. This one is sent on its own next.'
    expect(failureOfAnother(failure(status))).toMatchObject({ retry: 'later', status, cause: 'refused', message })
  })

  it.each([
    ...[undefined, 200, 401, 403, 404, 408, 429, 500].map((status) => failure(status)),
    failure(400, { cause: 'unknown_property' }),
    failure(409, { cause: 'busy', retry: 'later' }),
    new Error('Ours'),
  ])('that is about both is the failure of the older one, too (%o)', (error) => {
    expect(failureOfAnother(error)).toBe(error)
  })
})

it.each([
  ['{"message":"token s3cret is bad, s3cret"}', { message: 'token … is bad, …' }],
  ['<html>', undefined],
  ['', undefined],
  ['{"half', undefined],
])('the answer of HubSpot is JSON without our token, or nothing: %j', async (body, answer) => {
  expect(await readJson(new Response(body), { without: 's3cret' })).toEqual(answer)
})

describe('a call that HubSpot refuses', () => {
  const refused = (status: number, body: unknown, headers = {}) =>
    refusalOf(body, new Response(null, { status, headers }))
  const credentials = 'HubSpot refused our credentials. Check HUBSPOT_TOKEN and its scopes.'
  const conflict = { message: 'Existing ID: 1', category: 'CONFLICT' }

  it.each([
    [401, undefined, { retry: 'never', cause: 'credentials', message: credentials, detail: undefined }],
    [403, { message: 'Expired' }, { retry: 'never', cause: 'credentials', message: credentials, detail: 'Expired' }],
    [409, conflict, { retry: 'later', message: NOT_YET, detail: 'Existing ID: 1' }],
    [404, { message: 'Why' }, { retry: 'never', detail: 'Why' }],
    [503, { message: 'Why' }, { retry: 'later', detail: 'Why', retryAfter: 7 * SECOND }],
  ])('with %i fails permanently, or is retried', (status, body, expected) => {
    expect(refused(status, body, { 'retry-after': '7' })).toMatchObject({ status, ...expected })
  })

  it.each([
    [{ message: 'Too much', policyName: 'DAILY' }, 'Too much (DAILY)'],
    [{ policyName: 'DAILY' }, 'DAILY'],
    [{ message: 'Too much', policyName: 'a b' }, 'Too much'],
    [{ message: 'Too much', policyName: '' }, 'Too much'],
    [{ policyName: ' DAILY' }, undefined],
    [{ policyName: 'DAILY ' }, undefined],
    [{ policyName: 'x'.repeat(101) }, undefined],
  ])('with 429 names the limit that it is about: %j', (body, detail) => {
    expect(refused(429, body).detail).toBe(detail)
  })

  it.each([undefined, null, 'text', [], { message: 5, context: 5, errors: 5 }])('with any body: %j', (body) => {
    expect(refused(400, body)).toMatchObject({ message: 'The CRM refused the lead: it answered 400.' })
  })
})

describe('a property that HubSpot does not have', () => {
  const refused = (body: unknown) => refusalOf(body, new Response(null, { status: 400 }))

  it.each([
    ['a message', { message: 'Property values were not valid: [{"message":"Property \\"shoe\\" does not exist"}]' }],
    ['a message that is escaped twice', { message: 'Property \\\\"shoe\\\\" does not exist' }],
    ['the message of an error', { errors: [{ message: 'Property "shoe" does not exist' }] }],
    ['a code', { errors: [{ code: 'PROPERTY_DOESNT_EXIST', context: { propertyName: ['shoe'] } }] }],
  ])('is found in %s, and the call is never repeated', (_, body) => {
    const expected = { retry: 'never', status: 400, cause: 'unknown_property', message: missing('shoe') }
    expect(refused(body)).toMatchObject(expected)
  })

  it('is named once, with all others', () => {
    const message = 'Property "shoe" does not exist, Property "hat" does not exist'
    const errors = [{ code: 'PROPERTY_DOESNT_EXIST', context: { propertyName: ['hat', 'coat'] } }]
    expect(refused({ message, errors }).message).toBe(missing('hat, coat, shoe'))
  })

  it.each([
    { errors: [{ code: 'INVALID_EMAIL', context: { propertyName: ['email'] } }] },
    { errors: [{ code: 'PROPERTY_DOESNT_EXIST' }] },
    { errors: [{ code: 'PROPERTY_DOESNT_EXIST', context: { propertyName: ['no name', 'x '.repeat(3), ' x', 'x '] } }] },
    { errors: [{ code: 'PROPERTY_DOESNT_EXIST', context: { propertyName: ['x'.repeat(101)] } }] },
    { message: 'Property "" does not exist' },
    { message: 'Property "shoe" is read only' },
  ])('is not what %j says', (body) => {
    expect(refused(body).message).toBe('The CRM refused the lead: it answered 400.')
  })
})

it.each([
  ['lasts two seconds where the contact is locked', 423, undefined, 2 * SECOND],
  ['lasts as long as HubSpot says where the contact is locked', 423, 7 * SECOND, 7 * SECOND],
  ['lasts for the window of the limit', 429, undefined, 10 * SECOND],
  ['lasts as long as HubSpot says at the limit', 429, 3 * SECOND, 3 * SECOND],
  ['is none after a fault of HubSpot', 503, 3 * SECOND, undefined],
  ['is none without an answer', undefined, undefined, undefined],
])('the pause of an account after a refusal %s', (_, status, retryAfter, pause) => {
  const refused = { cause: 'busy', status, retryAfter } as const
  expect(pauseAfter(new DeliveryError('Busy', { ...refused, retry: 'later' }))).toBe(pause)
  expect(pauseAfter(new DeliveryError('Busy', { ...refused, retry: 'never' }))).toBeUndefined()
})
