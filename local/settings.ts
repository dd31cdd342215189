import { brand } from '../core/brand/brand.ts'
import { readEnv } from '../core/env.ts'
import { DEMO_PASSWORD } from '../core/settings/rules.ts'

export type Settings = Record<string, string | undefined>

/** The addresses of the parts; those that settings name are left out. */
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

/** Leaves out empty settings, which count as not given. */
export function withoutEmpty(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value?.trim()))
}

/** Returns the port of the site. `checkSettings` refuses a value that is not a number. */
export function sitePort(given: Settings): number {
  return Number(given.PORT ?? DEFAULT_PORT)
}

/**
 * Returns the settings of the API and the worker: those given, and the local parts for the rest. The dashboard is open
 * only on a loopback address without an ADMIN_PASSWORD and without a required second factor, because every other case
 * needs a sign-in.
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
 * Checks the given settings before anything is started.
 * @throws SettingsError that lists every problem at once.
 */
export function checkSettings(given: Settings): void {
  const examples = {
    port: DEFAULT_PORT,
    databaseUrl: 'postgres://localhost/leadwell',
    dataKey: Buffer.alloc(32).toString('base64'),
    smtpUrl: 'smtp://localhost',
    crmUrl: 'http://localhost',
    crmSecret: `whsec_${'a'.repeat(32)}`,
  }
  readEnv({ ...childSettings(given, examples), PORT: given.PORT ?? String(DEFAULT_PORT) })
}
