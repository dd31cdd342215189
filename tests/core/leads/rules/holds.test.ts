import { describe, expect, it } from 'vitest'
import { NewLead } from '../../../../core/contract/forms.ts'
import {
  exceededCap,
  heldReason,
  looksLikeName,
  mailCaps,
  recipientOf,
  spaced,
} from '../../../../core/leads/rules/holds.ts'
import { leadForm } from '../../../support/factories.ts'

it.each([
  ['the invisible field is filled in', { topic: 'https://spam.example' }, 'honeypot'],
  ['… however slowly and by whatever hand', { topic: 'x', elapsed_ms: 60_000, touched: true }, 'honeypot'],
  ['it was sent at once, and nobody touched the page', { elapsed_ms: 0, touched: false }, 'too_fast'],
  ['… or just under two seconds', { topic: '', elapsed_ms: 1999, touched: false }, 'too_fast'],
] as const)('a form is held when %s', (_, signals, reason) => expect(heldReason(signals)).toBe(reason))

describe('a form is not held', () => {
  it.each([
    ['without any signals, as from an API client', {}],
    ['when the invisible field is empty', { topic: '' }],
    ['when the invisible field is blank', { topic: ' \t\n' }],
    ['when a password manager filled it in and a person clicked', { elapsed_ms: 300, touched: true }],
    ['when nothing was touched, but time went by', { elapsed_ms: 2000, touched: false }],
    ['when only the time is known', { elapsed_ms: 5 }],
    ['when only the touching is known', { touched: false }],
  ])('%s', (_, signals) => expect(heldReason(signals)).toBeNull())

  it('by its origin, unless it comes from the page of another site', () => {
    expect(heldReason({}, [], { isFromAnotherSite: true })).toBe('other_site')
    expect(heldReason({}, [], {})).toBeNull()
  })

  it.each([
    { topic: 5 },
    { topic: ['x'] },
    { topic: null },
    { elapsed_ms: -1, touched: false },
    { elapsed_ms: '5', touched: false },
    { elapsed_ms: null, touched: false },
    { elapsed_ms: 5, touched: 'false' },
    { elapsed_ms: 5, touched: 0 },
  ])('when the signals are nonsense, for which no form is refused either (%j)', (signals) => {
    expect(heldReason(NewLead.parse({ ...leadForm(), ...signals }))).toBeNull()
  })
})

describe('a name', () => {
  it('has no phone number in two halves', () => {
    expect(heldReason({}, ['Call 900 555', '0100 now'])).toBe('odd_name')
    expect(heldReason({}, ['Jordan 2', 'Clinic 360'])).toBeNull()
    expect(heldReason({}, ['Clinic 123', 'Jordan 456'])).toBeNull()
  })

  it('has 60 characters and six digits at most', () => {
    expect([looksLikeName('x'.repeat(60)), looksLikeName('x'.repeat(61))]).toEqual([true, false])
    expect([looksLikeName('Clinic 123456'), looksLikeName('Clinic 1234567')]).toEqual([true, false])
  })

  it.each([
    ['St.John', 'St. John'],
    ['Dr.Ma.Theresa', 'Dr.Ma.Theresa'],
    ['Dr.Jo', 'Dr.Jo'],
    ['East.John', 'East.John'],
    ['1St.John', '1St.John'],
    ['St.Com', 'St.Com'],
    ['St.John.example', 'St.John.example'],
    ['St.John5', 'St.John5'],
  ])('has a space after an abbreviation before a name: %s becomes %s', (name, shown) =>
    expect(spaced(name)).toBe(shown),
  )

  it.each([
    'Jordan',
    "O'Brien",
    'St. James',
    'J.R. Smith-Jones',
    'María Guadalupe de la Cruz',
    '李小龙',
    'Dr. A. Z. Quill, M.D.',
    'Clinic 360',
    'Chas. Edward',
    'J.R.R.',
    'J.-P. Sartre',
    'Kaʻiulani',
    'O’Brien',
    'María-José',
    'Gal·la',
    'ジョン・スミス',
    'محمد عبد الله',
    'علی\u200cرضا',
    'שרה',
    'Jordan 🙂',
    'Jordan 👩🏽‍⚕️',
    'Chas.Edward',
    'St.John',
    'Ma.Theresa',
    'OB/GYN & Men’s Health #2 (Austin)',
    'Smith, Jones + Partners, P.C.',
  ])('may be %s', (name) => {
    expect(looksLikeName(name)).toBe(true)
    expect(heldReason({}, ['Jordan', name])).toBeNull()
  })

  it.each([
    'claim it at https://evil.example/win',
    'www.evil.example',
    'evil.example',
    'Evil.COM',
    'is.gd/w1n',
    't.co/AbC',
    'x.gd',
    'ab.io',
    'приз.рф',
    'evil。com',
    'evil．com',
    'evil․com',
    'ｅｖｉｌ．ｃｏｍ',
    'evil.\u200bcom',
    'evil.\u202ccom',
    'evil.\ufe0fcom',
    'evil.\u034fcom',
    'evil.\u0301com',
    'evil.\u{e0100}com',
    'Ｓｔ.Ｃｌｏｕｄ',
    'St．Cloud',
    'St\u200b.Cloud',
    '❾⓿⓿❺❺❺⓿❶⓿⓿',
    'e.vil.com',
    'evil.a.com',
    '1.1.1.1',
    'St.Com',
    'St.John.example',
    'Dr.Who/win',
    'J.evil',
    'https:evil',
    'me＠evil',
    '٩٠٠٥٥٥٠١٠٠',
    'me@evil.example',
    'or call (900) 555-0100',
    'you won a prize, and to get it you only have to call us right now',
  ])('is held where it is a message: %s', (name) => {
    expect(looksLikeName(name)).toBe(false)
    expect(heldReason({}, ['Jordan', name])).toBe('odd_name')
  })
})

const UNLIMITED = { visitor: Infinity, address: Infinity, clinic: Infinity, all: Infinity }
const NONE = { visitor: { hour: 0, day: 0 }, address: 0, clinic: 0, all: 0 }

it.each([
  ['Visitor@Visitors.example', 'visitor@visitors.example'],
  ['visitor+1@visitors.example', 'visitor@visitors.example'],
  ['visitor+a+b@visitors.example', 'visitor@visitors.example'],
  ['visitor@plus+sign.example', 'visitor@plus+sign.example'],
  ['First.Last@gmail.com', 'firstlast@gmail.com'],
  ['f.i.r.s.t.last+clinic.1@GoogleMail.com', 'firstlast@gmail.com'],
  ['first.last@visitors.example', 'first.last@visitors.example'],
  ['first.last@gmail.com.example', 'first.last@gmail.com.example'],
  ['first.last@mygmail.com', 'first.last@mygmail.com'],
])('recipientOf takes %s for the mailbox %s', (email, mailbox) => expect(recipientOf(email)).toBe(mailbox))

it('the caps are those of the settings', () => {
  const env = { VISITOR_LEADS_PER_HOUR: 1, ADDRESS_LEADS_PER_HOUR: 2, CLINIC_LEADS_PER_HOUR: 3, LEADS_PER_HOUR: 4 }
  expect(mailCaps(env)).toEqual({ visitor: 1, address: 2, clinic: 3, all: 4 })
})

describe('the cap that a form exceeds', () => {
  it.each([
    [{ hour: 1, day: 1 }, null],
    [{ hour: 2, day: 2 }, 'many_to_visitor'],
    [{ hour: 0, day: 3 }, null],
    [{ hour: 0, day: 4 }, 'many_to_visitor'],
  ])('is that of its mailbox, within an hour and a day: %j', (visitor, reason) =>
    expect(exceededCap({ ...NONE, visitor }, { ...UNLIMITED, visitor: 2 })).toBe(reason),
  )

  it.each([
    ['address', 'many_from_address'],
    ['clinic', 'many_to_clinic'],
    ['all', 'many_in_all'],
  ] as const)('is that of %s', (cap, reason) => {
    expect(exceededCap({ ...NONE, [cap]: 2 }, { ...UNLIMITED, [cap]: 2 })).toBe(reason)
    expect(exceededCap({ ...NONE, [cap]: 1 }, { ...UNLIMITED, [cap]: 2 })).toBeNull()
  })

  it('is first that of the mailbox, then of the network, then of the clinic', () => {
    const full = { visitor: { hour: 2, day: 2 }, address: 2, clinic: 2, all: 2 }
    const caps = { visitor: 2, address: 2, clinic: 2, all: 2 }
    expect(exceededCap(full, caps)).toBe('many_to_visitor')
    expect(exceededCap({ ...full, visitor: NONE.visitor }, caps)).toBe('many_from_address')
    expect(exceededCap({ ...full, visitor: NONE.visitor, address: 0 }, caps)).toBe('many_to_clinic')
  })
})
