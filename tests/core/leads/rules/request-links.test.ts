import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY } from '../../../../core/contract/time.ts'
import {
  expiryOf,
  isOfMatch,
  LINK_DAYS,
  markOf,
  readRequestLink,
  signRequestLink,
} from '../../../../core/leads/rules/request-links.ts'

const key = Buffer.alloc(32, 1)
const NOW = Date.parse('2026-11-24T10:00:00Z')
const link = {
  of: 'clinic',
  leadId: 4182,
  providerId: 72,
  matchedAt: '2026-11-24T09:59:58.000Z',
  expiresOn: expiryOf('2026-11-24T10:00:00.000Z'),
} as const
const linkTo = (email?: string) => (email ? { ...link, recipient: markOf(key, email) } : link)

describe('the token of a link to a request', () => {
  it('gives back what was signed, for every lead, clinic and time', () => {
    const id = fc.integer({ min: 1, max: 2_147_483_647 })
    const seconds = fc.integer({ min: 1_700_000_000, max: 4_000_000_000 })
    fc.assert(
      fc.property(id, id, seconds, fc.constantFrom('clinic', 'visitor'), (leadId, providerId, second, of) => {
        const any = { ...link, of, leadId, providerId, matchedAt: new Date(second * 1000).toISOString() }
        expect(readRequestLink(key, signRequestLink(key, any), NOW)).toEqual(any)
      }),
    )
  })

  it('works for 60 days after the day of its email', () => {
    const token = signRequestLink(key, link)
    const lastMoment = (Math.floor(NOW / DAY) + LINK_DAYS + 1) * DAY - 1
    expect(readRequestLink(key, token, lastMoment)).toEqual(link)
    expect(readRequestLink(key, token, lastMoment + 1)).toBeNull()
  })

  it.each([
    ['', undefined],
    [' with a recipient', 'front@quill.example'],
  ])('is refused with any character changed, cut, padded, or signed with another key%s', (_, email) => {
    const token = signRequestLink(key, linkTo(email))
    expect(readRequestLink(key, token, NOW)).toStrictEqual(linkTo(email))
    expect(token).toMatch(/^[\w.-]+$/)
    const changed = [...token].map((char, at) => token.slice(0, at) + (char === '1' ? '2' : '1') + token.slice(at + 1))
    const other = ['', token.slice(0, -1), `${token}A`, `${token}=`, ` ${token}`, '../../etc/passwd', '%00']
    for (const forged of [...changed.filter((each) => each !== token), ...other]) {
      expect(readRequestLink(key, forged, NOW)).toBeNull()
    }
    expect(readRequestLink(Buffer.alloc(32, 2), token, NOW)).toBeNull()
  })

  it.each([
    ['', 'AAAAEFYAAABIawVgHlFp5YjG0OvkDeGCx3MmxDf87w', undefined],
    [' with a recipient', 'AAAAEFYAAABIawVgHlFpAH_N51Gy14M6giyGbQNnK-bNvEg', 'front@quill.example'],
  ])('works in the format of before November 28, 2026%s, and not with a bit changed', (_, token, email) => {
    expect(readRequestLink(key, token, NOW)).toStrictEqual(linkTo(email))
    const bytes = Buffer.from(token, 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const forged = Buffer.from(bytes)
      forged.writeUInt8(forged.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      expect(readRequestLink(key, forged.toString('base64url'), NOW)).toBeNull()
    }
    for (const other of [token.slice(0, -1), `${token}A`, `${token}=`, ` ${token}`]) {
      expect(readRequestLink(key, other, NOW)).toBeNull()
    }
  })

  it('has a mark of its recipient that is the same for all spellings, and no address', () => {
    const recipient = markOf(key, 'Front@Quill.example')
    expect(recipient).toBe(markOf(key, 'front@quill.example'))
    expect(recipient).not.toBe(markOf(key, 'desk@quill.example'))
    expect(recipient).not.toBe(markOf(Buffer.alloc(32, 2), 'front@quill.example'))
    expect(recipient).toMatch(/^[0-9a-f]{8}$/)
  })

  it('belongs to one match of its lead', () => {
    const lead = { provider_id: 72, matched_at: '2026-11-24T09:59:58.123Z' }
    expect(isOfMatch(link, lead)).toBe(true)
    expect(isOfMatch(link, { ...lead, provider_id: 73 })).toBe(false)
    expect(isOfMatch(link, { ...lead, matched_at: '2026-11-25T09:59:58.123Z' })).toBe(false)
    expect(isOfMatch(link, { provider_id: null, matched_at: null })).toBe(false)
  })
})
