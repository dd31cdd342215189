import { isIP } from 'node:net'
import { z } from 'zod'

/** The password of the local demo. Production refuses to start with it. */
export const DEMO_PASSWORD = 'leadwell-demo'

const WELL_KNOWN_PASSWORDS = ['postgres', 'password', 'leadwell', 'changeme', 'secret', 'admin', DEMO_PASSWORD]
const LOOPBACK_HOSTS = ['127.0.0.1', '::1', 'localhost']

const optionalText = z
  .string()
  .trim()
  .optional()
  .transform((text) => text || undefined)
const url = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `must be an address like ${example}` })
const optional = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

/**
 * A Standard Webhooks secret: `whsec_` and the base64 of 24 to 64 bytes.
 * Source: Standard Webhooks 1.0.0, "Signature scheme".
 */
const WebhookSecret = z.string().refine(
  (secret) => {
    const bytes = Buffer.from(secret.replace(/^whsec_/, ''), 'base64').length
    return secret.startsWith('whsec_') && bytes >= 24 && bytes <= 64
  },
  { error: 'must be whsec_ followed by the base64 of 24 to 64 bytes' },
)

/** Every setting of every process; `.env.example` and the README list them from here. */
export const EnvSchema = z
  .object({
    NODE_ENV: z
      .enum(['development', 'test', 'production'])
      .default('development')
      .describe('production refuses default passwords and missing settings'),
    HOST: z.string().default('127.0.0.1').describe('address that the API listens on'),
    PORT: z.coerce.number().int().min(0).max(65_535).default(3000).describe('port that the API listens on'),
    MAIN_DOMAIN: z
      .string()
      .default('localhost')
      .describe('host name of the main site; every other host may be the microsite of a provider'),
    PUBLIC_URL: url(/^https?$/, 'https://www.example.com')
      .transform((text) => text.replace(/\/+$/, ''))
      .describe('address of the main site as visitors see it; links in e-mails start with it'),
    DATABASE_URL: url(/^postgres(ql)?$/, 'postgres://user:password@host:5432/leadwell').describe(
      'PostgreSQL 15 or newer, with the extensions cube, earthdistance and btree_gist',
    ),
    REDIS_URL: optional(url(/^rediss?$/, 'redis://host:6379')).describe(
      'Redis of the queue; without it BullMQ runs on PostgreSQL (development only)',
    ),
    SMTP_URL: url(/^smtps?$/, 'smtp://user:password@host:587').describe('mail server'),
    MAIL_FROM: z
      .string()
      .regex(/^[^\r\n]*[^\s@]+@[^\s@]+$|^[^\r\n]*<[^\s@]+@[^\s@]+>$/, 'must be an address like Name <name@example.com>')
      .describe('sender of every e-mail'),
    TEAM_EMAIL: z.email('must be one e-mail address').describe('who is told when no provider is found'),
    CRM_KIND: z.enum(['webhook', 'none']).default('none').describe('which CRM sender runs'),
    CRM_WEBHOOK_URL: optional(url(/^https?$/, 'https://crm.example.com/hooks/leads')).describe(
      'where the webhook sender posts',
    ),
    CRM_WEBHOOK_SECRET: optional(WebhookSecret).describe('its Standard Webhooks secret, whsec_…'),
    MATCH_RADIUS_MILES: z.coerce
      .number()
      .positive()
      .max(12_500)
      .default(100)
      .describe('how far, in miles, the nearest provider may be from the zip'),
    ADMIN_ACCESS: z
      .enum(['password', 'open'])
      .default('password')
      .describe('open: no password; for the local demo on a loopback address only'),
    ADMIN_PASSWORD: optionalText.describe('shared password of the staff'),
    TRUST_PROXY_HOPS: z.coerce
      .number()
      .int()
      .min(0)
      .max(10)
      .default(0)
      .describe('number of proxies in front of the API, each of which sets X-Forwarded-For'),
    LEAD_RATE_PER_MINUTE: z.coerce
      .number()
      .int()
      .min(1)
      .default(30)
      .describe('leads that one address may send in a minute'),
    LOG_LEVEL: z
      .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
      .default('info')
      .describe('least log level'),
  })
  .superRefine(
    (env, check) => {
      const problem = (path: keyof typeof env, message: string) =>
        check.addIssue({ code: 'custom', path: [path], message })

      if (env.CRM_KIND === 'webhook') {
        if (!env.CRM_WEBHOOK_URL) problem('CRM_WEBHOOK_URL', 'is required when CRM_KIND is webhook')
        if (URL.canParse(env.CRM_WEBHOOK_URL ?? '') && new URL(env.CRM_WEBHOOK_URL ?? '').username) {
          problem('CRM_WEBHOOK_URL', 'must not hold a user or a password: the signature says who we are')
        }
        if (!env.CRM_WEBHOOK_SECRET) problem('CRM_WEBHOOK_SECRET', 'is required when CRM_KIND is webhook')
      }
      if (env.ADMIN_ACCESS === 'open') {
        if (env.NODE_ENV === 'production') problem('ADMIN_ACCESS', 'must be password in production')
        if (!LOOPBACK_HOSTS.includes(env.HOST))
          problem('ADMIN_ACCESS', 'may be open only while HOST is a loopback address')
      }
      if (env.ADMIN_ACCESS === 'password' && !env.ADMIN_PASSWORD) problem('ADMIN_PASSWORD', 'is required')

      if (env.NODE_ENV !== 'production') return
      if (!env.REDIS_URL) problem('REDIS_URL', 'is required in production')
      if (env.ADMIN_PASSWORD) {
        if (env.ADMIN_PASSWORD.length < 12) problem('ADMIN_PASSWORD', 'must have 12 characters or more')
        if (WELL_KNOWN_PASSWORDS.includes(env.ADMIN_PASSWORD)) problem('ADMIN_PASSWORD', 'is a default password')
      }
      if (WELL_KNOWN_PASSWORDS.includes(passwordOf(env.DATABASE_URL))) problem('DATABASE_URL', 'has a default password')
      if (isIP(env.MAIN_DOMAIN)) problem('MAIN_DOMAIN', 'must be a host name')
    },
    // Also when a setting is wrong by itself: every problem is listed at once. Such a setting may be absent here.
    { when: () => true },
  )

export type Env = z.output<typeof EnvSchema>

/** A bad or missing setting; its message lists every problem, one a line, and never a value. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}

/**
 * Reads the settings once, at start-up.
 * @throws SettingsError that lists every problem at once.
 */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  // Compose files and shells hand over what is not set as an empty text.
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
  const read = EnvSchema.safeParse(given)
  if (read.success) return read.data

  const problems = read.error.issues.map(({ path, message }) => {
    const name = String(path[0])
    return `  ${name} ${given[name] === undefined && !message.startsWith('is required') ? 'is missing' : message}`
  })
  throw new SettingsError(`These settings must be mended before the start:\n${problems.join('\n')}`)
}

function passwordOf(address: string): string {
  const { password } = URL.canParse(address) ? new URL(address) : { password: '' }
  try {
    return decodeURIComponent(password)
  } catch {
    return password
  }
}
