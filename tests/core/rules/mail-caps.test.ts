import { describe, expect, it } from 'vitest'
import { holdBeyondCaps, type RecentForms, recipientOf } from '../../../core/rules/mail-caps.ts'

const UNLIMITED = { visitor: Infinity, address: Infinity, clinic: Infinity, all: Infinity }
const none = (): RecentForms => ({ visitors: new Map(), addresses: new Map(), clinics: new Map(), all: 0 })
const form = (email: string, providerId: number | null = null) => ({
  ...{ email, network: null, providerId, heldReason: null },
  repeatKey: `${email} ${providerId}`,
})

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

describe('holdBeyondCaps', () => {
  it('holds what goes beyond the cap of one mailbox, however the address is written, and of no other', () => {
    const emails = ['a@x.example', 'A+1@x.example', 'a+2@x.example', 'b@x.example']
    expect(
      holdBeyondCaps(
        emails.map((email) => form(email)),
        none(),
        { ...UNLIMITED, visitor: 2 },
      ),
    ).toEqual([null, null, 'many_to_visitor', null])
  })

  it.each([
    [{ hour: 1, day: 1 }, null],
    [{ hour: 2, day: 2 }, 'many_to_visitor'],
    [{ hour: 0, day: 3 }, null],
    [{ hour: 0, day: 4 }, 'many_to_visitor'],
  ])('counts the forms before it: %j', (counted, reason) => {
    const recent = { ...none(), visitors: new Map([['a@x.example', counted]]) }
    expect(holdBeyondCaps([form('a@x.example')], recent, { ...UNLIMITED, visitor: 2 })).toEqual([reason])
  })

  it('holds what is too much for one clinic; leads without a clinic are no clinic’s', () => {
    const forms = [form('a@x.example', 7), form('b@x.example', 7), form('c@x.example', 8), form('d@x.example')]
    const recent = { ...none(), clinics: new Map([[7, 1]]) }
    expect(holdBeyondCaps(forms, recent, { ...UNLIMITED, clinic: 2 })).toEqual([null, 'many_to_clinic', null, null])
  })

  it('holds what one network sends too much of, before it fills the cap of a clinic', () => {
    const forms = ['203.0.113.7', '203.0.113.7', '203.0.113.7', '203.0.113.8', null, null].map((network, index) => ({
      ...form(`visitor${index}@x.example`, 1),
      network,
    }))
    const recent = { ...none(), addresses: new Map([['203.0.113.7', 1]]) }
    expect(holdBeyondCaps(forms, recent, { ...UNLIMITED, address: 2, clinic: 3 })).toEqual([
      ...[null, 'many_from_address', 'many_from_address'],
      ...[null, null, 'many_to_clinic'],
    ])
  })

  it('holds what is too much in all', () => {
    const forms = ['a', 'b', 'c'].map((name) => form(`${name}@x.example`))
    expect(holdBeyondCaps(forms, { ...none(), all: 3 }, { ...UNLIMITED, all: 5 })).toEqual([null, null, 'many_in_all'])
  })

  it('keeps the reason that a form is held for already, and does not count it', () => {
    const held = { ...form('a@x.example', 7), heldReason: 'honeypot' as const }
    const caps = { visitor: 1, address: 1, clinic: 1, all: 1 }
    expect(holdBeyondCaps([held, form('a@x.example', 7)], none(), caps)).toEqual(['honeypot', null])
  })

  it('neither holds nor counts a repeat, of a form before it or of one that was delivered earlier', () => {
    const forms = ['a@x.example', 'a@x.example', 'a+1@x.example', 'a+2@x.example', 'a+3@x.example'].map((email) =>
      form(email),
    )
    const repeated = new Set([form('a+1@x.example').repeatKey])
    expect(holdBeyondCaps(forms, none(), { ...UNLIMITED, visitor: 2 }, repeated)).toEqual([
      ...[null, null, null, null],
      'many_to_visitor',
    ])
  })

  it('changes nothing that it was given', () => {
    const recent = none()
    holdBeyondCaps([form('a@x.example', 7)], recent, { visitor: 2, address: 2, clinic: 2, all: 2 })
    expect(recent).toEqual(none())
  })
})
