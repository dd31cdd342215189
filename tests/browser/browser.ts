import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFailed, onTestFinished } from 'vitest'
import { SECOND } from '../../core/contract/time.ts'
import { announce } from '../../core/deliveries/stores/changes.ts'
import type { Db } from '../../core/platform/db.ts'
import { freePort } from '../../local/ports.ts'
import { findChromium } from '../support/chromium.ts'
import { createTestDatabase, emptyDatabase } from '../support/database.ts'
import { OIDC_CLIENT, STAFF_PASSWORD } from '../support/env.ts'
import { surviveNetworkChanges } from '../support/network-change.ts'
import { type PostgresGateway, startPostgresGateway } from '../support/postgres-gateway.ts'
import { REDIS_IS_HERE, type Surroundings, startSurroundings } from '../support/site.ts'
import { waitFor } from '../support/wait.ts'
import { startWordPress, type TestWordPress } from '../support/wordpress-server.ts'
import { atWorkerEnd } from '../support/worker-end.ts'
import { watchPages } from './watch-pages.ts'

const CHROMIUM = findChromium()
if (!CHROMIUM && process.env.CI) throw new Error('CI must not skip the browser tests, and there is no Chromium.')

/** Without background calls of its own to anybody. */
export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-quic',
  '--disable-sync',
]

/** A whole site and a browser: database, queue, API, worker, mail server, CRM and WordPress. Ads may be measured. */
export type BrowserSite = Pick<Surroundings, 'db' | 'smtp' | 'crm'> & {
  url: string
  wordpress: TestWordPress
  /** Where it looks for the provider of single sign-on, which a test may start. */
  oidcPort: number
  /** The API's way to the database; the worker and the test have their own. */
  gateway: PostgresGateway
  /** The address of a page on a provider's host, such as `clinic.localhost`: a browser finds those by itself. */
  urlOf(host: string, path: string): string
  /** Opens a page as somebody who has never been here, from an address of their own. */
  open(path: string, visitor?: Visitor): Promise<Page>
  /** Opens an empty page for such a visitor, so that a test can prepare what the first page will meet. */
  blank(visitor?: Visitor): Promise<Page>
  /** Opens an empty page whose mouse nobody moves. Others are told where an earlier page has left it. */
  untouched(visitor?: Visitor): Promise<Page>
  /** Makes the site as it was at first: nothing stored but the zip codes, and everything works. */
  reset(): Promise<void>
}

export type Visitor = {
  width?: number
  /** Comes with a staff session. */
  staff?: boolean
  /** Messages that the browser's console may show, because the test makes something fail. */
  expectErrors?: RegExp
  context?: BrowserContextOptions
}

/**
 * Tests in a real browser on a real site. The files of a Vitest worker share one site and one browser; each finds the site
 * empty. Only tests that need other settings get a site of their own.
 */
export function describeInBrowser(
  what: string,
  tests: (site: BrowserSite) => void,
  settings?: Record<string, string>,
): void {
  const name = CHROMIUM ? what : `${what} (NOT RUN: there is no Chromium)`
  describe.skipIf(!CHROMIUM)(name, () => {
    const site = {} as BrowserSite
    let running: RunningSite

    beforeAll(async () => {
      running = settings ? await startSite(settings) : await sharedSite()
      Object.assign(site, running.site)
      await site.reset()
    })
    afterAll(async () => {
      if (settings) await running.close()
    })
    tests(site)
  })
}

type RunningSite = { site: BrowserSite; close(): Promise<void> }

let shared: Promise<RunningSite> | undefined

function sharedSite(): Promise<RunningSite> {
  shared ??= startSite({}).then((site) => {
    atWorkerEnd(site.close)
    return site
  })
  // What keeps one file from its site must not keep every later one from it.
  shared.catch(() => {
    shared = undefined
  })
  return shared
}

async function startSite(settings: Record<string, string>): Promise<RunningSite> {
  const database = await createTestDatabase()
  const [surroundings, gateway, wordpress, port, oidcPort] = await Promise.all([
    startSurroundings({ database }),
    startPostgresGateway(REDIS_IS_HERE ? database.appUrl : database.url),
    startWordPress(),
    freePort(),
    freePort(),
  ])
  const { db, smtp, crm, startApi, startWorker, troubles } = surroundings
  // By this name a browser calls the main site; an address in numbers could be that of a provider's.
  const url = `http://localhost:${port}`
  const overrides = {
    PORT: String(port),
    PUBLIC_URL: url,
    // Tiles of our own: no test may call anybody else.
    MAP_TILE_URL: `${url}/art/mark.png?{z}/{x}/{y} © OpenStreetMap contributors`,
    // Each page comes from an address of its own, so that no test uses up the rate limit of another.
    TRUST_PROXY_HOPS: '1',
    LOG_LEVEL: 'warn',
    AD_MEASUREMENT: 'on',
    WORDPRESS_URL: wordpress.url,
    OIDC_ISSUER: `http://127.0.0.1:${oidcPort}`,
    OIDC_CLIENT_ID: OIDC_CLIENT.id,
    OIDC_CLIENT_SECRET: OIDC_CLIENT.secret,
    ...settings,
  }
  const close = async () => {
    await surroundings.close()
    gateway.close()
    await wordpress.close()
    await database.drop()
  }
  await Promise.all([startApi({ ...overrides, DATABASE_URL: gateway.url }), startWorker(overrides)]).catch(
    async (error) => {
      await close()
      throw error
    },
  )
  const blank: BrowserSite['blank'] = async (visitor) => {
    onTestFailed(() => console.log(troubles()))
    return openBlank(await sharedBrowser(), url, visitor)
  }
  return {
    site: {
      url,
      db,
      gateway,
      smtp,
      crm,
      wordpress,
      oidcPort,
      urlOf: (host, path) => new URL(path, url.replace('localhost', host)).href,
      blank,
      async untouched(visitor) {
        const page = await blank(visitor)
        await page.addInitScript(() =>
          window.addEventListener('pointermove', (event) => event.stopImmediatePropagation(), { capture: true }),
        )
        return page
      },
      async open(path, visitor) {
        const page = await blank(visitor)
        await page.goto(path, { waitUntil: 'domcontentloaded' })
        await page.locator('#root > *').first().waitFor()
        return page
      },
      async reset() {
        gateway.unblock()
        smtp.reset()
        crm.reset()
        wordpress.posts.length = 0
        wordpress.intercept(() => undefined)
        await deliveriesEnd(db)
        await emptyDatabase(db)
        await announce(db, { all: true })
        for (const received of [smtp.mails, crm.events]) received.length = 0
      },
    },
    close,
  }
}

/** Waits for what the queue has been given, so that no mail of an earlier test comes later; not for what hangs. */
async function deliveriesEnd(db: Db): Promise<void> {
  const isIdle = async () => (await db('jobs').where('state', 'enqueued')).length === 0
  await waitFor('the deliveries under way', isIdle, { within: 5 * SECOND }).catch(() => {})
}

let browser: Browser | undefined

/** The worker's browser. One that died fails its test, but not all that follow. */
async function sharedBrowser(): Promise<Browser> {
  if (!browser) atWorkerEnd(() => browser?.close())
  if (!browser?.isConnected()) {
    browser = await chromium.launch({ executablePath: String(CHROMIUM), args: CHROMIUM_ARGS, handleSIGTERM: false })
  }
  return browser
}

let visitors = 0

/** An address that no other visitor of this worker has, of a range for benchmarks (RFC 2544). */
function nextAddress(): string {
  visitors += 1
  return `198.18.${Math.floor(visitors / 250)}.${(visitors % 250) + 1}`
}

async function openBlank(
  browser: Browser,
  siteUrl: string,
  { width = 1440, staff = false, expectErrors, context: more }: Visitor = {},
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: siteUrl,
    viewport: { width, height: 900 },
    locale: 'en-US',
    timezoneId: 'America/Chicago',
    reducedMotion: 'reduce',
    extraHTTPHeaders: { 'x-forwarded-for': nextAddress() },
    ...more,
  })
  context.setDefaultTimeout(20 * SECOND)
  context.on('page', surviveNetworkChanges)
  const problems = await watchPages(context, siteUrl)
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await printPages(context, problems)
    await context.close()
    const unexpected = problems.filter((problem) => !expectErrors?.test(problem))
    expect(unexpected, 'what the browser complained about').toEqual([])
  })

  if (staff) await context.request.post('/api/session', { data: { password: STAFF_PASSWORD } })
  return context.newPage()
}

/** Tells why a test failed: what its pages showed at that moment. */
async function printPages(context: BrowserContext, problems: string[]): Promise<void> {
  for (const page of context.pages()) {
    const content = await page.ariaSnapshot({ timeout: SECOND }).catch((error: Error) => error.message)
    console.log(`${page.url()} showed:\n${content}\nThe browser complained: ${problems.join('\n') || 'no'}`)
  }
}
