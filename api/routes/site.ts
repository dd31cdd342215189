import type Router from '@koa/router'
import pLimit from 'p-limit'
import * as placeCalls from '../../core/contract/places.ts'
import { DAY, HOUR, SECOND } from '../../core/contract/time.ts'
import { AppError } from '../../core/errors.ts'
import { checkZip } from '../../core/leads/assign-provider.ts'
import * as places from '../../core/leads/stores/places.ts'
import * as providerRecord from '../../core/providers/stores/provider-record.ts'
import * as providers from '../../core/providers/stores/providers.ts'
import type { Handle } from '../handle.ts'
import { rateLimit, zipLimit } from '../middleware/rate-limit.ts'
import type { Pages } from '../pages.ts'
import type { Services } from '../services.ts'

export function placeRoutes(handle: Handle, { db }: Pick<Services, 'db'>): void {
  handle(placeCalls.searchPlaces, ({ ctx, query: { q } }) => {
    // Zip codes hardly ever change; clinics may.
    ctx.set('Cache-Control', 'public, max-age=600')
    return places.search(db, q)
  })
}

export function zipCodeRoutes(handle: Handle, { db, env }: Pick<Services, 'db' | 'env'>): void {
  handle(placeCalls.getZipReach, zipLimit(env), async ({ ctx, params: { zip }, query: { providerId } }) => {
    const reach = await checkZip(db, { zip, chosenId: providerId }, env.MATCH_RADIUS_MILES)
    if (!reach) throw new AppError('not_found', `We do not know the zip code ${zip}.`)

    // Short, so that a clinic that has just paused is not promised for long.
    ctx.set('Cache-Control', 'public, max-age=60')
    return reach
  })
}

/** One look at the map takes about 30 tiles. Per minute and address. */
const TILE_RATE = 600
const MAX_ZOOM = 19
/** In bytes. A tile of a street map has about 15 KB. */
const MAX_TILE_SIZE = 512 * 1024
const MAX_CACHE_SIZE = 32 * 1024 * 1024
const TILE_TIMEOUT = 10 * SECOND
/** Tiles that are loaded at once, and those that may wait for it. */
const CONCURRENCY = 6
const MAX_WAITING = 120
/** How long a tile is kept: what its server says, within these limits, else `USUAL_AGE` (OpenStreetMap's tile usage policy). */
const MIN_AGE = HOUR
const MAX_AGE = 30 * DAY
const USUAL_AGE = 7 * DAY

type Tile = { type: string; body: Buffer; expiresAt: number }

/** Serves the tiles of the maps, so that the server of `MAP_TILE_URL` learns the number of a tile and no visitor. */
export function mapTileRoutes(router: Router, { env, log }: Services): void {
  const limit = rateLimit(TILE_RATE, 'Too many parts of the map were requested. Please try again in a minute.')
  const load = tileLoader(env.PUBLIC_URL)

  router.get('/tiles/:z/:x/:y', limit, async (ctx) => {
    const url = addressOf(env.MAP_TILE_URL.url, ctx.params)
    if (!url) throw new AppError('not_found', 'There is no such part of the map.')
    const tile = await load(url).catch((error: Error) => {
      log.warn({ reason: error.message }, 'map tile not loaded')
      throw new AppError('unavailable', 'This part of the map could not be loaded.', { retryAfterSeconds: 60 })
    })
    const maxAge = Math.max(0, Math.round((tile.expiresAt - Date.now()) / SECOND))
    ctx.set('Cache-Control', `public, max-age=${maxAge}`)
    // A drawing from another server must not run anything, wherever it is opened.
    ctx.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    ctx.type = tile.type
    ctx.body = tile.body
  })
}

/** Returns the address of a tile; null unless it is one of the map. */
function addressOf(template: string, { z = '', x = '', y = '' }: Record<string, string | undefined>): string | null {
  const isNumber = [z, x, y].every((text) => /^(0|[1-9]\d{0,5})$/.test(text))
  if (!isNumber || Number(z) > MAX_ZOOM || Math.max(Number(x), Number(y)) >= 2 ** Number(z)) return null
  const values: Record<string, string> = { z, x, y, s: 'abc'[(Number(x) + Number(y)) % 3] ?? 'a', r: '' }
  return template.replace(/\{([zxysr])\}/g, (_, name) => values[name] ?? '')
}

/** Returns a function that loads tiles and keeps the latest. A tile that can't be loaded again is served as it was. */
function tileLoader(publicUrl: string): (url: string) => Promise<Tile> {
  const kept = new Map<string, Tile>()
  const loading = new Map<string, Promise<Tile>>()
  const queue = pLimit(CONCURRENCY)
  const headers = { accept: 'image/*', 'user-agent': `Leadwell (+${publicUrl})` }
  let size = 0

  return async (url) => {
    const known = kept.get(url)
    if (known && known.expiresAt > Date.now()) return keep(url, known)
    const loaded = loading.get(url) ?? start(url)
    return known ? loaded.catch(() => known) : loaded
  }

  function start(url: string): Promise<Tile> {
    if (queue.pendingCount >= MAX_WAITING) throw new Error('too many tiles are being loaded')
    const loaded = queue(() => fetchTile(url, headers)).then((tile) => keep(url, tile))
    loading.set(url, loaded)
    loaded.catch(() => {}).then(() => loading.delete(url))
    return loaded
  }

  function keep(url: string, tile: Tile): Tile {
    forget(url)
    kept.set(url, tile)
    size += tile.body.length
    while (size > MAX_CACHE_SIZE) forget(String(kept.keys().next().value))
    return tile
  }

  function forget(url: string): void {
    size -= kept.get(url)?.body.length ?? 0
    kept.delete(url)
  }
}

/** @throws Error unless the server answers with a picture, in time and of a usual size */
async function fetchTile(url: string, headers: Record<string, string>): Promise<Tile> {
  const response = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(TILE_TIMEOUT) })
  const type = response.headers.get('content-type') ?? ''
  if (!response.ok || !/^image\/[\w.+-]+/.test(type)) {
    await response.body?.cancel()
    throw new Error(`the server of the tiles answered ${response.status} with ${type || 'nothing'}`)
  }
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of response.body ?? []) {
    length += part.length
    if (length > MAX_TILE_SIZE) throw new Error('the tile is too large')
    parts.push(part)
  }
  return { type, body: Buffer.concat(parts), expiresAt: Date.now() + ageOf(response.headers.get('cache-control')) }
}

function ageOf(cacheControl: string | null): number {
  const seconds = /max-age=(\d{1,9})/.exec(cacheControl ?? '')?.[1]
  return seconds ? Math.min(MAX_AGE, Math.max(MIN_AGE, Number(seconds) * SECOND)) : USUAL_AGE
}

/** Serves the pictures of providers. Their names are hashes of their bytes, so browsers may cache them permanently. */
export function pictureRoutes(router: Router, { db }: Services, pages: Pages): void {
  const rounded = roundPictures()

  /** Serves the picture of a provider for emails. The address names the provider and nothing about the reader. */
  router.get('/pictures/clinic-:id.png', async (ctx) => {
    const id = /^\d{1,9}$/.test(ctx.params.id ?? '') ? Number(ctx.params.id) : 0
    const provider = await providers.find(db, id)
    const source = provider && (provider.status === 't' || !provider.hidden) ? provider.image_url : null
    const read = (path: string) =>
      path.startsWith('/pictures/') ? providerRecord.find(db, path.slice('/pictures/'.length)) : pages.file(path)
    const body = source && (await rounded(source, read))
    if (!body) return

    ctx.type = 'image/png'
    ctx.set('Cache-Control', `public, max-age=${DAY / 1000}`)
    // Mail programs show it on sites of their own.
    ctx.set('Cross-Origin-Resource-Policy', 'cross-origin')
    ctx.body = body
  })

  router.get('/pictures/:fileName', async (ctx) => {
    const { fileName = '' } = ctx.params
    const body = /^[0-9a-f]{32}\.webp$/.test(fileName) ? await providerRecord.find(db, fileName) : null
    if (!body) return

    ctx.type = 'image/webp'
    ctx.set('Cache-Control', `public, max-age=${(365 * DAY) / 1000}, immutable`)
    ctx.body = body
  })
}

/** In pixels: twice the size that the email shows, for high-density screens. */
const SIDE = 144
const CIRCLE = Buffer.from(`<svg width="${SIDE}" height="${SIDE}"><circle cx="72" cy="72" r="72"/></svg>`)
/** About 15 KB each. */
const MAX_KEPT = 200

/** Cuts pictures to circles, as PNG: Outlook shows no WebP, SVG or round border. Null means that it is no picture. */
function roundPictures() {
  const kept = new Map<string, Promise<Buffer | null>>()
  return (source: string, read: (source: string) => Promise<Buffer | null>): Promise<Buffer | null> => {
    const known = kept.get(source)
    if (known) return known
    const made = read(source).then((bytes) => bytes && roundPicture(bytes))
    kept.set(source, made)
    made.then(
      (body) => body === null && kept.delete(source),
      () => kept.delete(source),
    )
    const oldest = kept.keys().next().value
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
    return made
  }
}

async function roundPicture(bytes: Buffer): Promise<Buffer | null> {
  // Loaded when it is first needed, because it is large.
  const { default: sharp } = await import('sharp')
  return sharp(bytes)
    .resize({ width: SIDE, height: SIDE, fit: 'cover' })
    .composite([{ input: CIRCLE, blend: 'dest-in' }])
    .png({ palette: true })
    .toBuffer()
    .catch(() => null)
}

/** Serves robots.txt and the sitemap of each host, because each host is a site of its own. */
export function searchEngineRoutes(router: Router, pages: Pages): void {
  router.get('/robots.txt', async (ctx) => {
    const { origin } = await pages.siteOf(ctx)

    ctx.type = 'text'
    ctx.body = `User-agent: *\nDisallow: /api/\n\nSitemap: ${origin}/sitemap.xml\n`
  })

  // Source: https://www.sitemaps.org/protocol.html
  router.get('/sitemap.xml', async (ctx) => {
    const { origin, provider } = await pages.siteOf(ctx)
    const { rows } = await pages.built()
    const listed = [...rows.values()].filter(({ rendered, robots }) => rendered === 'build' && robots === 'index')
    // A provider's site also serves the pages of the main site, but they are listed there.
    const paths = provider ? ['/'] : listed.map(({ path }) => path)

    ctx.type = 'application/xml'
    ctx.body = [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
      ...paths.sort().map((path) => `  <url><loc>${origin}${path}</loc></url>`),
      '</urlset>\n',
    ].join('\n')
  })
}
