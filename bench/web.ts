import { launch } from 'chrome-launcher'
import lighthouse, { type Config, type Flags } from 'lighthouse'
import { chromium } from 'playwright-core'
import { only, openDb } from '../core/platform/db.ts'
import { freePort } from '../local/ports.ts'
import { findChromium } from '../tests/support/chromium.ts'
import { timeOfFirstKey } from './phone.ts'
import { type BenchContext, CHROMIUM_FLAGS, defineBenchmark, median, print, startServer } from './support.ts'

/** `pages` counts from the first of the list below. */
const FULL = { runs: 5, pages: 7 }
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
/** Google's mid-range phone on a slow 4G, with the throttling applied and not simulated. */
const FLAGS: Flags = {
  output: 'json',
  logLevel: 'error',
  throttlingMethod: 'devtools',
  onlyCategories: [...CATEGORIES],
}

type Report = Record<string, number>

export const web = defineBenchmark({
  measures: 'What Lighthouse says of the pages that visitors come to, on a phone with a slow network.',
  needs: ['redis-server', 'Chromium'],
  full: FULL,
  smoke: { runs: 1, pages: 1 },
  run,
})

async function run({ env, createDatabase, seedProviders }: BenchContext, size: typeof FULL): Promise<void> {
  const databaseUrl = await createDatabase()
  await seedProviders(databaseUrl)
  const { id, domain } = await micrositeProvider(databaseUrl)
  const port = await freePort()
  const site = `http://localhost:${port}`
  // No tile comes from a foreign host; what stands in for them are files of that many bytes.
  const settings = { MAP_TILE_URL: `${site}/art/mark.png?{z}/{x}/{y}` }
  const api = await startServer(
    'dist/api/main.js',
    { ...env, ...settings, DATABASE_URL: databaseUrl, PUBLIC_URL: site },
    port,
  )
  const pages = {
    '/': site,
    '/start': `${site}/start`,
    '/homev2': `${site}/homev2`,
    microsite: `http://${domain}:${port}/`,
    '/success': `${site}/success?providerId=${id}`,
    '/map': `${site}/map`,
    '/clinics': `${site}/clinics`,
  }
  const rows: Record<string, Report> = {}
  for (const [name, url] of Object.entries(pages).slice(0, size.pages)) {
    rows[name] = { ...(await auditOften(url, size.runs)), ...(await typeOften(name, url, size.runs)) }
  }
  await api.stop()

  print(
    `Lighthouse, mobile, median of ${size.runs} (goals: 100 each, but SEO of /success; LCP 1.4 s, CLS 0.02, TBT 50 ms, first key 100 ms)`,
    rows,
  )
}

async function auditOften(url: string, runs: number): Promise<Report> {
  const reports: Report[] = []
  while (reports.length < runs) reports.push(await audit(url))
  const names = Object.keys(reports[0] ?? {})
  return Object.fromEntries(names.map((name) => [name, median(reports.map((report) => report[name] ?? Number.NaN))]))
}

/** Pages with a form that begins with a text field. */
const WITH_FORM = ['/', '/start', '/homev2', 'microsite', '/clinics']

/** Measures the first key that a visitor presses in the page's form. */
async function typeOften(name: string, url: string, runs: number): Promise<Report> {
  if (!WITH_FORM.includes(name)) return {}
  const browser = await chromium.launch({ executablePath: findChromium() ?? undefined, args: CHROMIUM_FLAGS })
  const times: number[] = []
  try {
    while (times.length < runs) times.push(await timeOfFirstKey(browser, url))
  } finally {
    await browser.close()
  }
  return { 'first key ms': median(times) }
}

async function audit(url: string): Promise<Report> {
  const chrome = await launch({
    chromePath: findChromium() ?? undefined,
    chromeFlags: ['--headless=new', ...CHROMIUM_FLAGS],
  })
  try {
    const result = await lighthouse(url, { ...FLAGS, port: chrome.port }, undefined as unknown as Config)
    if (!result) throw new Error(`Lighthouse said nothing about ${url}`)
    const { categories, audits } = result.lhr
    for (const { id, title, score } of Object.values(audits)) {
      if (process.env.FAULTS && score !== null && score < 1) console.log(`${url}: ${id} ${score}: ${title}`)
    }
    const value = (audit: string) => audits[audit]?.numericValue ?? Number.NaN
    return {
      ...Object.fromEntries(CATEGORIES.map((name) => [name, Math.round((categories[name]?.score ?? 0) * 100)])),
      'FCP ms': Math.round(value('first-contentful-paint')),
      'LCP ms': Math.round(value('largest-contentful-paint')),
      CLS: Number(value('cumulative-layout-shift').toFixed(3)),
      'TBT ms': Math.round(value('total-blocking-time')),
      'page KB': Math.round(value('total-byte-weight') / 1000),
    }
  } finally {
    chrome.kill()
  }
}

/** One of the demo's clinics that have a site of their own. */
async function micrositeProvider(databaseUrl: string): Promise<{ id: number; domain: string }> {
  const db = openDb(databaseUrl)
  const withSite = db('providers').whereNotNull('domain').where('status', 't').orderBy('id').limit(1)
  const rows = await withSite.select<{ id: number; domain: string }[]>('id', 'domain')
  await db.destroy()
  return only(rows)
}
