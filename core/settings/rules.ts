import { isIP } from 'node:net'
import type { z } from 'zod'
import { isPlainWeb, isThisMachine } from './types.ts'
import { wordpressProblems } from './wordpress.ts'

/** The password of the local demo. Production refuses to start with it. */
export const DEMO_PASSWORD = 'leadwell-demo'

const WELL_KNOWN_PASSWORDS = ['postgres', 'password', 'leadwell', 'changeme', 'secret', 'admin', DEMO_PASSWORD]
const LOOPBACK_HOSTS = ['127.0.0.1', '::1', 'localhost']

/** The settings that are checked against others. */
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
    | 'WORDPRESS_URL'
    | 'WORDPRESS_USER'
    | 'WORDPRESS_APP_PASSWORD',
    string
  > &
    Record<'LEAD_RETENTION_DAYS' | 'CONSENT_RETENTION_DAYS' | 'TRUST_PROXY_HOPS', number>
>

/**
 * Checks settings against each other. Invalid settings, and those of another process, are absent here.
 * @param shape the settings of the process; problems of others are not reported
 */
export function checkTogether(env: Together, check: z.core.$RefinementCtx<Together>, shape?: object): void {
  const problem = (path: keyof Together, message: string) => {
    if (!shape || path in shape) check.addIssue({ code: 'custom', path: [path], message })
  }

  for (const [name, message] of wordpressProblems(env)) problem(name, message)
  const { CONSENT_RETENTION_DAYS: consents = Infinity, LEAD_RETENTION_DAYS: leads = 0 } = env
  if (consents < leads) problem('CONSENT_RETENTION_DAYS', 'must not be less than LEAD_RETENTION_DAYS')
  if (env.ADMIN_ACCESS === 'open') {
    if (env.NODE_ENV === 'production') problem('ADMIN_ACCESS', 'must be password in production')
    if (env.HOST !== undefined && !LOOPBACK_HOSTS.includes(env.HOST))
      problem('ADMIN_ACCESS', 'may be open only while HOST is a loopback address')
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
