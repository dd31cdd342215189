import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { z } from 'zod'
import { isEmailAddress } from '../contract/forms.ts'
import { WeekHours } from '../providers/contract/provider-rules.ts'

export type Given = Record<string, string | undefined>

/** Bad or missing settings. The message lists every problem on a line of its own, and never a value. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}

/** Removes empty settings, because compose files and shells pass an unset one as an empty text. */
export function withoutEmpty(source: Given): Given {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
}

/**
 * Reads the settings of a schema. `NAME_FILE` may name a file that holds `NAME`, as containers get secrets. An empty file
 * counts as none.
 * @throws SettingsError that lists every problem
 */
export function readSettings<Schema extends z.ZodObject>(schema: Schema, given: Given): z.output<Schema> {
  const { values, problems } = withFiles(Object.keys(schema.shape), given)
  const read = schema.safeParse(values)
  if (read.success && problems.size === 0) return read.data

  for (const { path, message } of read.error?.issues ?? []) {
    const name = String(path[0])
    const isMissing = values[name] === undefined && !message.startsWith('is required')
    // A setting whose file is unreadable is reported once, not as missing too.
    if (!problems.has(`${name}_FILE`)) problems.set(name, isMissing ? 'is missing' : message)
  }
  throw settingsError([...problems].map(([name, message]) => `${name} ${message}`))
}

/** Copies the content of each `NAME_FILE` to `NAME`. */
function withFiles(names: string[], given: Given): { values: Given; problems: Map<string, string> } {
  const values = { ...given }
  const problems = new Map<string, string>()
  for (const name of names) {
    const fileName = `${name}_FILE`
    const file = given[fileName]
    if (file === undefined) continue
    try {
      const content = readFileSync(file, 'utf8').trim()
      if (content && given[name] !== undefined) problems.set(name, `must not be set together with ${fileName}`)
      else if (content) values[name] = content
    } catch (error) {
      problems.set(fileName, `names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`)
    }
  }
  return { values, problems }
}

export function settingsError(problems: string[]): SettingsError {
  return new SettingsError(`Fix these settings, then start again:\n${problems.map((line) => `  ${line}`).join('\n')}`)
}

/** Settings of earlier releases, and what is so instead. */
const REMOVED: Record<string, string> = {
  APPLICATION_RETENTION_DAYS: 'LEAD_RETENTION_DAYS is for applications, too',
  CONSENT_DETAILS_DAYS: 'the evidence of a consent loses its IP address after 365 days',
  DELETED_LEAD_DAYS: 'deleted leads can be restored for 30 days',
  HUBSPOT_API_VERSION: 'HubSpot is called by version 3 of its API',
  MAP_TILE_ATTRIBUTION: 'put it into MAP_TILE_URL, after a space',
  MATCH_WAITING_DAYS: 'leads of the last 30 days are matched with a new provider',
  METRICS_HOST: 'put it into METRICS_PORT, like 10.0.0.5:9464',
  NO_ROOM: 'the team and the visitor learn at once when no provider has room',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'there are no traces; the log has requestId and jobId',
  SMTP_CA_FILE: 'set NODE_EXTRA_CA_CERTS to that file',
  SMTP_REQUIRE_TLS: 'outside of private networks, mail always goes over encrypted connections',
  WEEKLY_REPORT: 'the report is sent each Monday',
  WORDPRESS_CONCURRENCY: 'four pages are requested at the same time',
  WORDPRESS_PAGE_SIZE: 'a page has 100 posts',
  WORKER_HEALTH_FILE: 'the file is /tmp/leadwell-worker in production',
}
/** Those that a worker cannot do without. */
const MOVED: Record<string, string> = {
  CRM_WEBHOOK_SECRET_OLD: 'put it into CRM_WEBHOOK_SECRET, after a space',
  SMTP_PASSWORD: 'put the password into SMTP_URL',
}

/** Says which given settings are no longer read. @throws SettingsError where a worker would miss one */
export function refuseRemoved(given: Given, { isWorker }: { isWorker: boolean }): void {
  const isGiven = ([name]: [string, string]) => given[name] !== undefined || given[`${name}_FILE`] !== undefined
  for (const [name, instead] of Object.entries(REMOVED).filter(isGiven)) {
    console.warn(`${name} is no longer read: ${instead}. Remove it.`)
  }
  const missed = Object.entries(MOVED).filter(isGiven)
  if (isWorker && missed.length > 0) {
    throw settingsError(missed.map(([name, instead]) => `${name} is no longer read: ${instead}`))
  }
}

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
const WebAddress = (example: string) =>
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

/** A mailbox, as the URL of its folder and the email address that leads there. */
export const Mailbox = url(/^imaps?$/, 'imaps://user:password@host/INBOX').transform((text, check) => {
  const { username, password, searchParams } = new URL(text)
  const address = searchParams.get('address') ?? decodeURIComponent(username)
  if (username && password && isEmailAddress(address)) return { url: text, address }
  check.addIssue({
    code: 'custom',
    message: 'must have a user, a password and an email address: the user, or ?address=',
  })
  return z.NEVER
})

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
