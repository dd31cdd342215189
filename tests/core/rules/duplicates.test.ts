import { describe, expect, it } from 'vitest'
import { personKey, requestHash } from '../../../core/rules/duplicates.ts'
import { leadForm } from '../../support/factories.ts'

const person = { email: 'jordan@visitors.example', phone: '(512) 555-0100', zip_code: '78702' }
const key = (overrides: Partial<typeof person> = {}) => personKey({ ...person, ...overrides })

describe('personKey', () => {
  it('is a UUID', () => {
    expect(key()).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  })

  it('ignores the case of the e-mail', () => {
    expect(key({ email: 'Jordan@VISITORS.example' })).toBe(key())
  })

  it.each(['512-555-0100', '512.555.0100', '5125550100', ' 512 555 0100 '])('reads %j as the same phone', (phone) => {
    expect(key({ phone })).toBe(key())
  })

  it.each([
    ['e-mail', { email: 'jordan2@visitors.example' }],
    ['phone', { phone: '(512) 555-0101' }],
    ['zip', { zip_code: '78703' }],
  ])('differs with the %s', (_, other) => {
    expect(key(other)).not.toBe(key())
  })

  it('tells phones without digits apart', () => {
    expect(key({ phone: 'call the office' })).not.toBe(key({ phone: 'ask for Jo' }))
  })

  it('is not confused by where one value ends and the next begins', () => {
    expect(key({ phone: '5125550', zip_code: '10078702' })).not.toBe(key({ phone: '512555010', zip_code: '078702' }))
  })
})

describe('requestHash', () => {
  const form = leadForm()

  it('is the same for the same form', () => {
    expect(requestHash(form, 5)).toBe(requestHash({ ...form }, 5))
  })

  it.each(['first_name', 'last_name', 'email', 'phone', 'zip_code', 'acceptance_message'] as const)(
    'differs with %s',
    (field) => {
      expect(requestHash({ ...form, [field]: `${form[field]}x` }, undefined)).not.toBe(requestHash(form, undefined))
    },
  )

  it('differs with the provider that was chosen', () => {
    expect(requestHash(form, 5)).not.toBe(requestHash(form, 6))
    expect(requestHash(form, 5)).not.toBe(requestHash(form, undefined))
  })

  it('ignores how the visitor came to the site', () => {
    expect(requestHash({ ...form, attribution: { first: { utm_source: 'radio' } } }, 5)).toBe(requestHash(form, 5))
  })
})
