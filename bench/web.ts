import { spawnSync } from 'node:child_process'
import { launch } from 'chrome-launcher'
import lighthouse, { type Config, type Flags } from 'lighthouse'
import { openDb } from '../core/db.ts'
import { freePort } from '../local/ports.ts'
import { findChromium } from '../tests/support/chromium.ts'
import { type BenchContext, median, print, startServer } from './support.ts'

const RUNS = Number(process.env.RUNS ?? 5)
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
/** Google's mid-range phone on a slow 4G, with the throttling applied and not simulated. */
const FLAGS: Flags = {
  output: 'json',
  logLevel: 'error',
  throttlingMethod: 'devtools',
  onlyCategories: [...CATEGORIES],
}

/** Without background calls of its own to anybody. */
const CHROMIUM_FLAGS = ['--headless=new', '--no-sandbox', '--disable-background-networking', '--disable-sync']

type Report = Record<string, number>

/** What Lighthouse says of the pages that visitors come to, as built for production. */
export async function benchWeb({ env, createDatabase, seedProviders }: BenchContext): Promise<void> {
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'web/render/build.ts'], { stdio: 'inherit' })
  if (status !== 0) throw new Error('The web could not be built.')

  const databaseUrl = await createDatabase()
  await seedProviders(databaseUrl)
  const { id, domain } = await micrositeProvider(databaseUrl)
  const port = await freePort()
  const site = `http://localhost:${port}`
  // No tile comes from a foreign host; what stands in for them are files of that many bytes.
  const settings = { MAP_TILE_URL: `${site}/art/map/pin.svg?{z}/{x}/{y}` }
  const api = await startServer(
    'dist/api/main.js',
    { ...env, ...settings, DATABASE_URL: databaseUrl, PUBLIC_URL: site },
    port,
  )
  const pages = {
    '/': site,
    '/start': `${site}/start`,
    microsite: `http://${domain}:${port}/`,
    '/success': `${site}/success?providerId=${id}`,
    '/map': `${site}/map`,
    '/clinics': `${site}/clinics`,
  }
  const rows: Record<string, Report> = {}
  for (const [name, url] of Object.entries(pages)) rows[name] = await auditOften(url)
  await api.stop()

  print(
    `Lighthouse, mobile, median of ${RUNS} (goals: 100 each, but SEO of /success; LCP 1.5 s, CLS 0.02, TBT 50 ms)`,
    rows,
  )
}

async function auditOften(url: string): Promise<Report> {
  const reports: Report[] = []
  for (let run = 0; run < RUNS; run++) reports.push(await audit(url))
  const names = Object.keys(reports[0] ?? {})
  return Object.fromEntries(names.map((name) => [name, median(reports.map((report) => report[name] ?? Number.NaN))]))
}

async function audit(url: string): Promise<Report> {
  const chrome = await launch({ chromePath: findChromium() ?? undefined, chromeFlags: CHROMIUM_FLAGS })
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
  const provider = await db('providers').whereNotNull('domain').where('status', 't').orderBy('id').first('id', 'domain')
  await db.destroy()
  return provider
}
