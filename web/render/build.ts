// Builds the web: `tsx web/render/build.ts [folder]`. The folder gets
//   client/        what browsers load
//   server/        the renderer that the API uses for pages that are not the same for everybody
//   pages/         the pages that are, as HTML; links to the main site start with ORIGIN, which the API replaces
//   not-found.html, shell.html
//   build.json     what the renderer needs to know of the client
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { merge, mesh } from 'topojson-client'
import type { Topology } from 'topojson-specification'
import { build, type Manifest } from 'vite'
import { palette } from '../../core/brand/palette.ts'
import { NOTICES_PATH, type PageData } from '../../core/contract/page.ts'
import { pages } from '../pages.ts'
import { OUTLINES, pixelOf } from '../shared/map/points.ts'
import { linkElement, stylePreloadElement } from './document.ts'

/** Placeholder for the main site, whose address is a setting of the API. */
const ORIGIN = 'https://main.invalid'

// Vite inherits this from its caller; a test would otherwise build React's development version.
process.env.NODE_ENV = 'production'

/** The data for prerendering. The API replaces it when it serves a page. */
const PRERENDERED: PageData = {
  mainDomain: '',
  timeZone: 'UTC',
  mapTiles: { url: '', attribution: '' },
  hostProvider: null,
}

const COMPRESSIBLE = /\.(js|css|svg)$/
/** The shortest step of an outline, in pixels. */
const STEP = 2

/** The quality of Brotli is by default the highest: 30 times the time of 5, for 10% less to load. */
const [output = 'dist/web', quality = constants.BROTLI_MAX_QUALITY] = process.argv.slice(2)
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: Number(quality) } }
const METHODS = {
  br: (content: Buffer) => promisify(brotliCompress)(content, brotli),
  gz: promisify<Buffer, Buffer>(gzip),
}
const folder = resolve(output)
const client = join(folder, 'client')
const server = join(folder, 'server')

await rm(folder, { recursive: true, force: true })
await build({ logLevel: 'warn', build: { outDir: client, manifest: 'manifest.json' } })
await build({
  logLevel: 'warn',
  // React as production runs it, in tests and on a developer's machine as well: its development version takes several times as long.
  define: { 'process.env.NODE_ENV': '"production"' },
  build: { outDir: server, ssr: 'render/server.tsx', copyPublicDir: false },
  ssr: { noExternal: true },
})
await prerender(await describeClient())
await writeFile(join(client, 'art', 'map', 'states.svg'), await drawOutlines())
await addNotice(join(client, NOTICES_PATH))
await compressFiles(join(client, 'assets'))

async function describeClient() {
  const manifest: Manifest = JSON.parse(await readFile(join(client, 'manifest.json'), 'utf8'))
  const { html, styleHash } = await withInlineStyles(await readFile(join(client, 'index.html'), 'utf8'))
  await Promise.all(['manifest.json', 'index.html'].map((file) => rm(join(client, file))))

  // Every page needs these (grouped in vite.config.ts): `main` at once, `site` at the first interaction.
  const main = filesOf(manifest, moduleNamed(manifest, 'main'))
  const site = filesOf(manifest, moduleNamed(manifest, 'site'))
  const first = new Set([...main, ...site])
  const early = site
    .filter((file) => !main.includes(file))
    .map((file) => `<link rel="modulepreload" fetchpriority="low" href="${file}">`)
  const template = html.replace('</head>', `${early.join('')}</head>`)
  const links = Object.entries(pages).map(([name, { path, audience }]) => {
    const links = filesOf(manifest, moduleOf(name, audience))
      .filter((file) => !first.has(file))
      // Styles are only preloaded, because a page is shown before the styles of its later parts.
      .map((file) => (file.endsWith('.css') ? stylePreloadElement(file) : linkElement('modulepreload', file)))
    return [path, links.join('')] as const
  })
  return { template, styleHash, links: Object.fromEntries(links), rows: Object.values(pages) }
}

/** Returns the module of a page: `findProvider` is in `find-provider-page.tsx`. */
function moduleOf(page: string, audience?: 'clinic'): string {
  return `${audience ?? 'site/pages'}/${page.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-page.tsx`
}

/** Inlines the style sheet, which saves a phone one round trip. The policy allows it by its hash. */
async function withInlineStyles(html: string): Promise<{ html: string; styleHash: string }> {
  const [link, href] = /<link rel="stylesheet"[^>]* href="(\/assets\/[^"]+\.css)">/.exec(html) ?? []
  if (!link || !href) throw new Error('The built index.html has no style sheet')
  const styles = await readFile(join(client, href), 'utf8')
  return {
    html: html.replace(link, () => `<style>${styles}</style>`),
    styleHash: `sha256-${createHash('sha256').update(styles).digest('base64')}`,
  }
}

function moduleNamed(manifest: Manifest, name: string): string {
  const module = Object.keys(manifest).find((key) => manifest[key]?.name === name)
  if (!module) throw new Error(`The build has no chunk ${name}`)
  return module
}

/** Returns the addresses of a module's script, imports and styles; none if it is bundled into another script. */
function filesOf(manifest: Manifest, module: string): string[] {
  const chunk = manifest[module]
  if (!chunk) return []
  const imported = (chunk.imports ?? []).flatMap((name) => filesOf(manifest, name))
  return [...new Set([...[chunk.file, ...(chunk.css ?? [])].map((file) => `/${file}`), ...imported])]
}

async function prerender(described: Awaited<ReturnType<typeof describeClient>>): Promise<void> {
  const { createRenderer, renderShell } = await import(pathToFileURL(join(server, 'server.js')).href)
  const render = createRenderer(described)
  const renderPage = (url: string) => render({ url, mainOrigin: ORIGIN, origin: ORIGIN, data: PRERENDERED })

  await mkdir(join(folder, 'pages'))
  for (const { path, rendered } of Object.values(pages)) {
    if (rendered !== 'build') continue
    await writeFile(join(folder, 'pages', `${path.slice(1) || 'index'}.html`), await renderPage(path))
  }
  await writeFile(join(folder, 'not-found.html'), await renderPage('/not-found'))
  await writeFile(join(folder, 'shell.html'), renderShell(described))
  await writeFile(join(folder, 'build.json'), JSON.stringify(described))
}

/** Writes compressed copies beside each file, so that no request has to wait for compression. */
async function compressFiles(folder: string): Promise<void> {
  const files = (await readdir(folder)).filter((file) => COMPRESSIBLE.test(file))
  const compressed = files.flatMap((file) =>
    Object.entries(METHODS).map(async ([extension, compress]) => {
      const content = await readFile(join(folder, file))
      await writeFile(join(folder, `${file}.${extension}`), await compress(content))
    }),
  )
  await Promise.all(compressed)
}

/** Puts our own notices, with the licenses of the fonts, before those that Vite has collected from the packages of the browser. */
async function addNotice(file: string): Promise<void> {
  const instrumentSans = createRequire(import.meta.url).resolve('@fontsource-variable/instrument-sans/LICENSE')
  const parts = await Promise.all(
    ['NOTICE', 'web/fonts/LICENSE', instrumentSans, file].map((part) => readFile(part, 'utf8')),
  )
  await writeFile(file, parts.join('\n\n'))
}

/** Draws the map's placeholder from the US Census Bureau's boundary files, 2017 (npm us-atlas, ISC). */
async function drawOutlines(): Promise<string> {
  const file = createRequire(import.meta.url).resolve('us-atlas/states-10m.json')
  const topology: Topology = JSON.parse(await readFile(file, 'utf8'))
  const states = topology.objects.states as never
  const land = merge(topology, (states as { geometries: never[] }).geometries).coordinates.flat()
  const borders = mesh(topology, states).coordinates
  const { x, y, width, height } = OUTLINES
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${x} ${y} ${width} ${height}">`,
    `<path d="${land.map(lineOf).join('')}" fill="${palette.mist}"/>`,
    `<path d="${borders.map(lineOf).join('')}" fill="none" stroke="${palette.edge}"/>`,
    '</svg>',
  ].join('')
}

/** Returns an SVG path through pixels: its start, then each step. */
function lineOf(places: number[][]): string {
  const [start, ...others] = places.map(([longitude = 0, latitude = 0]) => pixelOf({ latitude, longitude }))
  if (!start) return ''
  let at = start
  const steps = others.flatMap(({ x, y }) => {
    if (Math.abs(x - at.x) + Math.abs(y - at.y) < STEP) return []
    const step = `${x - at.x} ${y - at.y}`
    at = { x, y }
    return [step]
  })
  return steps.length > 0 ? `M${start.x} ${start.y}l${steps.join(' ')}` : ''
}
