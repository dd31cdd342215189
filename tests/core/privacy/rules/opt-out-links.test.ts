import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type OptOutLink, optOutLink, personHashes } from '../../../../core/privacy/rules/opt-outs.ts'

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
