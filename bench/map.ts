import { get } from 'node:http'
import { chromium } from 'playwright-core'
import type { ProviderPoint } from '../core/contract/places.ts'
import { listPoints } from '../core/leads/stores/places.ts'
import { openDb } from '../core/platform/db.ts'
import { freePort } from '../local/ports.ts'
import { findChromium } from '../tests/support/chromium.ts'
import { startMapBaseline } from './map-baseline.ts'
import { type Visit, visitMap } from './map-visit.ts'
import { addManyProviders } from './matching.ts'
import { type BenchContext, CHROMIUM_FLAGS, defineBenchmark, median, print, startServer } from './support.ts'

/** `panning` is in seconds. */
const FULL = { providers: 10_000, runs: 3, panning: 8 }
const KIB = 1024

export const map = defineBenchmark({
  measures: 'The map of the network on a slow phone, beside plain Leaflet markers, in turns.',
  needs: ['redis-server', 'Chromium'],
  full: FULL,
  smoke: { providers: 300, runs: 1, panning: 1 },
  run,
})

/** There is no GPU here: Chromium draws both maps by the processor, which makes frames slower than on a phone and never faster. */
async function run({ env, createDatabase }: BenchContext, size: typeof FULL): Promise<void> {
  const databaseUrl = await createDatabase()
  const baseline = await startMapBaseline(await seed(databaseUrl, size.providers))
  const port = await freePort()
  const site = `http://localhost:${port}`
  const settings = { ...env, DATABASE_URL: databaseUrl, PUBLIC_URL: site, MAP_TILE_URL: baseline.tileUrl }
  const api = await startServer('dist/api/main.js', settings, port)
  const browser = await chromium.launch({ executablePath: findChromium() ?? undefined, args: CHROMIUM_FLAGS })

  try {
    const rounds: Round[] = []
    while (rounds.length < size.runs) {
      rounds.push({
        baseline: await visitMap(browser, baseline.url, size),
        ours: await visitMap(browser, `${site}/map`, size),
      })
    }
    printVisits(rounds, size)
    await printLists(site)
  } finally {
    await browser.close()
    baseline.close()
    await api.stop()
  }
}

type Round = { baseline: Visit; ours: Visit }

async function seed(databaseUrl: string, providers: number): Promise<ProviderPoint[]> {
  const db = openDb(databaseUrl)
  await addManyProviders(db, providers)
  const points = [...(await listPoints(db, 'active')), ...(await listPoints(db, 'inactive'))]
  await db.destroy()
  return points
}

function printVisits(rounds: Round[], { providers, runs }: typeof FULL): void {
  const middle = (side: keyof Round, value: keyof Visit) => median(rounds.map((round) => round[side][value]))
  const rowOf = (of: (value: keyof Visit) => number, digits: number) => ({
    'pins seen after ms': Math.round(of('seenAfter') * 10 ** digits) / 10 ** digits,
    'map moves after ms': Math.round(of('pinsAfter') * 10 ** digits) / 10 ** digits,
    'frames/s while panning': Number(of('fps').toFixed(1)),
    'frame p50 ms': Number(of('medianFrame').toFixed(1)),
    'frame p95 ms': Number(of('p95Frame').toFixed(1)),
    'most markers': Number(of('mostMarkers').toFixed(3)),
  })
  print(
    `/map with ${providers} providers, phone, CPU 4 times slower, slow 4G, no GPU, median of ${runs} (goals: pins 2500 ms, 50 frames/s, 150 markers)`,
    {
      'plain Leaflet markers': rowOf((value) => middle('baseline', value), 0),
      '/map': rowOf((value) => middle('ours', value), 0),
      ratio: rowOf((value) => middle('ours', value) / middle('baseline', value), 2),
    },
  )
}

async function printLists(site: string): Promise<void> {
  const rows: Record<string, Record<string, number | string>> = {}
  const sizes: number[] = []
  for (const status of ['active', 'inactive']) {
    const path = `/api/providers?status=${status}&view=points`
    const { bytes, etag } = await ask(site + path)
    const again = await ask(site + path, { 'if-none-match': etag })
    sizes.push(bytes)
    rows[path] = { 'KiB gzip': (bytes / KIB).toFixed(1), 'again, with its ETag': again.status }
  }
  rows.both = { 'KiB gzip': (sizes.reduce((sum, size) => sum + size, 0) / KIB).toFixed(1) }
  const full = await ask(`${site}/api/providers`)
  rows['/api/providers (whole rows)'] = { 'KiB gzip': (full.bytes / KIB).toFixed(1) }
  print('The lists of the map (goal: 100 KiB)', rows)
}

/** Counts the bytes of an answer's body as they come over the wire. */
function ask(url: string, headers: Record<string, string> = {}) {
  return new Promise<{ bytes: number; etag: string; status: number }>((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'gzip', ...headers } }, async (response) => {
      let bytes = 0
      for await (const chunk of response) bytes += chunk.length
      resolve({ bytes, etag: String(response.headers.etag), status: response.statusCode ?? 0 })
    }).on('error', reject)
  })
}
