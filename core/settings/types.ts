import { BlockList, isIP } from 'node:net'
import { z } from 'zod'
import { WeekHours } from '../providers/contract/provider-rules.ts'

/** An optional text. */
export const optionalText = z
  .string()
  .trim()
  .optional()
  .transform((text) => text || undefined)
/** A web address, or another one of these protocols. */
export const url = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `must be an address like ${example}` })
/** Makes a setting optional. An empty text counts as absent. */
export const optional = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

/**
 * Matches the name of a time zone. Offsets and abbreviations do not match, because they mean other times to PostgreSQL
 * than to JavaScript.
 */
const ZONE_NAME = /^(UTC|[A-Za-z_]+\/.+)$/

/** A number of things in an hour or a minute, or `unlimited`, which reads as `Infinity`. */
export const Rate = z
  .string()
  .regex(/^([1-9]\d{0,8}|unlimited)$/, 'must be a whole number of 1 or more, or unlimited')
  .transform((text) => (text === 'unlimited' ? Infinity : Number(text)))

/** Origins such as `https://partner.example`, separated by commas or spaces. */
export const Origins = z.string().transform((text, check): string[] => {
  const origins = text.split(/[\s,]+/).filter(Boolean)
  const isOrigin = (origin: string) =>
    /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin.replace(/\/$/, '')
  if (origins.every(isOrigin)) return origins.map((origin) => new URL(origin).origin)
  check.addIssue({ code: 'custom', message: 'must be origins like https://partner.example, separated by commas' })
  return z.NEVER
})

/** A number of days, at least `min`, or `unlimited`, which reads as `Infinity`. */
export const Days = (min: number) =>
  z
    .string()
    .refine((text) => text === 'unlimited' || (/^[1-9]\d{0,4}$/.test(text) && Number(text) >= min), {
      error: `must be a number of days from ${min} to 99999, or unlimited`,
    })
    .transform((text) => (text === 'unlimited' ? Infinity : Number(text)))

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const DAY_HOURS = /^(mon|tue|wed|thu|fri|sat|sun)(?:-(mon|tue|wed|thu|fri|sat|sun))? (\d\d:\d\d)-(\d\d:\d\d)$/i

/** Weekly hours such as `Mon-Fri 09:00-17:00, Sat 10:00-14:00`. A day may be named more than once. */
export const Hours = z.string().transform((text, check): WeekHours => {
  const hours: Record<string, string[][]> = {}
  for (const part of text.split(',')) {
    const [, first = '', last = first, from = '', until = ''] = DAY_HOURS.exec(part.trim()) ?? []
    for (let day = DAYS.indexOf(first.toLowerCase()); day <= DAYS.indexOf(last.toLowerCase()); day += 1) {
      hours[String(day + 1)] = [...(hours[String(day + 1)] ?? []), [from, until]]
    }
  }
  const parsed = WeekHours.safeParse(hours)
  const isComplete = text.split(',').every((part) => DAY_HOURS.test(part.trim()))
  if (isComplete && parsed.success && Object.keys(hours).length > 0) return parsed.data
  check.addIssue({ code: 'custom', message: 'must be hours like Mon-Fri 09:00-17:00, Sat 10:00-14:00' })
  return z.NEVER
})

/** A key as the base64 of 32 to 64 bytes. Reads as the bytes. */
export const DataKey = z
  .string()
  .refine(
    (text) => {
      const bytes = Buffer.from(text, 'base64')
      return bytes.length >= 32 && bytes.length <= 64 && bytes.toString('base64') === text
    },
    { error: 'must be the base64 of 32 to 64 random bytes: openssl rand -base64 32' },
  )
  .transform((text) => Buffer.from(text, 'base64'))

/** The IANA name of a time zone. */
export const TimeZone = z.string().refine(
  (name) => {
    try {
      return ZONE_NAME.test(name) && Boolean(new Intl.DateTimeFormat('en-US', { timeZone: name }))
    } catch {
      return false
    }
  },
  { error: 'must be an IANA time zone such as America/Chicago' },
)

/**
 * A Standard Webhooks secret: `whsec_` and the base64 of 24 to 64 bytes.
 * Source: Standard Webhooks 1.0.0, "Signature scheme".
 */
export const WebhookSecret = z.string().refine(
  (secret) => {
    const bytes = Buffer.from(secret.replace(/^whsec_/, ''), 'base64').length
    return secret.startsWith('whsec_') && bytes >= 24 && bytes <= 64
  },
  { error: 'must be whsec_ followed by the base64 of 24 to 64 bytes' },
)

/** The URL of another service, without a user or a password in it. */
export const WebAddress = (example: string) =>
  url(/^https?$/, example).refine((text) => !URL.canParse(text) || !new URL(text).username, {
    error: 'must not contain a user name or a password',
  })

/**
 * A URL that receives secrets or personal data: HTTPS, or HTTP to a private network address, as between the services of a
 * compose file. Kept verbatim, with a slash at the end if it has one.
 */
export const SecureEndpoint = (example: string) =>
  WebAddress(example).refine((text) => !isPlainWeb(text) || isInPrivateNetwork(text), {
    error: 'must begin with https: unless it is in a private network',
  })

/** The addresses of this machine (RFC 1122, RFC 4291) and of private networks (RFC 1918, RFC 4193). */
const PRIVATE = new BlockList()
PRIVATE.addSubnet('127.0.0.0', 8)
PRIVATE.addSubnet('10.0.0.0', 8)
PRIVATE.addSubnet('172.16.0.0', 12)
PRIVATE.addSubnet('192.168.0.0', 16)
PRIVATE.addAddress('::1', 'ipv6')
PRIVATE.addSubnet('fc00::', 7, 'ipv6')

/** Returns whether an address is HTTP without TLS. */
export const isPlainWeb = (address: string): boolean => URL.canParse(address) && new URL(address).protocol === 'http:'

/** Returns whether the host of an address is in a private network or is this machine; false where there is no host. */
export function isInPrivateNetwork(address: string): boolean {
  const host = hostOf(address)
  const version = isIP(host)
  // A name without a dot is valid in one network only.
  return version === 0 ? host !== '' && !host.includes('.') : PRIVATE.check(host, version === 4 ? 'ipv4' : 'ipv6')
}

/** Returns whether an address is that of this machine (RFC 6761, 6.3). */
export function isThisMachine(address: string): boolean {
  const host = hostOf(address)
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** Returns the host of an address, an IPv6 one without its brackets. Returns an empty text without one. */
const hostOf = (address: string): string =>
  URL.canParse(address) ? new URL(address).hostname.replace(/^\[(.*)\]$/, '$1') : ''

/** A port, or an address and a port, to listen on. */
export const Listening = z
  .string()
  .regex(/^(.+:)?\d{1,5}$/, 'must be a port, or an address and a port like 10.0.0.5:9464')
  .transform((text) => {
    const [, host = '127.0.0.1', port] = /^(?:(.+):)?(\d+)$/.exec(text) ?? []
    return { host, port: Number(port) }
  })
  .refine(({ port }) => port >= 1 && port <= 65_535, 'must end with a port from 1 to 65535')

/** A URL that other addresses begin with, without a slash at the end. */
export const SecureAddress = (example: string) => SecureEndpoint(example).transform((text) => text.replace(/\/+$/, ''))
