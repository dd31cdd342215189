import { z } from 'zod'
import { emailAddress } from './contract/email-address.ts'
import { type Given, readSettings, refuseRemoved, SettingsError, withoutEmpty } from './settings/read-settings.ts'
import { checkTogether } from './settings/rules.ts'
import {
  DataKey,
  Days,
  Hours,
  Listening,
  Origins,
  optional,
  optionalText,
  Rate,
  SecureEndpoint,
  TimeZone,
  url,
  WebhookSecret,
} from './settings/types.ts'
import { WORDPRESS_SETTINGS, wordpressProblems } from './settings/wordpress.ts'

/** The time zone of most of the market. */
export const DEFAULT_TIME_ZONE = 'America/New_York'

/**
 * Every setting of every process. Only those of a CRM stand with its sender (`worker/senders/crm.ts`), which the worker
 * reads. `npm run generate` writes `docs/settings.md`, `.env.example` and the compose file from both. `meta` holds the
 * example, and `secret` for a value that containers get as a file.
 */
export const EnvSchema = z
  .object({
    NODE_ENV: z
      .enum(['development', 'test', 'production'])
      .default('development')
      .describe('production refuses default passwords, missing settings, and addresses without TLS')
      .meta({ example: 'production' }),
    HOST: z.string().default('127.0.0.1').describe('address that the API listens on'),
    PORT: z.coerce.number().int().min(0).max(65_535).default(3000).describe('port that the API listens on'),
    MAIN_DOMAIN: z
      .string()
      .default('localhost')
      .describe('host name of the main site; every other host may be the microsite of a provider')
      .meta({ example: 'www.example.com' }),
    PUBLIC_URL: url(/^https?$/, 'https://www.example.com')
      .transform((text) => text.replace(/\/+$/, ''))
      .describe('address of the main site as visitors see it; links in e-mails start with it')
      .meta({ example: 'https://www.example.com' }),
    NETWORK_TIME_ZONE: TimeZone.default(DEFAULT_TIME_ZONE)
      .describe(
        'time zone of the network: whose days lists, charts and exports count in, and the times of e-mails and schedules are in',
      )
      .meta({ example: 'America/Chicago' }),
    DATABASE_URL: url(/^postgres(ql)?$/, 'postgres://user:password@host:5432/leadwell')
      .describe('PostgreSQL 15 or newer, with the extensions cube, earthdistance and btree_gist')
      .meta({ example: 'postgres://leadwell:<password>@localhost:5432/leadwell', secret: true }),
    DATABASE_OWNER_URL: optional(url(/^postgres(ql)?$/, 'postgres://user:password@host:5432/leadwell'))
      .describe(
        'the same database as the role that owns its tables, for `npm run migrate` alone; without it DATABASE_URL is that role',
      )
      .meta({ example: 'postgres://leadwell_owner:password@localhost:5432/leadwell' }),
    DATA_KEY: DataKey.describe(
      'secret (openssl rand -base64 32) that signs consents, hashes persons and encrypts second factors; never in the database: keep a copy apart from its backups',
    ).meta({ example: '<the base64 of 32 random bytes>', secret: true }),
    REDIS_URL: optional(url(/^rediss?$/, 'redis://host:6379'))
      .describe('Redis of the queue; without it BullMQ runs on PostgreSQL (development only)')
      .meta({ example: 'redis://localhost:6379', secret: true }),
    SMTP_URL: url(/^smtps?$/, 'smtp://user:password@host:587')
      .describe('mail server with its user and password; outside of private networks nothing is sent to it unencrypted')
      .meta({ example: 'smtps://<user>:<password>@mail.example.com:465', secret: true }),
    MAIL_FROM: z
      .string()
      .regex(/^[^\r\n]*[^\s@]+@[^\s@]+$|^[^\r\n]*<[^\s@]+@[^\s@]+>$/, 'must be an address like Name <name@example.com>')
      .describe('sender of every e-mail')
      .meta({ example: 'Example Clinics <care@example.com>' }),
    TEAM_EMAIL: emailAddress('must be one e-mail address')
      .describe('who is told when no provider is found')
      .meta({ example: 'team@example.com' }),
    CRM_KIND: z
      .string()
      .default('none')
      .describe('which CRM sender runs: `webhook`, `hubspot` or `none`; its settings are at the end'),
    CRM_INBOUND_SECRET: optional(WebhookSecret)
      .describe(
        'Standard Webhooks secret, whsec_…, with which the CRM signs the outcomes that it posts to /api/hooks/crm; without it that address answers 404',
      )
      .meta({ secret: true }),
    ...WORDPRESS_SETTINGS,
    MATCH_RADIUS_MILES: z.coerce
      .number()
      .positive()
      .max(12_500)
      .default(100)
      .describe('how far, in miles, the nearest provider may be from the zip'),
    CLINIC_HOURS: Hours.prefault('Mon-Fri 09:00-17:00')
      .describe('opening hours of a clinic that has stated none, in its own time zone')
      .meta({ example: 'Mon-Fri 09:00-17:00, Sat 10:00-14:00' }),
    ANSWER_HOURS: z.coerce
      .number()
      .int()
      .min(1)
      .max(200)
      .default(8)
      .describe('opening hours that a clinic has to say what became of a lead, before the answer is late'),
    PASS_ON: z
      .enum(['offer', 'auto'])
      .default('offer')
      .describe(
        'auto: a lead whose answer is late by half of that time goes to the next nearest clinic by itself; offer: staff decide',
      ),
    VISITOR_QUESTION: z
      .enum(['on', 'off'])
      .default('on')
      .describe('on: two business days after a match, the visitor is asked once by e-mail whether the clinic called'),
    NO_ROOM: z
      .enum(['team', 'wait'])
      .default('team')
      .describe(
        'what happens to a lead whose clinics in reach are all paused or full: team (the team looks for a clinic, and the visitor is told) or wait (it waits until one has room, for 30 days at most)',
      ),
    LEAD_RETENTION_DAYS: Days(30)
      .prefault('730')
      .describe(
        'days after its last delivery when a lead, and after its arrival when a clinic’s application, is deleted for good, or unlimited',
      ),
    CONSENT_RETENTION_DAYS: Days(1461)
      .prefault('1826')
      .describe(
        'days after which the evidence of a consent, and the hashes of what was erased, are deleted: four years at least, not less than leads and applications, or unlimited',
      ),
    ADMIN_ACCESS: z
      .enum(['password', 'open'])
      .default('password')
      .describe('open: no password; for the local demo on a loopback address only'),
    ADMIN_PASSWORD: optionalText
      .describe(
        'shared password of the staff; leave it out, or switch it off in the dashboard, once managers have accounts',
      )
      .meta({ secret: true }),
    STAFF_IDLE_MINUTES: z.coerce
      .number()
      .int()
      .min(5)
      .max(720)
      .default(30)
      .describe('minutes without activity after which a person is signed out'),
    REQUIRE_SECOND_FACTOR: z
      .enum(['none', 'managers', 'all'])
      .default('none')
      .describe(
        'accounts that must have two-step sign-in (none, managers or all), which leaves no room for a shared ADMIN_PASSWORD',
      ),
    OIDC_ISSUER: optional(SecureEndpoint('https://accounts.google.com'))
      .describe('OpenID provider with which staff may sign in; its three settings go together')
      .meta({ example: 'https://accounts.google.com' }),
    OIDC_CLIENT_ID: optionalText.describe('the client ID that it gave to Leadwell').meta({ example: 'leadwell' }),
    OIDC_CLIENT_SECRET: optionalText.describe('the secret of that client').meta({ secret: true }),
    OIDC_EMAILS: z
      .enum(['verified', 'all'])
      .default('verified')
      .describe(
        'which e-mail addresses of the provider find an account: those that it says are verified, or all, for a provider of your own that says nothing',
      ),
    TRUST_PROXY_HOPS: optional(z.coerce.number().int().min(0).max(10))
      .describe('number of proxies in front of the API, each of which sets X-Forwarded-For; required in production')
      .meta({ example: '1' }),
    LEAD_RATE_PER_MINUTE: Rate.prefault('30').describe(
      'leads and clinic applications that one IP address may send per minute, and an IPv6 /48 eight times as many, or unlimited',
    ),
    REQUEST_RATE_PER_MINUTE: Rate.prefault('1200').describe(
      'pages and calls that one IP address may ask for per minute, and an IPv6 /48 eight times as many, or unlimited',
    ),
    FORM_ORIGINS: Origins.prefault('')
      .describe(
        'origins of other sites, separated by commas, whose pages may send lead forms; forms of any other site are held for staff, or unlimited',
      )
      .meta({ example: 'https://partner.example' }),
    VISITOR_LEADS_PER_HOUR: Rate.prefault('3').describe(
      'forms that may name one e-mail address within an hour, and twice as many within a day; further ones are held for staff, or unlimited',
    ),
    ADDRESS_LEADS_PER_HOUR: Rate.prefault('5').describe(
      'leads and clinic applications that one IP address, or one IPv6 /48, may send within an hour; further ones are held for staff; more for a partner whose server sends leads',
    ),
    CLINIC_LEADS_PER_HOUR: Rate.prefault('30').describe(
      'leads that one clinic may get within an hour; further ones are held for staff, or unlimited',
    ),
    LEADS_PER_HOUR: Rate.prefault('1000').describe(
      'leads that are delivered within an hour; further ones are held for staff, or unlimited',
    ),
    AD_MEASUREMENT: z
      .enum(['off', 'on'])
      .default('off')
      .describe(
        'on: a clinic with an id of Google Ads or Microsoft Advertising asks its visitors whether that partner may learn of their form; off: no partner learns of anything',
      ),
    OFFER_DEADLINE: optional(z.iso.datetime({ offset: true, error: 'must be a time like 2027-01-31T23:59:59-05:00' }))
      .describe(
        'when the special offer to clinics really ends; without it the page counts down from 15 days on each visit',
      )
      .meta({ example: '2027-01-31T23:59:59-05:00' }),
    MAP_TILE_URL: z
      .string()
      .regex(
        /^https?:\/\/\S+\{z\}\S+( .+)?$/,
        'must be an address with {z}, {x} and {y}, and after a space whom the maps name',
      )
      .default('https://tile.openstreetmap.org/{z}/{x}/{y}.png © OpenStreetMap contributors')
      .transform((text) => {
        const [url = '', ...attribution] = text.split(' ')
        return { url, attribution: attribution.join(' ') }
      })
      .describe(
        'where the API gets the tiles of the maps, so that their server learns of no visitor, and after a space the attribution that the maps show; {z}, {x}, {y}, {s} and {r} are filled in',
      ),
    ALERT_PRIVATE_HOSTS: z
      .string()
      .default('')
      .transform((text) => text.split(/[\s,]+/).filter(Boolean))
      .describe(
        'hosts in a private network to which alerts may be posted, also without TLS, separated by commas; others must be public and begin with https',
      )
      .meta({ example: 'mattermost.internal' }),
    METRICS_PORT: optional(Listening)
      .describe(
        'port on which this process serves GET /metrics to Prometheus, on 127.0.0.1 or on the private address before it (10.0.0.5:9464); without it nothing does',
      )
      .meta({ example: '9464' }),
    OTEL_EXPORTER_OTLP_ENDPOINT: optional(url(/^https?$/, 'http://collector:4318'))
      .describe(
        'where OpenTelemetry traces go; without it none are made; the other OTEL_* settings are standard as well',
      )
      .meta({ example: 'http://localhost:4318' }),
    LOG_LEVEL: z
      .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
      .default('info')
      .describe('lowest log level'),
  })
  // Runs although single settings are invalid, so that every problem is listed at once.
  .superRefine((env, check) => checkTogether(env, check), { when: () => true })

/** The settings that the API does not read: it is public, so it has no secret of mail, CRM and WordPress. */
const NOT_FOR_API = {
  CLINIC_HOURS: true,
  ANSWER_HOURS: true,
  PASS_ON: true,
  VISITOR_QUESTION: true,
  DATABASE_OWNER_URL: true,
  SMTP_URL: true,
  MAIL_FROM: true,
  TEAM_EMAIL: true,
  WORDPRESS_POST_TYPE: true,
  WORDPRESS_POST_STATUS: true,
  WORDPRESS_FIELDS: true,
  WORDPRESS_USER: true,
  WORDPRESS_APP_PASSWORD: true,
} as const

const NOT_FOR_WORKER = {
  DATABASE_OWNER_URL: true,
  CRM_INBOUND_SECRET: true,
  HOST: true,
  PORT: true,
  ADMIN_ACCESS: true,
  ADMIN_PASSWORD: true,
  STAFF_IDLE_MINUTES: true,
  REQUIRE_SECOND_FACTOR: true,
  OIDC_ISSUER: true,
  OIDC_CLIENT_ID: true,
  OIDC_CLIENT_SECRET: true,
  OIDC_EMAILS: true,
  TRUST_PROXY_HOPS: true,
  LEAD_RATE_PER_MINUTE: true,
  REQUEST_RATE_PER_MINUTE: true,
  AD_MEASUREMENT: true,
  OFFER_DEADLINE: true,
  MAP_TILE_URL: true,
} as const

const ApiSettings = z.object(EnvSchema.shape).omit(NOT_FOR_API)
export const ApiSchema = ApiSettings.superRefine((env, check) => checkTogether(env, check, ApiSettings.shape), {
  when: () => true,
})
const WorkerSettings = z.object(EnvSchema.shape).omit(NOT_FOR_WORKER)
export const WorkerSchema = WorkerSettings.superRefine(
  (env, check) => checkTogether(env, check, WorkerSettings.shape),
  {
    when: () => true,
  },
)

/** All settings as text, for the CRM senders, which parse their own. */
type WithGiven = { given: Given }
/** The settings of every process. */
export type Env = z.output<typeof EnvSchema> & WithGiven
export type ApiEnv = z.output<typeof ApiSchema>
export type WorkerEnv = z.output<typeof WorkerSchema> & WithGiven

/**
 * Reads the settings of every process, once, at start-up.
 * @throws SettingsError that lists every problem
 */
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

const SyncSchema = z
  .object({
    DATABASE_URL: EnvSchema.shape.DATABASE_URL,
    MAIN_DOMAIN: EnvSchema.shape.MAIN_DOMAIN,
    MATCH_RADIUS_MILES: EnvSchema.shape.MATCH_RADIUS_MILES,
    ...WORDPRESS_SETTINGS,
  })
  .superRefine((env, check) => {
    for (const [name, message] of wordpressProblems(env)) check.addIssue({ code: 'custom', path: [name], message })
  })

/** The settings of the provider sync: all that `npm run sync` needs. */
export type SyncEnv = z.output<typeof SyncSchema>

/** Reads the settings of the provider sync. @throws SettingsError that lists every problem */
export function readSyncEnv(source: Given = process.env): SyncEnv {
  return readSettings(SyncSchema, withoutEmpty(source))
}

const { NODE_ENV, DATABASE_URL, DATABASE_OWNER_URL, NETWORK_TIME_ZONE } = EnvSchema.shape
export const MigrateSchema = z.object({ NODE_ENV, DATABASE_URL, DATABASE_OWNER_URL, NETWORK_TIME_ZONE })

/**
 * Reads the settings of `npm run migrate`.
 * @throws SettingsError that lists every problem
 */
export function readMigrateEnv(source: Given = process.env): z.output<typeof MigrateSchema> {
  return readSettings(MigrateSchema, withoutEmpty(source))
}

/**
 * Reads the address of the database, for commands that need nothing else.
 * @throws SettingsError
 */
export function readDatabaseUrl(source: Given = process.env): string {
  try {
    return readSettings(z.object({ DATABASE_URL }), withoutEmpty(source)).DATABASE_URL
  } catch (error) {
    if (source.DATABASE_URL_FILE) throw error
    throw new SettingsError('Set DATABASE_URL to the database: postgres://user:password@host/leadwell')
  }
}

/**
 * Reads the data key, for commands that verify signatures or look for persons.
 * @throws SettingsError
 */
export function readDataKey(source: Given = process.env): Buffer {
  const { DATA_KEY } = EnvSchema.shape
  return readSettings(z.object({ DATA_KEY }), withoutEmpty(source)).DATA_KEY
}

/**
 * Reads the data key where one is given, for commands that only compare it with the database's.
 * @throws SettingsError
 */
export function readGivenDataKey(source: Given = process.env): Buffer | undefined {
  const isGiven = withoutEmpty(source).DATA_KEY !== undefined || withoutEmpty(source).DATA_KEY_FILE !== undefined
  return isGiven ? readDataKey(withoutEmpty(source)) : undefined
}

/**
 * Reads the time zone of the network, for commands that show times.
 * @throws SettingsError
 */
export function readTimeZone(source: Given = process.env): string {
  const { NETWORK_TIME_ZONE } = EnvSchema.shape
  return readSettings(z.object({ NETWORK_TIME_ZONE }), withoutEmpty(source)).NETWORK_TIME_ZONE
}

/**
 * Reads the address of the site, for commands that print links.
 * @throws SettingsError
 */
export function readPublicUrl(source: Given = process.env): string {
  const { PUBLIC_URL } = EnvSchema.shape
  return readSettings(z.object({ PUBLIC_URL }), withoutEmpty(source)).PUBLIC_URL
}
