import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished } from 'vitest'
import type { Db } from '../../core/db.ts'
import { SECOND } from '../../core/time.ts'
import { freePort } from '../../local/ports.ts'
import { hasRedis } from '../../local/redis.ts'
import { findChromium } from '../support/chromium.ts'
import { startCrmServer, type TestCrmServer } from '../support/crm-server.ts'
import { createTestDatabase } from '../support/database.ts'
import { CRM_SECRET, rawEnv, STAFF_PASSWORD } from '../support/env.ts'
import { type PostgresGateway, startPostgresGateway } from '../support/postgres-gateway.ts'
import { launchProcess } from '../support/processes.ts'
import { startOwnRedis } from '../support/redis.ts'
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.ts'
import { watchPages } from './watch-pages.ts'

const CHROMIUM = findChromium()
if (!CHROMIUM && process.env.CI) throw new Error('CI must not skip the browser tests, and there is no Chromium.')

/** Without background calls of its own to anybody. */
const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-quic',
  '--disable-sync',
]

/** A whole site and a browser, for one test file. */
export type BrowserSite = {
  url: string
  db: Db
  /** The API's way to the database; the worker and the test have their own. */
  gateway: PostgresGateway
  smtp: TestSmtpServer
  crm: TestCrmServer
  /** The address of a page on a provider's host, such as `clinic.localhost`: a browser finds those by itself. */
  urlOf(host: string, path: string): string
  /** Opens a page as somebody who has never been here, from an address of their own. */
  open(path: string, visitor?: Visitor): Promise<Page>
}

export type Visitor = {
  width?: number
  /** Comes with a staff session. */
  staff?: boolean
  /** Messages that the browser's console may show, because the test makes something fail. */
  expectErrors?: RegExp
  context?: BrowserContextOptions
}

/** Tests in a real browser on a real site: database, queue, API, worker, mail server and CRM of the file's own. */
export function describeInBrowser(
  what: string,
  tests: (site: BrowserSite) => void,
  settings: Record<string, string> = {},
): void {
  const name = CHROMIUM ? what : `${what} (NOT RUN: there is no Chromium)`
  // Longer than usual: a page takes a second of computing time.
  describe.skipIf(!CHROMIUM)(name, { timeout: 60 * SECOND }, () => {
    const site = {} as BrowserSite
    let closeSite = async () => {}

    beforeAll(async () => {
      const webProblem = inject('webProblem')
      if (webProblem) throw new Error(webProblem)
      const [{ close, ...parts }, firstBrowser] = await Promise.all([startSite(settings), launchChromium()])
      let browser = firstBrowser
      Object.assign(site, parts, {
        urlOf: (host: string, path: string) => new URL(path, parts.url.replace('localhost', host)).href,
        async open(path: string, visitor?: Visitor) {
          // A browser that dies fails its test, but not all that follow.
          if (!browser.isConnected()) browser = await launchChromium()
          return open(browser, parts.url, path, visitor)
        },
      })
      closeSite = async () => {
        await browser.close()
        await close()
      }
    })
    afterAll(() => closeSite())
    tests(site)
  })
}

async function startSite(settings: Record<string, string>) {
  const [database, smtp, crm, redis, port] = await Promise.all([
    createTestDatabase(),
    startSmtpServer(),
    startCrmServer(),
    hasRedis() ? startOwnRedis() : undefined,
    freePort(),
  ])
  const gateway = await startPostgresGateway(database.url)
  // By this name a browser calls the main site; an address in numbers could be that of a provider's.
  const url = `http://localhost:${port}`
  const env = rawEnv({
    PORT: String(port),
    PUBLIC_URL: url,
    DATABASE_URL: database.url,
    ...(redis && { REDIS_URL: redis.url }),
    SMTP_URL: smtp.url,
    CRM_KIND: 'webhook',
    CRM_WEBHOOK_URL: crm.url,
    CRM_WEBHOOK_SECRET: CRM_SECRET,
    // Tiles of our own: no test may call anybody else.
    MAP_TILE_URL: `${url}/art/map/pin.svg?{z}/{x}/{y}`,
    // Each page comes from an address of its own, so that no test uses up the rate limit of another.
    TRUST_PROXY_HOPS: '1',
    ...settings,
  })
  const processes = [launchProcess('api', { ...env, DATABASE_URL: gateway.url }), launchProcess('worker', env)]
  const close = async () => {
    await Promise.all(processes.map((process) => process.kill('SIGKILL')))
    gateway.close()
    await Promise.all([smtp.close(), crm.close(), redis?.close(), database.drop()])
  }
  await Promise.all(processes.map(({ ready }) => ready)).catch(async (error) => {
    await close()
    throw error
  })
  return { url, db: database.db, gateway, smtp, crm, close }
}

function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: String(CHROMIUM), args: CHROMIUM_ARGS })
}

let visitors = 0

async function open(
  browser: Browser,
  siteUrl: string,
  path: string,
  { width = 1440, staff = false, expectErrors, context: more }: Visitor = {},
): Promise<Page> {
  visitors += 1
  const context = await browser.newContext({
    baseURL: siteUrl,
    viewport: { width, height: 900 },
    locale: 'en-US',
    timezoneId: 'America/Chicago',
    reducedMotion: 'reduce',
    extraHTTPHeaders: { 'x-forwarded-for': `198.51.100.${visitors}` },
    ...more,
  })
  context.setDefaultTimeout(20 * SECOND)
  const problems = await watchPages(context, siteUrl)
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await tellWhatStands(context, problems)
    await context.close()
    const unexpected = problems.filter((problem) => !expectErrors?.test(problem))
    expect(unexpected, 'what the browser complained about').toEqual([])
  })

  if (staff) await context.request.post('/api/session', { data: { password: STAFF_PASSWORD } })
  const page = await context.newPage()
  await page.goto(path, { waitUntil: 'domcontentloaded' })
  await page.locator('#root > *').first().waitFor()
  return page
}

/** For whoever reads why a test failed: what its pages showed at that moment. */
async function tellWhatStands(context: BrowserContext, problems: string[]): Promise<void> {
  for (const page of context.pages()) {
    const content = await page.ariaSnapshot({ timeout: SECOND }).catch((error: Error) => error.message)
    console.log(`${page.url()} showed:\n${content}\nThe browser complained: ${problems.join('\n') || 'no'}`)
  }
}
