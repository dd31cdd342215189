import { describe, expect, it } from 'vitest'
import { exceededCap, mailCaps, recipientOf } from '../../../../core/deliveries/rules/mail-caps.ts'

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
