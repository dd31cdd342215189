import { describe, expect, it } from 'vitest'
import { IdempotencyKey } from '../../../../core/contract/forms.ts'
import {
  applicationHash,
  decideRepeat,
  type EarlierRequest,
  holdOf,
  nationalDigits,
  phoneDigits,
  practiceKey,
  repeatKey,
  requestHash,
  storedKey,
} from '../../../../core/leads/rules/duplicates.ts'
import { applicationForm, leadForm } from '../../../support/factories.ts'

const person = leadForm({ email: 'jordan@visitors.example', phone: '(512) 555-0100', zip_code: '78702' })
const key = (overrides: Partial<typeof person> = {}, held = {}) =>
  repeatKey({ ...person, ...overrides }, undefined, held)

describe('repeatKey', () => {
  it('ignores the case of the email', () => {
    expect(key({ email: 'Jordan@VISITORS.example' })).toBe(key())
  })

  it.each(['512-555-0100', '512.555.0100', '5125550100', ' 512 555 0100 '])('reads %j as the same phone', (phone) => {
    expect(key({ phone })).toBe(key())
  })

  it.each([
    ['email', { email: 'jordan2@visitors.example' }],
    ['phone', { phone: '(512) 555-0101' }],
    ['zip', { zip_code: '78703' }],
    ['name', { last_name: 'Other' }],
    ['consent', { consent_version: 'finder-2026-11-28' }],
    ['wording', { acceptance_message: 'I agree.' }],
  ])('differs with the %s', (_, other) => {
    expect(key(other)).not.toBe(key())
  })

  it('differs with the provider that was chosen', () => {
    expect(repeatKey(person, 5)).not.toBe(key())
  })

  it('distinguishes phones without digits', () => {
    expect(key({ phone: 'call the office' })).not.toBe(key({ phone: 'ask for Jo' }))
  })

  it('is not confused by where one value ends and the next begins', () => {
    expect(key({ phone: '5125550', zip_code: '10078702' })).not.toBe(key({ phone: '512555010', zip_code: '078702' }))
  })
})

describe('of a held form', () => {
  const held = { held: true }

  it('the person has another key, as stable as the first', () => {
    expect(key({}, held)).not.toBe(key())
    expect(key({ email: 'JORDAN@visitors.example' }, held)).toBe(key({}, held))
    expect(key({ zip_code: '78703' }, held)).not.toBe(key({}, held))
  })

  it('the idempotency key is one that no header can bring', () => {
    expect(storedKey('k-1')).toBe('k-1')
    expect(storedKey('k-1', held)).not.toBe('k-1')
    expect(storedKey('k-1', held)).not.toBe(storedKey('k-2', held))
    expect(IdempotencyKey.safeParse(storedKey('k-1', held)).success).toBe(false)
    expect(storedKey(undefined, held)).toBeUndefined()
  })

  it('the idempotency key reveals to nobody a wish not to be contacted', () => {
    expect(storedKey('k-1', { held: 'wish' })).toBe('k-1')
  })
})

it.each([
  [null, false],
  ['honeypot', true],
  ['do_not_contact', 'wish'],
] as const)('a form with the reason %s is held: %s', (reason, held) => expect(holdOf(reason)).toBe(held))

describe('requestHash', () => {
  const form = leadForm()

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

  it('ignores how the form was filled in', () => {
    expect(requestHash({ ...form, topic: 'x', elapsed_ms: 5, touched: false }, 5)).toBe(requestHash(form, 5))
  })

  it('ignores how the visitor came to the site', () => {
    expect(requestHash({ ...form, attribution: { first: { utm_source: 'radio' } } }, 5)).toBe(requestHash(form, 5))
  })
})

describe('of an application', () => {
  const practice = applicationForm({ email: 'ines@clinics.example', practice_name: 'Calloway Clinic' })

  it('the practice is the same, whatever the case and the spaces', () => {
    expect(practiceKey({ ...practice, email: 'INES@clinics.example', practice_name: 'calloway  CLINIC' })).toBe(
      practiceKey(practice),
    )
  })

  it.each([
    ['email', { email: 'ines2@clinics.example' }],
    ['practice', { practice_name: 'Calloway Clinic 2' }],
    ['message', { message: 'Another' }],
  ])('the practice differs with the %s', (_, other) => {
    expect(practiceKey({ ...practice, ...other })).not.toBe(practiceKey(practice))
  })

  it('the practice has another key while it is held', () => {
    expect(practiceKey(practice, { held: true })).not.toBe(practiceKey(practice))
  })

  it.each(['name', 'practice_name', 'email', 'phone', 'zip_code', 'website', 'message', 'acceptance_message'] as const)(
    'the form differs with %s',
    (field) => {
      const form = applicationForm()
      expect(applicationHash({ ...form, [field]: `${form[field]}x` })).not.toBe(applicationHash(form))
      expect(applicationHash({ ...form, topic: 'x', elapsed_ms: 5, touched: false })).toBe(applicationHash(form))
    },
  )
})

describe('what the database keeps of a form', () => {
  const applicant = { email: 'INES@clinics.example', practice_name: 'Calloway  Clinic' }

  // A stored hash must be found again by every later version.
  it('has the same hash in every version', () => {
    const acceptance = { acceptance_consent: true as const, acceptance_message: 'I agree.' }
    const lead = {
      first_name: 'Jordan',
      last_name: 'Avery',
      email: 'Jordan@visitors.example',
      phone: '(512) 555-0100',
      zip_code: '78702',
      ...acceptance,
    }
    const application = {
      name: 'Ines Calloway',
      phone: '(512) 555-0199',
      zip_code: '78701',
      ...applicant,
      ...acceptance,
    }
    expect(requestHash(lead, 5)).toBe('6bf8e3684865c1c4e3d6514d2bd28cc5210b9532fe798ce60ad0bab749b8a40a')
    expect(requestHash(lead, undefined)).toBe('e20cb9cbad6deed9dad9eb40a0f7ecdcdb44fd50a6e394b77fc871f0c481f854')
    expect(repeatKey(lead, 5)).toBe('8cfe5aba-b72c-ff7c-c63d-123611ab9e91')
    expect(repeatKey(lead, undefined, { held: 'wish' })).toBe('23018232-0749-ce7f-4601-7d7ff23821e4')
    expect(practiceKey(application, { held: true })).toBe('ccdd8e44-e9d8-9b3c-2245-02f773f623f6')
    expect(applicationHash(application)).toBe('bc388e4956497205e5d9f1b7ad330d4542ba761f60cfb38b254982f0dd262c12')
  })
})

const earlier = (id: number, parts: Partial<EarlierRequest> = {}): EarlierRequest => ({
  ...{ id, providerId: 1, isDeclined: false, isSameEmail: true },
  ...parts,
})

describe('the next request of a person', () => {
  it('goes to the clinic of the newest one', () => {
    expect(decideRepeat([earlier(9, { providerId: 2 }), earlier(8)])).toEqual({
      repeatOf: 9,
      again: { providerId: 2, leadId: 9 },
      except: [],
    })
  })

  it('is a first one without any', () => {
    expect(decideRepeat([])).toEqual({ repeatOf: null, again: null, except: [] })
  })

  it.each([
    ['when no clinic got the earlier one in time', { providerId: null }],
    ['when only the phone is the same', { isSameEmail: false }],
  ])('is matched like a first one %s, and still names it', (_, parts) => {
    expect(decideRepeat([earlier(9, parts)])).toEqual({ repeatOf: 9, again: null, except: [] })
  })

  it('goes to no clinic that has declined one, whatever it had before', () => {
    const before = [earlier(9, { isDeclined: true }), earlier(8), earlier(7, { providerId: 2 })]
    expect(decideRepeat(before)).toEqual({ repeatOf: 7, again: { providerId: 2, leadId: 7 }, except: [1] })
    expect(decideRepeat(before.slice(0, 2))).toEqual({ repeatOf: 9, again: null, except: [1] })
  })
})

it.each([
  ['(512) 555-0142', ['5125550142']],
  ['+1 512 555 0142', ['5125550142']],
  ['512-555-0142 ext. 12', ['5125550142', '512555014212']],
  ['001 512 555 0142', ['5125550142', '0015125550142']],
  ['512 555 0142 / 512 555 0199', ['5125550142', '5125550199', '51255501425125550199']],
  ['+44 20 7946 0958', ['442079460958']],
  ['555-0142', ['5550142']],
  ['call me', []],
  ['[512] 555-0142 ext. 5', ['51255501425', '5125550142']],
  [`${'.'.repeat(250)}[512] 555-0142 ext. 5`, ['51255501425']],
])(
  'the digits of a phone field %j has %j: each number, and all digits, which earlier versions compared',
  (phone, digits) => {
    expect(phoneDigits(phone)).toEqual(digits)
    expect(nationalDigits(phone)).toBe(digits[0] ?? '')
  },
)
