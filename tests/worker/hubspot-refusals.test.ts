import { describe, expect, it } from 'vitest'
import type { FailureCause } from '../../core/contract/jobs.ts'
import { DAY, SECOND } from '../../core/time.ts'
import { DeliveryError } from '../../worker/delivery-error.ts'
import { isAboutOneContact, refusalOf } from '../../worker/senders/hubspot-answers.ts'
import { leadEvent } from '../support/crm-events.ts'

const [ONE, TWO] = [leadEvent(1), leadEvent(2)]
const NOT_YET = 'HubSpot could not accept this contact yet.'

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

  it.each([
    [400, 'never', 'The CRM refused the lead'],
    [404, 'never', 'The CRM refused the lead'],
    [413, 'never', 'The CRM refused the lead'],
    [423, 'later', 'The CRM could not accept the lead yet'],
    [425, 'later', 'The CRM could not accept the lead yet'],
    [429, 'later', 'The CRM could not accept the lead yet'],
    [477, 'later', 'The CRM could not accept the lead yet'],
    [503, 'later', 'The CRM could not accept the lead yet'],
    [500, 'later', 'The CRM could not accept the lead yet'],
  ])('with %i: again %s', (status, retry, words) => {
    expect(refused(status, { message: 'Why' })).toMatchObject({
      retry,
      status,
      summary: `${words}: it answered ${status}.`,
      detail: 'Why',
    })
  })

  it('with a time to wait: not before', () => {
    expect(refused(429, {}, { headers: { 'retry-after': '7' } }).retryAfter).toBe(7 * SECOND)
    expect(refused(477, {}, { headers: { 'retry-after': '86400' } }).retryAfter).toBe(DAY)
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

describe('an error', () => {
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
