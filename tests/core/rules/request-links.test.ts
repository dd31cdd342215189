import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  expiryOf,
  isOfMatch,
  LINK_DAYS,
  markOf,
  readRequestLink,
  signRequestLink,
} from '../../../core/rules/request-links.ts'
import { DAY } from '../../../core/time.ts'

const key = Buffer.alloc(32, 1)
const NOW = Date.parse('2026-11-24T10:00:00Z')
const link = {
  of: 'clinic',
  leadId: 4182,
  providerId: 72,
  matchedAt: '2026-11-24T09:59:58.000Z',
  expiresOn: expiryOf('2026-11-24T10:00:00.000Z'),
} as const

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

  it('works for 60 days after the day of its e-mail', () => {
    const token = signRequestLink(key, link)
    const lastMoment = (Math.floor(NOW / DAY) + LINK_DAYS + 1) * DAY - 1
    expect(readRequestLink(key, token, lastMoment)).toEqual(link)
    expect(readRequestLink(key, token, lastMoment + 1)).toBeNull()
  })

  it.each([
    ['', link],
    [' with a recipient', { ...link, recipient: markOf(key, 'front@quill.example') }],
  ])('is refused with any bit changed, cut, padded, or signed with another key%s', (_, link) => {
    const token = signRequestLink(key, link)
    expect(readRequestLink(key, token, NOW)).toEqual(link)
    const bytes = Buffer.from(token, 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const forged = Buffer.from(bytes)
      forged.writeUInt8(forged.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      expect(readRequestLink(key, forged.toString('base64url'), NOW)).toBeNull()
    }
    for (const other of ['', token.slice(0, -1), `${token}A`, `${token}=`, ` ${token}`, '../../etc/passwd', '%00']) {
      expect(readRequestLink(key, other, NOW)).toBeNull()
    }
    expect(readRequestLink(Buffer.alloc(32, 2), token, NOW)).toBeNull()
  })

  it('has a mark of its recipient that is the same for all spellings, and no address', () => {
    const recipient = markOf(key, 'Front@Quill.example')
    expect(recipient).toBe(markOf(key, 'front@quill.example'))
    expect(recipient).not.toBe(markOf(key, 'desk@quill.example'))
    expect(recipient).not.toBe(markOf(Buffer.alloc(32, 2), 'front@quill.example'))
    expect(recipient).toMatch(/^[0-9a-f]{8}$/)
  })

  it('is not guessed', () => {
    const content = Buffer.from(signRequestLink(key, link), 'base64url').subarray(0, 15)
    let accepted = 0
    for (let guess = 0; guess < 20_000; guess += 1) {
      const token = Buffer.concat([content, randomBytes(16)]).toString('base64url')
      if (readRequestLink(key, token, NOW)) accepted += 1
    }
    expect(accepted).toBe(0)
  })

  it('belongs to one match of its lead', () => {
    const lead = { provider_id: 72, matched_at: '2026-11-24T09:59:58.123Z' }
    expect(isOfMatch(link, lead)).toBe(true)
    expect(isOfMatch(link, { ...lead, provider_id: 73 })).toBe(false)
    expect(isOfMatch(link, { ...lead, matched_at: '2026-11-25T09:59:58.123Z' })).toBe(false)
    expect(isOfMatch(link, { provider_id: null, matched_at: null })).toBe(false)
  })
})
