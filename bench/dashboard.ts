import { chromium } from 'playwright-core'
import { freePort } from '../local/ports.ts'
import { findChromium } from '../tests/support/chromium.ts'
import { type Visit, visitDashboard, visitStaticPage } from './dashboard-visit.ts'
import { seedLeads } from './seed-leads.ts'
import { type BenchContext, CHROMIUM_FLAGS, defineBenchmark, median, print, startServer } from './support.ts'

const FULL = { leads: 100_000, runs: 5 }
const KIB = 1024

export const dashboard = defineBenchmark({
  measures:
    'The list of leads in a browser: cold load, next page, filter, an open lead and DOM nodes, beside a static page and, with OLDER_SITE, an older build.',
  needs: ['redis-server', 'Chromium'],
  full: FULL,
  smoke: { leads: 500, runs: 1 },
  run,
})

/**
 * `OLDER_SITE` is the address of an older build that runs with as many leads, and `OLDER_PASSWORD` its `ADMIN_PASSWORD`. All sides take
 * turns, so that what else the machine does slows all of them.
 */
async function run({ env, createDatabase }: BenchContext, size: typeof FULL): Promise<void> {
  const databaseUrl = await createDatabase()
  await seedLeads(databaseUrl, size.leads)
  const port = await freePort()
  const site = `http://localhost:${port}`
  const settings = { ...env, DATABASE_URL: databaseUrl, PUBLIC_URL: site }
  const api = await startServer('dist/api/main.js', settings, port)
  const browser = await chromium.launch({ executablePath: findChromium() ?? undefined, args: CHROMIUM_FLAGS })
  const { OLDER_SITE, OLDER_PASSWORD = env.ADMIN_PASSWORD ?? '' } = process.env

  const sides: Record<string, () => Promise<Visit>> = {
    'a static page': () => visitStaticPage(browser, site),
    'the dashboard': () => visitDashboard(browser, site, env.ADMIN_PASSWORD ?? ''),
    ...(OLDER_SITE && { 'the older build': () => visitDashboard(browser, OLDER_SITE, OLDER_PASSWORD) }),
  }
  try {
    // The first visits fill the caches of the servers and the database.
    for (const visit of Object.values(sides)) await visit()
    const visits = Object.fromEntries(Object.keys(sides).map((side): [string, Visit[]] => [side, []]))
    for (let run = 0; run < size.runs; run++) {
      for (const [side, visit] of Object.entries(sides)) visits[side]?.push(await visit())
    }
    printVisits(visits, size)
  } finally {
    await browser.close()
    await api.stop()
  }
}

function printVisits(visits: Record<string, Visit[]>, { leads, runs }: typeof FULL): void {
  const middles = Object.entries(visits).map(
    ([side, all]) => [side, (value: keyof Visit) => median(all.map((visit) => visit[value]))] as const,
  )
  const dashboard = middles.find(([side]) => side === 'the dashboard')?.[1] ?? (() => Number.NaN)
  const others = middles.filter(([side]) => side !== 'the dashboard')
  print(`/admin with ${leads} leads, 1440 × 900, median of ${runs} (the static page: its cold load in every column)`, {
    ...Object.fromEntries(middles.map(([side, middle]) => [side, rowOf(middle, 0)])),
    ...Object.fromEntries(
      others.map(([side, middle]) => [
        `ratio to ${side}`,
        // Bytes are shown in KiB.
        rowOf((value) => (dashboard(value) / middle(value)) * (value === 'bytes' ? KIB : 1), 2),
      ]),
    ),
  })
}

function rowOf(of: (value: keyof Visit) => number, digits: number) {
  const round = (value: number) => Number(value.toFixed(digits))
  return {
    'cold load ms': round(of('cold')),
    'next page ms': round(of('next')),
    'filter ms': round(of('filter')),
    'open a lead ms': round(of('open')),
    'DOM nodes': round(of('nodes')),
    'with a lead': round(of('openNodes')),
    requests: round(of('requests')),
    'KiB on the wire': round(of('bytes') / KIB),
  }
}
