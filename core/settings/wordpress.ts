import { z } from 'zod'
import { isSchedule } from '../sync/rules/sync-approval.ts'
import { MappingChanges } from '../sync/rules/wordpress-mapping.ts'
import { optional, optionalText, url } from './types.ts'

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
      'paths of a provider’s fields in its post, as JSON, where they differ from the defaults: npm run sync -- --preview',
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

const LOOPBACK_HOSTS = ['127.0.0.1', '[::1]', 'localhost']

/** Returns the problems of these settings together, by the name of the setting. */
export function wordpressProblems({
  WORDPRESS_URL: url = '',
  WORDPRESS_USER: user,
  WORDPRESS_APP_PASSWORD: password,
}: {
  WORDPRESS_URL?: string
  WORDPRESS_USER?: string
  WORDPRESS_APP_PASSWORD?: string
}): ['WORDPRESS_URL' | 'WORDPRESS_USER' | 'WORDPRESS_APP_PASSWORD', string][] {
  const problems: ReturnType<typeof wordpressProblems> = []
  const site = URL.canParse(url) ? new URL(url) : undefined
  if (site?.username) {
    problems.push([
      'WORDPRESS_URL',
      'must not contain a user name or a password: set WORDPRESS_USER and WORDPRESS_APP_PASSWORD',
    ])
  }
  if (user && site?.protocol === 'http:' && !LOOPBACK_HOSTS.includes(site.hostname)) {
    problems.push(['WORDPRESS_URL', 'must begin with https: when a password is sent'])
  }
  if (!user && password) problems.push(['WORDPRESS_USER', 'is required with WORDPRESS_APP_PASSWORD'])
  if (user && !password) problems.push(['WORDPRESS_APP_PASSWORD', 'is required with WORDPRESS_USER'])
  return problems
}
