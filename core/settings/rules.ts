import { isIP } from 'node:net'
import { z } from 'zod'
import { isSchedule } from '../sync/rules/sync-approval.ts'
import { MappingChanges } from '../sync/rules/wordpress-mapping.ts'
import { isPlainWeb, isThisMachine, optional, optionalText, url } from './read-settings.ts'

/** The settings of the provider sync; part of `EnvSchema`. */
export const WORDPRESS_SETTINGS = {
  WORDPRESS_URL: optional(url(/^https?$/, 'https://clinics.example.com').transform((text) => text.replace(/\/+$/, '')))
    .describe('WordPress site of the providers, where staff can edit them')
    .meta({ example: 'https://clinics.example.com' }),
  WORDPRESS_POST_TYPE: z
    .string()
    .regex(/^[a-z0-9_-]+$/, 'must be the name of a post type in the REST API, like providers')
    .default('providers')
    .describe('post type of the providers in the REST API'),
  WORDPRESS_POST_STATUS: z
    .string()
    .regex(/^[a-z-]+(,[a-z-]+)*$/, 'must be post statuses separated by commas, like publish,draft')
    .default('publish')
    .describe('post statuses to read; all but publish need a user, and become inactive providers that only staff see')
    .meta({ example: 'publish,draft' }),
  WORDPRESS_FIELDS: optional(MappingChanges)
    .describe(
      'paths of a provider’s fields in its post, as JSON, where they differ from the defaults: npm run sync:preview',
    )
    .meta({ example: '{"zipCode": "acf.postcode", "domain": null}' }),
  WORDPRESS_USER: optionalText
    .describe('user who reads the posts; without one, only public posts are read')
    .meta({ example: 'leadwell' }),
  WORDPRESS_APP_PASSWORD: optionalText.describe('application password of that user').meta({ secret: true }),
  WORDPRESS_SYNC_CRON: z
    .string()
    .refine((text) => text === 'off' || isSchedule(text), {
      error: 'must be a cron expression with five fields, like 7 * * * *, and not both a day and a weekday, or off',
    })
    .default('7 * * * *')
    .transform((text) => (text === 'off' ? undefined : text))
    .describe('schedule of the sync, as a cron expression in NETWORK_TIME_ZONE; off: only on demand'),
}

/** The password of the local demo. Production refuses to start with it. */
export const DEMO_PASSWORD = 'leadwell-demo'

const WELL_KNOWN_PASSWORDS = ['postgres', 'password', 'leadwell', 'changeme', 'secret', 'admin', DEMO_PASSWORD]
const LOOPBACK_HOSTS = ['127.0.0.1', '::1', 'localhost']

type Together = Partial<
  Record<
    | 'NODE_ENV'
    | 'HOST'
    | 'MAIN_DOMAIN'
    | 'PUBLIC_URL'
    | 'DATABASE_URL'
    | 'REDIS_URL'
    | 'ADMIN_ACCESS'
    | 'ADMIN_PASSWORD'
    | 'REQUIRE_SECOND_FACTOR'
    | 'OIDC_ISSUER'
    | 'OIDC_CLIENT_ID'
    | 'OIDC_CLIENT_SECRET'
    | 'SMTP_URL'
    | 'TEAM_EMAIL'
    | 'WORDPRESS_URL'
    | 'WORDPRESS_USER'
    | 'WORDPRESS_APP_PASSWORD',
    string
  > &
    Record<'INBOX_URL', { address?: string }> &
    Record<'LEAD_RETENTION_DAYS' | 'CONSENT_RETENTION_DAYS' | 'TRUST_PROXY_HOPS', number>
>

/**
 * Checks settings against each other. Invalid settings, and those of another process, are absent here.
 * @param shape the settings of the process; problems of others are not reported
 */
export function checkTogether(env: Together, check: z.core.$RefinementCtx<Together>, shape: object): void {
  const problem = (path: keyof Together, message: string) => {
    if (path in shape) check.addIssue({ code: 'custom', path: [path], message })
  }

  const { WORDPRESS_URL: site = '', WORDPRESS_USER: user, WORDPRESS_APP_PASSWORD: password } = env
  if (URL.canParse(site) && new URL(site).username) {
    problem(
      'WORDPRESS_URL',
      'must not contain a user name or a password: set WORDPRESS_USER and WORDPRESS_APP_PASSWORD',
    )
  }
  if (user && isPlainWeb(site) && !isThisMachine(site)) {
    problem('WORDPRESS_URL', 'must begin with https: when a password is sent')
  }
  if (!user && password) problem('WORDPRESS_USER', 'is required with WORDPRESS_APP_PASSWORD')
  if (user && !password) problem('WORDPRESS_APP_PASSWORD', 'is required with WORDPRESS_USER')

  const { CONSENT_RETENTION_DAYS: consents = Infinity, LEAD_RETENTION_DAYS: leads = 0 } = env
  if (consents < leads) problem('CONSENT_RETENTION_DAYS', 'must not be less than LEAD_RETENTION_DAYS')
  if (env.ADMIN_ACCESS === 'open') {
    if (env.NODE_ENV === 'production') problem('ADMIN_ACCESS', 'must be password in production')
    if (env.HOST !== undefined && !LOOPBACK_HOSTS.includes(env.HOST))
      problem('ADMIN_ACCESS', 'may be open only while HOST is a loopback address')
  }

  // What is forwarded would come back without end.
  if (env.INBOX_URL?.address && env.INBOX_URL.address.toLowerCase() === env.TEAM_EMAIL?.toLowerCase()) {
    problem('INBOX_URL', 'must be another mailbox than TEAM_EMAIL')
  }

  const oidc = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const
  for (const name of oidc) {
    if (!env[name] && oidc.some((other) => env[other]))
      problem(name, `is required with ${oidc.filter((other) => env[other]).join(' and ')}`)
  }
  // Neither of these ways in has a second factor.
  if (['managers', 'all'].includes(env.REQUIRE_SECOND_FACTOR ?? 'none')) {
    if (env.ADMIN_PASSWORD) problem('ADMIN_PASSWORD', 'must be left out with REQUIRE_SECOND_FACTOR')
    if (env.ADMIN_ACCESS === 'open') problem('ADMIN_ACCESS', 'must be password with REQUIRE_SECOND_FACTOR')
  }

  if (env.NODE_ENV !== 'production') return
  if (!env.REDIS_URL) problem('REDIS_URL', 'is required in production')
  if (env.TRUST_PROXY_HOPS === undefined) {
    problem('TRUST_PROXY_HOPS', 'is required in production: the number of proxies in front of the API, 0 for none')
  }
  if (env.ADMIN_PASSWORD) {
    if (env.ADMIN_PASSWORD.length < 12) problem('ADMIN_PASSWORD', 'must have 12 characters or more')
    if (WELL_KNOWN_PASSWORDS.includes(env.ADMIN_PASSWORD)) problem('ADMIN_PASSWORD', 'is a default password')
  }
  if (WELL_KNOWN_PASSWORDS.includes(passwordOf(env.DATABASE_URL ?? '')))
    problem('DATABASE_URL', 'has a default password')
  if (isIP(env.MAIN_DOMAIN ?? '')) problem('MAIN_DOMAIN', 'must be a host name')
  if (env.PUBLIC_URL && isPlainWeb(env.PUBLIC_URL) && !isThisMachine(env.PUBLIC_URL)) {
    problem('PUBLIC_URL', 'must begin with https: in production, unless it is this machine')
  }
}

function passwordOf(address: string): string {
  const { password } = URL.canParse(address) ? new URL(address) : { password: '' }
  try {
    return decodeURIComponent(password)
  } catch {
    return password
  }
}
