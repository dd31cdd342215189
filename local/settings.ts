import { brand } from '../core/brand/brand.ts'
import { readEnv } from '../core/env.ts'
import { DEMO_PASSWORD } from '../core/settings/rules.ts'

type Settings = Record<string, string | undefined>

/** What this machine brings up itself, because no setting names one. */
export interface LocalParts {
  database: boolean
  queue: boolean
  mail: boolean
  crm: boolean
  /** With a database of our own only: in somebody's real one its clinics would take real leads. */
  wordpress: boolean
}

/** Where the parts are; those that settings name are left out. */
export interface Addresses {
  port: number
  databaseUrl?: string
  redisUrl?: string
  smtpUrl?: string
  /** Made once and kept, as base64. */
  dataKey?: string
  crmUrl?: string
  crmSecret?: string
  wordpress?: { url: string; user: string; password: string }
}

const LOOPBACK = ['127.0.0.1', '::1', 'localhost']
const DEFAULT_PORT = 3000

/** An empty setting counts as none, as it does in `.env` files. */
export function withoutEmpty(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value?.trim()))
}

export function localParts(given: Settings): LocalParts {
  const crmKind = given.CRM_KIND ?? 'webhook'
  return {
    database: !given.DATABASE_URL,
    queue: !given.REDIS_URL,
    mail: !given.SMTP_URL,
    crm: crmKind === 'webhook' && !given.CRM_WEBHOOK_URL,
    wordpress: !given.DATABASE_URL && !given.WORDPRESS_URL,
  }
}

/** The port of the site. What is not a number is left to `checkSettings`. */
export function sitePort(given: Settings): number {
  return Number(given.PORT ?? DEFAULT_PORT)
}

/**
 * The settings of the API and the worker: what is given, and this machine's own for the rest. Without a password only a
 * loopback address is safe: any other takes accounts, and an ADMIN_PASSWORD if one is given. So does one that requires a
 * second factor, which the open access has not.
 */
export function childSettings(given: Settings, addresses: Addresses): Settings {
  const host = given.HOST ?? '127.0.0.1'
  const isFactorRequired = (given.REQUIRE_SECOND_FACTOR ?? 'none') !== 'none'
  const open = LOOPBACK.includes(host) && !given.ADMIN_PASSWORD && !isFactorRequired
  return withoutEmpty({
    HOST: host,
    PUBLIC_URL: `http://localhost:${addresses.port}`,
    MAIN_DOMAIN: 'localhost',
    DATABASE_URL: addresses.databaseUrl,
    DATA_KEY: addresses.dataKey,
    REDIS_URL: addresses.redisUrl,
    SMTP_URL: addresses.smtpUrl,
    MAIL_FROM: `${brand.company} <${brand.email}>`,
    TEAM_EMAIL: `team@${brand.email.split('@')[1]}`,
    CRM_KIND: 'webhook',
    CRM_WEBHOOK_URL: addresses.crmUrl,
    CRM_WEBHOOK_SECRET: addresses.crmSecret,
    WORDPRESS_URL: addresses.wordpress?.url,
    WORDPRESS_USER: addresses.wordpress?.user,
    WORDPRESS_APP_PASSWORD: addresses.wordpress?.password,
    ADMIN_ACCESS: open ? 'open' : 'password',
    ADMIN_PASSWORD: open ? DEMO_PASSWORD : undefined,
    ...given,
    PORT: String(addresses.port),
  })
}

/**
 * Checks what is given before anything is started.
 * @throws SettingsError that lists every problem at once.
 */
export function checkSettings(given: Settings): void {
  const stand = {
    databaseUrl: 'postgres://localhost/leadwell',
    dataKey: Buffer.alloc(32).toString('base64'),
    smtpUrl: 'smtp://localhost',
    crmUrl: 'http://localhost',
    crmSecret: `whsec_${'a'.repeat(32)}`,
  }
  readEnv({ ...childSettings(given, { port: DEFAULT_PORT, ...stand }), PORT: given.PORT ?? String(DEFAULT_PORT) })
}
