import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { DAY, SECOND } from '../../contract/time.ts'
import { signedLink } from '../../platform/data-key.ts'

/**
 * The content of a link to one request: that of its clinic (`/r/…`), or that of its visitor (`/called/…`, `/phone-number/…`). `matchedAt`
 * (ISO 8601) tells the matches of a lead apart: a link ends when the lead goes to another clinic, also if it comes back
 * later. `expiresOn` counts days since 1970, in UTC. `recipient` is the mark of the address to which the link was mailed
 * (`markOf`): the link ends when the clinic no longer uses that address, or when staff correct the visitor's. Links that
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

/** The life of a link in days, from the day of its email. */
export const LINK_DAYS = 60

/** Returns the last day of a link in an email of that time (ISO 8601), which is the same in every attempt to send it. */
export const expiryOf = (mailedAt: string) => Math.floor(Date.parse(mailedAt) / DAY) + LINK_DAYS

const AUDIENCES = ['clinic', 'visitor'] as const

const Digits = z.coerce.number<string>()

const requestLink = signedLink<RequestLink>({
  say: ({ of, leadId, providerId, matchedAt, expiresOn, recipient = '' }) => [
    ...[of, leadId, providerId, secondOf(matchedAt), expiresOn, recipient],
  ],
  schema: z
    .tuple([z.enum(AUDIENCES), Digits, Digits, Digits, Digits, z.string()])
    .transform(([of, leadId, providerId, second, expiresOn, recipient]) => ({
      ...{ of, leadId, providerId, matchedAt: timeOf(second), expiresOn },
      ...(recipient && { recipient }),
    })),
})

/** Signs the token of a link. @param key of the purpose `request-link` (`deriveKey`) */
export const signRequestLink = requestLink.sign

type Matched = { id: number; provider_id: number | null; matched_at: string | null }

/**
 * Signs the token of the link that one address gets to a request: it opens this request alone, so that it may be forwarded.
 * Returns null for a lead without a clinic. `mailedAt` is ISO 8601.
 */
export function tokenFor(
  key: Buffer,
  { id: leadId, provider_id: providerId, matched_at: matchedAt }: Matched,
  { of, mailedAt, to }: { of: RequestLink['of']; mailedAt: string; to: string },
): string | null {
  if (providerId === null || matchedAt === null) return null
  const link = { of, leadId, providerId, matchedAt, expiresOn: expiryOf(mailedAt) }
  return signRequestLink(key, { ...link, recipient: markOf(key, to) })
}

/** Returns the content of a token. Returns null unless its signature is ours and it has not expired. */
export function readRequestLink(key: Buffer, token: string, now = Date.now()): RequestLink | null {
  const link = verifyRequestLink(key, token)
  return link && !hasExpired(link, now) ? link : null
}

/** Returns the content of a token, also of an expired one. Returns null unless its signature is ours. */
export const verifyRequestLink = (key: Buffer, token: string): RequestLink | null =>
  token.includes('.') ? requestLink.read(key, token) : readBytes(key, token)

/** In bytes: audience, lead, provider, second of the match, day of expiry; the mark of the recipient; the signature. */
const [CONTENT, RECIPIENT, MAC] = [15, 4, 16]

/** Reads the tokens that were mailed before November 28, 2026. The last of them ends on January 27, 2027; remove this then. */
function readBytes(key: Buffer, token: string): RequestLink | null {
  const bytes = Buffer.from(/^[\w-]+$/.test(token) ? token : '', 'base64url')
  const hasRecipient = bytes.length === CONTENT + RECIPIENT + MAC
  if (!hasRecipient && bytes.length !== CONTENT + MAC) return null
  const content = bytes.subarray(0, -MAC)
  const of = AUDIENCES[content.readUInt8(0)]
  if (of === undefined || !timingSafeEqual(bytes.subarray(-MAC), macOf(key, content).subarray(0, MAC))) return null
  return {
    of,
    leadId: content.readUInt32BE(1),
    providerId: content.readUInt32BE(5),
    expiresOn: content.readUInt16BE(13),
    matchedAt: timeOf(content.readUInt32BE(9)),
    ...(hasRecipient && { recipient: content.toString('hex', CONTENT) }),
  }
}

/** Returns the mark of an address in a link: a keyed hash in hex, from which the address cannot be found. */
export function markOf(key: Buffer, email: string): string {
  return macOf(key, `recipient ${email.toLowerCase()}`).toString('hex', 0, RECIPIENT)
}

export const hasExpired = ({ expiresOn }: RequestLink, now = Date.now()) => now >= (expiresOn + 1) * DAY

export function isOfMatch(
  { providerId, matchedAt }: Pick<RequestLink, 'providerId' | 'matchedAt'>,
  lead: { provider_id: number | null; matched_at: string | null },
): boolean {
  return (
    lead.provider_id === providerId && lead.matched_at !== null && secondOf(lead.matched_at) === secondOf(matchedAt)
  )
}

const secondOf = (time: string) => Math.floor(Date.parse(time) / SECOND)
const timeOf = (second: number) => new Date(second * SECOND).toISOString()
const macOf = (key: Buffer, content: Buffer | string) => createHmac('sha256', key).update(content).digest()
