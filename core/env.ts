import { z } from 'zod'
import { emailAddress } from './contract/forms.ts'
import {
  DataKey,
  Days,
  type Given,
  Hours,
  Listening,
  Mailbox,
  Origins,
  optional,
  optionalText,
  Rate,
  readSettings,
  refuseRemoved,
  SecureEndpoint,
  SettingsError,
  TimeZone,
  url,
  WebhookSecret,
  withoutEmpty,
} from './settings/read-settings.ts'
import { checkTogether, WORDPRESS_SETTINGS } from './settings/rules.ts'

/** The time zone of most of the market. */
export const DEFAULT_TIME_ZONE = 'America/New_York'

const { WORDPRESS_URL, WORDPRESS_SYNC_CRON, ...WORDPRESS_OF_WORKER } = WORDPRESS_SETTINGS

/*
 * Every setting of every process, except a CRM's, which are in its sender (`worker/senders/crm.ts`). `npm run generate`
 * writes `docs/settings.md`, `.env.example` and the compose file from both. `meta` holds the example, and `secret` for a
 * value that containers get as a file.
 */

/** The settings of API and worker. */
const SHARED = {
  NODE_ENV: z
    .enum(['development', 'test', 'production'])
    .default('development')
    .describe('production rejects default passwords, missing settings, and URLs without TLS')
    .meta({ example: 'production' }),
  MAIN_DOMAIN: z
    .string()
    .default('localhost')
    .describe('host name of the main site; any other host may be a provider’s microsite')
    .meta({ example: 'www.example.com' }),
  PUBLIC_URL: url(/^https?$/, 'https://www.example.com')
    .transform((text) => text.replace(/\/+$/, ''))
    .describe('public URL of the main site; links in emails start with it')
    .meta({ example: 'https://www.example.com' }),
  NETWORK_TIME_ZONE: TimeZone.default(DEFAULT_TIME_ZONE)
    .describe('time zone of all dates in lists, charts, exports, emails and schedules')
    .meta({ example: 'America/Chicago' }),
  DATABASE_URL: url(/^postgres(ql)?$/, 'postgres://user:password@host:5432/leadwell')
    .describe('PostgreSQL 15 or newer, with the extensions cube, earthdistance and btree_gist')
    .meta({ example: 'postgres://leadwell:<password>@localhost:5432/leadwell', secret: true }),
  DATA_KEY: DataKey.describe(
    'secret (openssl rand -base64 32) that signs consents, hashes persons and encrypts second factors; keep a copy apart from the backups of the database',
  ).meta({ example: '<the base64 of 32 random bytes>', secret: true }),
  REDIS_URL: optional(url(/^rediss?$/, 'redis://host:6379'))
    .describe('Redis for the queue; without it BullMQ runs on PostgreSQL (development only)')
    .meta({ example: 'redis://localhost:6379', secret: true }),
  CRM_KIND: z
    .string()
    .default('none')
    .describe('CRM sender: `webhook`, `hubspot` or `none`; its settings are at the end'),
  WORDPRESS_URL,
  WORDPRESS_SYNC_CRON,
  MATCH_RADIUS_MILES: z.coerce
    .number()
    .positive()
    .max(12_500)
    .default(100)
    .describe('maximum distance between zip and nearest provider, in miles'),
  LEAD_RETENTION_DAYS: Days(30)
    .prefault('730')
    .describe(
      'days until permanent deletion: of a lead, after its last delivery; of an application, after it was sent; or unlimited',
    ),
  CONSENT_RETENTION_DAYS: Days(1461)
    .prefault('1826')
    .describe(
      'days until the evidence of a consent and the hashes of erased data are deleted: at least four years and LEAD_RETENTION_DAYS, or unlimited',
    ),
  FORM_ORIGINS: Origins.prefault('')
    .describe(
      'origins of other sites, separated by commas, that may send lead forms, or unlimited; forms from any other site are held for staff',
    )
    .meta({ example: 'https://partner.example' }),
  VISITOR_LEADS_PER_HOUR: Rate.prefault('3').describe(
    'forms per hour with the same email address (twice as many per day), or unlimited; more are held for staff',
  ),
  ADDRESS_LEADS_PER_HOUR: Rate.prefault('5').describe(
    'leads and applications per hour from one IP address or IPv6 /48, or unlimited; more are held for staff; raise it for a partner whose server sends leads',
  ),
  CLINIC_LEADS_PER_HOUR: Rate.prefault('30').describe(
    'leads per hour for one clinic, or unlimited; more are held for staff',
  ),
  LEADS_PER_HOUR: Rate.prefault('1000').describe('leads delivered per hour, or unlimited; more are held for staff'),
  ALERT_PRIVATE_HOSTS: z
    .string()
    .default('')
    .transform((text) => text.split(/[\s,]+/).filter(Boolean))
    .describe(
      'private hosts to which alerts may be posted, also without TLS, separated by commas; all others must be public and use https',
    )
    .meta({ example: 'mattermost.internal' }),
  METRICS_PORT: optional(Listening)
    .describe(
      'port for GET /metrics, on 127.0.0.1 or a private address (10.0.0.5:9464); without it there are no metrics',
    )
    .meta({ example: '9464' }),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info').describe('lowest log level'),
}

/** The settings of the API. It is public, so it has no secret of mail, CRM and WordPress. */
const OF_API = {
  HOST: z.string().default('127.0.0.1').describe('address that the API listens on'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000).describe('port that the API listens on'),
  CRM_INBOUND_SECRET: optional(WebhookSecret)
    .describe(
      'Standard Webhooks secret, whsec_…, with which the CRM signs outcomes for /api/hooks/crm; without it that path returns 404',
    )
    .meta({ secret: true }),
  ADMIN_ACCESS: z
    .enum(['password', 'open'])
    .default('password')
    .describe('open: no password; for the local demo on a loopback address only'),
  ADMIN_PASSWORD: optionalText
    .describe('shared staff password; leave it out, or turn it off in the dashboard, once managers have accounts')
    .meta({ secret: true }),
  STAFF_IDLE_MINUTES: z.coerce
    .number()
    .int()
    .min(5)
    .max(720)
    .default(30)
    .describe('minutes of inactivity until sign-out'),
  REQUIRE_SECOND_FACTOR: z
    .enum(['none', 'managers', 'all'])
    .default('none')
    .describe('accounts that must have two-step sign-in (none, managers or all); not possible with ADMIN_PASSWORD'),
  OIDC_ISSUER: optional(SecureEndpoint('https://accounts.google.com'))
    .describe('OpenID provider for staff sign-in; its three settings go together')
    .meta({ example: 'https://accounts.google.com' }),
  OIDC_CLIENT_ID: optionalText.describe('client ID of Leadwell at the OpenID provider').meta({ example: 'leadwell' }),
  OIDC_CLIENT_SECRET: optionalText.describe('client secret of Leadwell at the OpenID provider').meta({ secret: true }),
  OIDC_EMAILS: z
    .enum(['verified', 'all'])
    .default('verified')
    .describe(
      'email addresses from the OpenID provider that find an account: verified, or all, for a trusted provider that does not mark verified ones',
    ),
  TRUST_PROXY_HOPS: optional(z.coerce.number().int().min(0).max(10))
    .describe('number of proxies in front of the API that set X-Forwarded-For; required in production')
    .meta({ example: '1' }),
  LEAD_RATE_PER_MINUTE: Rate.prefault('30').describe(
    'leads and applications per minute from one IP address (eight times as many from an IPv6 /48), or unlimited',
  ),
  REQUEST_RATE_PER_MINUTE: Rate.prefault('1200').describe(
    'pages and calls per minute from one IP address (eight times as many from an IPv6 /48), or unlimited',
  ),
  AD_MEASUREMENT: z
    .enum(['off', 'on'])
    .default('off')
    .describe(
      'on: a clinic’s site with a Google Ads or Microsoft Advertising id asks visitors for consent to report their form; off: nothing is reported',
    ),
  OFFER_DEADLINE: optional(z.iso.datetime({ offset: true, error: 'must be a time like 2027-01-31T23:59:59-05:00' }))
    .describe('real end of the special offer to clinics; without it each visit counts down from 15 days')
    .meta({ example: '2027-01-31T23:59:59-05:00' }),
  MAP_TILE_URL: z
    .string()
    .regex(/^https?:\/\/\S+\{z\}\S+( .+)?$/, 'must be a URL with {z}, {x} and {y}, then a space and the attribution')
    .default('https://tile.openstreetmap.org/{z}/{x}/{y}.png © OpenStreetMap contributors')
    .transform((text) => {
      const [url = '', ...attribution] = text.split(' ')
      return { url, attribution: attribution.join(' ') }
    })
    .describe(
      'URL of the map tiles, which the API fetches, so that the tile server sees no visitor, then a space and the attribution; {z}, {x}, {y}, {s} and {r} are replaced',
    ),
}

const OF_WORKER = {
  SMTP_URL: url(/^smtps?$/, 'smtp://user:password@host:587')
    .describe('mail server with its user and password; unencrypted connections are used only in private networks')
    .meta({ example: 'smtps://<user>:<password>@mail.example.com:465', secret: true }),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*[^\s@]+@[^\s@]+$|^[^\r\n]*<[^\s@]+@[^\s@]+>$/, 'must be an address like Name <name@example.com>')
    .describe('sender of every email')
    .meta({ example: 'Example Clinics <care@example.com>' }),
  TEAM_EMAIL: emailAddress('must be one email address')
    .describe('address of the team, for alerts, reports and unmatched leads')
    .meta({ example: 'team@example.com' }),
  INBOX_URL: optional(Mailbox)
    .describe(
      'mailbox (IMAP) to which visitors and clinics reply: an answer or STOP in the first line is acted on, everything else is forwarded to TEAM_EMAIL. Its user is the address, or add ?address=',
    )
    .meta({ example: 'imaps://replies%40example.com:<password>@imap.example.com/INBOX', secret: true }),
  ...WORDPRESS_OF_WORKER,
  CLINIC_HOURS: Hours.prefault('Mon-Fri 09:00-17:00')
    .describe('default opening hours of a clinic, in its own time zone')
    .meta({ example: 'Mon-Fri 09:00-17:00, Sat 10:00-14:00' }),
  ANSWER_HOURS: z.coerce
    .number()
    .int()
    .min(1)
    .max(200)
    .default(8)
    .describe('opening hours that a clinic has to answer a lead before the answer is late'),
  PASS_ON: z
    .enum(['offer', 'auto'])
    .default('offer')
    .describe(
      'auto: a lead whose answer is late by half of ANSWER_HOURS goes to the next nearest clinic; offer: staff decide',
    ),
  VISITOR_QUESTION: z
    .enum(['on', 'off'])
    .default('on')
    .describe('on: two business days after a match, an email asks the visitor once whether the clinic called'),
}

/** The settings of `npm run migrate` alone. */
const OF_MIGRATION = {
  DATABASE_OWNER_URL: optional(url(/^postgres(ql)?$/, 'postgres://user:password@host:5432/leadwell'))
    .describe('the same database with the role that owns its tables, only for `npm run migrate`; default: DATABASE_URL')
    .meta({ example: 'postgres://leadwell_owner:password@localhost:5432/leadwell' }),
}

/** Checks settings against each other, although single ones are invalid, so that every problem is listed at once. */
const checked = <Settings extends z.ZodObject>(settings: Settings) =>
  settings.superRefine((env, check) => checkTogether(env, check, settings.shape), { when: () => true })
export const EnvSchema = checked(z.object({ ...SHARED, ...OF_API, ...OF_WORKER, ...OF_MIGRATION }))
export const ApiSchema = checked(z.object({ ...SHARED, ...OF_API }))
export const WorkerSchema = checked(z.object({ ...SHARED, ...OF_WORKER }))

/** All settings as text, for the CRM senders, which parse their own. */
type WithGiven = { given: Given }
export type Env = z.output<typeof EnvSchema> & WithGiven
export type ApiEnv = z.output<typeof ApiSchema>
export type WorkerEnv = z.output<typeof WorkerSchema> & WithGiven

/** Reads the settings of every process, once, at start-up. @throws SettingsError that lists every problem */
export function readEnv(source: Given = process.env): Env {
  const given = withoutEmpty(source)
  return { ...readSettings(EnvSchema, given), given }
}

/** Reads the settings of the API, as `readEnv` does. */
export function readApiEnv(source: Given = process.env): ApiEnv {
  refuseRemoved(withoutEmpty(source), { isWorker: false })
  return readSettings(ApiSchema, withoutEmpty(source))
}

/** Reads the settings of the worker, as `readEnv` does. */
export function readWorkerEnv(source: Given = process.env): WorkerEnv {
  const given = withoutEmpty(source)
  refuseRemoved(given, { isWorker: true })
  return { ...readSettings(WorkerSchema, given), given }
}

const { NODE_ENV, DATABASE_URL, MAIN_DOMAIN, MATCH_RADIUS_MILES, NETWORK_TIME_ZONE } = SHARED
const SyncSchema = checked(z.object({ DATABASE_URL, MAIN_DOMAIN, MATCH_RADIUS_MILES, ...WORDPRESS_SETTINGS }))

/** The settings of the provider sync: of a run, and of `npm run sync:preview`. */
export type SyncEnv = z.output<typeof SyncSchema>

/** Reads the settings of the provider sync. @throws SettingsError that lists every problem */
export function readSyncEnv(source: Given = process.env): SyncEnv {
  return readSettings(SyncSchema, withoutEmpty(source))
}

const MigrateSchema = z.object({ NODE_ENV, DATABASE_URL, ...OF_MIGRATION, NETWORK_TIME_ZONE })

/** Reads the settings of `npm run migrate`. @throws SettingsError that lists every problem */
export function readMigrateEnv(source: Given = process.env): z.output<typeof MigrateSchema> {
  return readSettings(MigrateSchema, withoutEmpty(source))
}

/** Reads the address of the database, for commands that need nothing else. @throws SettingsError */
export function readDatabaseUrl(source: Given = process.env): string {
  try {
    return readSetting('DATABASE_URL', source)
  } catch (error) {
    if (source.DATABASE_URL_FILE) throw error
    throw new SettingsError('Set DATABASE_URL to the database: postgres://user:password@host/leadwell')
  }
}

/** Reads one setting, for commands that need no others. @throws SettingsError */
export function readSetting<Name extends keyof typeof EnvSchema.shape>(name: Name, source: Given = process.env) {
  const schema = z.object({ [name]: EnvSchema.shape[name] })
  return readSettings(schema, withoutEmpty(source))[name] as z.output<(typeof EnvSchema.shape)[Name]>
}

/** Reads the data key where one is given, for commands that only compare it with the database's. @throws SettingsError */
export function readGivenDataKey(source: Given = process.env): Buffer | undefined {
  const { DATA_KEY, DATA_KEY_FILE } = withoutEmpty(source)
  return DATA_KEY === undefined && DATA_KEY_FILE === undefined ? undefined : readSetting('DATA_KEY', source)
}
