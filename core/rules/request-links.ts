import { createHmac, timingSafeEqual } from 'node:crypto'
import { DAY, SECOND } from '../time.ts'

/**
 * The content of a link to one request: that of its clinic (`/r/…`), or that of its visitor (`/called/…`, `/phone-number/…`). `matchedAt`
 * (ISO 8601) tells the matches of a lead apart: a link ends when the lead goes to another clinic, also if it comes back
 * later. `expiresOn` counts days since 1970, in UTC. `recipient` is the mark of the address to which the link was mailed
 * (`markOf`): the link ends when the clinic does not use that address any more, or when staff correct the visitor's. Links that
 * were mailed before there were marks have none.
 */
export type RequestLink = {
  of: 'clinic' | 'visitor'
  leadId: number
  providerId: number
  matchedAt: string
  expiresOn: number
  recipient?: string
}

/** The life of a link in days, from the day of its e-mail. */
export const LINK_DAYS = 60

/** Returns the last day of a link in an e-mail of that time (ISO 8601), which is the same in every attempt to send it. */
export const expiryOf = (mailedAt: string) => Math.floor(Date.parse(mailedAt) / DAY) + LINK_DAYS

/** `clinic` and `visitor` as the first byte. */
const AUDIENCES = ['clinic', 'visitor'] as const
/** In bytes: audience, lead, provider, second of the match, day of expiry. */
const CONTENT = 1 + 4 + 4 + 4 + 2
/** In bytes. The mark only tells the few addresses of a clinic apart; the signature protects it. */
const RECIPIENT = 4
/** In bytes. 128 bits cannot be guessed. Source: RFC 2104, section 5, allows truncation to half of the hash. */
const MAC = 16
const TOKEN = /^[\w-]+$/

/**
 * Signs the token of a link: 31 bytes, or 35 with a recipient, as base64url. It holds no name and no address.
 * @param key of the purpose `request-link` (`deriveKey`)
 */
export function signRequestLink(key: Buffer, link: RequestLink): string {
  const { of, leadId, providerId, matchedAt, expiresOn, recipient = '' } = link
  const content = Buffer.concat([Buffer.alloc(CONTENT), Buffer.from(recipient, 'hex')])
  content.writeUInt8(AUDIENCES.indexOf(of), 0)
  content.writeUInt32BE(leadId, 1)
  content.writeUInt32BE(providerId, 5)
  content.writeUInt32BE(secondOf(matchedAt), 9)
  content.writeUInt16BE(expiresOn, 13)
  return Buffer.concat([content, macOf(key, content)]).toString('base64url')
}

/** Returns the content of a token. Returns null unless its signature is ours and it has not expired. */
export function readRequestLink(key: Buffer, token: string, now = Date.now()): RequestLink | null {
  const link = verifyRequestLink(key, token)
  return link && !hasExpired(link, now) ? link : null
}

/**
 * Returns the content of a token, also of an expired one. Returns null unless its signature is ours. A token of any shape
 * costs the same work, so that the time of an answer tells nothing about a guess.
 */
export function verifyRequestLink(key: Buffer, token: string): RequestLink | null {
  const given = TOKEN.test(token) ? Buffer.from(token, 'base64url') : Buffer.alloc(0)
  const hasRecipient = given.length === CONTENT + RECIPIENT + MAC
  const bytes = hasRecipient || given.length === CONTENT + MAC ? given : Buffer.alloc(CONTENT + MAC)
  const content = bytes.subarray(0, -MAC)
  if (!timingSafeEqual(bytes.subarray(-MAC), macOf(key, content))) return null

  const of = AUDIENCES[content.readUInt8(0)]
  if (of === undefined) return null
  return {
    ...{
      of,
      leadId: content.readUInt32BE(1),
      providerId: content.readUInt32BE(5),
      expiresOn: content.readUInt16BE(13),
    },
    matchedAt: new Date(content.readUInt32BE(9) * SECOND).toISOString(),
    ...(hasRecipient && { recipient: content.toString('hex', CONTENT) }),
  }
}

/** Returns the mark of an address in a link: a keyed hash in hex, from which the address cannot be found. */
export function markOf(key: Buffer, email: string): string {
  return macOf(key, Buffer.from(`recipient ${email.toLowerCase()}`)).toString('hex', 0, RECIPIENT)
}

export const hasExpired = ({ expiresOn }: RequestLink, now = Date.now()) => now >= (expiresOn + 1) * DAY

/** Returns whether the lead is still matched as it was when the link was sent. */
export function isOfMatch(
  { providerId, matchedAt }: RequestLink,
  lead: { provider_id: number | null; matched_at: string | null },
): boolean {
  return (
    lead.provider_id === providerId && lead.matched_at !== null && secondOf(lead.matched_at) === secondOf(matchedAt)
  )
}

const secondOf = (time: string) => Math.floor(Date.parse(time) / SECOND)
const macOf = (key: Buffer, content: Buffer) => createHmac('sha256', key).update(content).digest().subarray(0, MAC)
