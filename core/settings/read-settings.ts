import { readFileSync } from 'node:fs'
import type { z } from 'zod'

/** Settings as text, by their names. */
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
