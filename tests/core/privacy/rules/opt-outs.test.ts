import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { deriveKey, keyedHash } from '../../../../core/platform/data-key.ts'
import { type OptOutLink, optOutDeadline, optOutLink, personHashes } from '../../../../core/privacy/rules/opt-outs.ts'

const KEY = Buffer.alloc(32, 1)
const both = personHashes(KEY, { email: 'ada@example.com', phone: '(512) 555-0100' })
const hashes = both.slice(0, 1)
const LINKS: OptOutLink[] = [
  { of: 'person', leadId: 12, hashes },
  { of: 'person', leadId: null, hashes },
  { of: 'clinic', optOutId: 7 },
]

describe('the token of a link', () => {
  it.each(LINKS)('says what was signed: %j', (link) => {
    const token = optOutLink.sign(KEY, link)
    expect(token).toMatch(/^[\w.-]+$/)
    expect(optOutLink.read(KEY, token)).toEqual(link)
  })

  it('proves the mailbox alone: a phone number is not signed, and that of an older token is ignored', () => {
    const link = { of: 'person', leadId: 12, hashes } as const
    expect(optOutLink.read(KEY, optOutLink.sign(KEY, { ...link, hashes: both }))).toEqual(link)

    const packed = both.map(({ kind, hash }) => kind[0] + Buffer.from(hash, 'hex').toString('base64url'))
    const sign = (said: string) => `${said}.${createHmac('sha256', KEY).update(said).digest('base64url')}`
    expect(optOutLink.read(KEY, sign(`person.12.${packed.join('.')}`))).toEqual(link)
    expect(optOutLink.read(KEY, sign(`person.12.${packed[1]}`))).toBeNull()
  })

  it.each(LINKS)('is refused with any other character, or signed with another key: %j', (link) => {
    const token = optOutLink.sign(KEY, link)
    const others = [...token].map(
      (char, index) => token.slice(0, index) + (char === 'A' ? 'B' : 'A') + token.slice(index + 1),
    )
    for (const other of [...others, token.slice(0, -1), `${token}A`, optOutLink.sign(Buffer.alloc(32, 2), link)]) {
      expect(optOutLink.read(KEY, other)).toBeNull()
    }
  })

  it.each(['', '.', 'person.1', 'clinic.7.', '💥.💥'])('is refused without a signature: %j', (token) => {
    expect(optOutLink.read(KEY, token)).toBeNull()
  })
})

const PERSON_KEY = deriveKey(Buffer.alloc(32, 1), 'person-hash')
const hashOf = (contact: { email?: string; phone?: string }) =>
  personHashes(PERSON_KEY, contact).map(({ hash }) => hash)

describe('personHashes', () => {
  it('knows an email and a phone however they are typed', () => {
    expect(hashOf({ email: ' Ada@Example.com ', phone: '+1 (512) 555-0100' })).toEqual(
      hashOf({ email: 'ada@example.com', phone: '5125550100' }),
    )
  })

  it('distinguishes other people, kinds and keys', () => {
    const known = hashOf({ email: 'ada@example.com', phone: '5125550100' })
    expect(known).not.toContain(hashOf({ email: 'bob@example.com' })[0])
    expect(known).not.toContain(hashOf({ phone: '5125550101' })[0])
    expect(hashOf({ email: '5125550100' })).not.toEqual(hashOf({ phone: '5125550100' }))
    expect(personHashes(Buffer.alloc(32, 2), { email: 'ada@example.com' })[0]?.hash).not.toBe(known[0])
  })

  it('knows a mailbox by each of its spellings, and by the address that earlier versions hashed', () => {
    const [typed, mailbox] = hashOf({ email: 'A.Da+x@googlemail.com' })
    expect(hashOf({ email: 'ada@gmail.com' })).toEqual([mailbox])
    expect(hashOf({ email: 'ad.a@gmail.com' })[1]).toBe(mailbox)
    expect(keyedHash(PERSON_KEY, 'email a.da+x@googlemail.com')).toBe(typed)
  })

  it('leaves out what is missing, and a phone that different people type', () => {
    expect(personHashes(PERSON_KEY, { email: 'ada@example.com', phone: 'call me' }).map(({ kind }) => kind)).toEqual([
      'email',
    ])
    expect(personHashes(PERSON_KEY, { phone: '123456' })).toEqual([])
    expect(personHashes(PERSON_KEY, { phone: '1234567' }).map(({ kind }) => kind)).toEqual(['phone'])
    expect(personHashes(PERSON_KEY, {})).toEqual([])
  })
})

const EASTERN = 'America/New_York'

it.each([
  ['on a Monday: the Monday after next', '2026-11-09T15:00:00.000Z', '2026-11-23T15:00:00.000Z'],
  ['on a Friday', '2026-11-13T15:00:00.000Z', '2026-11-27T15:00:00.000Z'],
  ['on a Saturday: Monday is the first of ten', '2026-11-14T15:00:00.000Z', '2026-11-27T15:00:00.000Z'],
  ['late on a Friday that is Saturday in UTC', '2026-11-14T03:00:00.000Z', '2026-11-28T03:00:00.000Z'],
  ['across the end of summer time, at the same time of day', '2026-10-26T13:00:00.000Z', '2026-11-09T14:00:00.000Z'],
])('a clinic has ten business days %s', (_, asked, due) => {
  expect(optOutDeadline(new Date(asked), EASTERN).toISOString()).toBe(due)
})
