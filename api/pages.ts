import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Context } from 'koa'
import { namedProvider, type PageData, type PageFacts, providerOrigin, type RenderPage } from '../core/contract/page.ts'
import type { Mark, ProviderPoint } from '../core/contract/provider-points.ts'
import { MicrositeProvider, ProviderParams } from '../core/contract/providers.ts'
import { isOwnHost } from '../core/rules/own-hosts.ts'
import * as providers from '../core/stores/providers.ts'
import { MINUTE } from '../core/time.ts'
import { type KeptBody, keepBody } from './kept-body.ts'
import type { Services } from './services.ts'

/** What the web's build has left (see web/render/build.ts). */
type Build = {
  /** The rows of `web/pages.ts`, by path. */
  rows: Map<string, PageFacts>
  /** The pages that were rendered with the build, by path. */
  prerendered: Map<string, KeptBody>
  notFound: KeptBody
  /** A page that only the browser draws. */
  shell: KeptBody
  render: RenderPage
  /** What stands on a map of the whole country. */
  countryMarks(points: ProviderPoint[]): Mark[]
  /** Adds to a page what the browser is told of it. */
  fillInData(html: string, data: PageData): string
  /** Of the style sheet in each page, for the Content-Security-Policy. */
  styleHash: string
}

/** A form of the page that was refused, or what became of a link that leads to it. */
type Told = Pick<PageData, 'form' | 'optOut'>

/** Path and query of a page. */
type Address = { path: string; querystring: string }

/** Where a request was made: on the main site, or on a provider's own. */
export type Site = { origin: string; provider: MicrositeProvider | null }

export type Pages = ReturnType<typeof createPages>

/** A page, its row if there is one, whether there is a page at that address, and the provider whose page it is. */
export type Page = {
  html: string | KeptBody
  row?: PageFacts
  isKnown: boolean
  provider: MicrositeProvider | null
}

/** A new provider is on the picture of the map after this time at the latest. */
const MARKS_MAX_AGE = MINUTE

/** Queries that change a page. */
const QUERIES_OF_PAGES = ['providerId', 'zip_code', 'noProvider', 'inReview', 'applied']

/** The HTML of the public pages. What is in `root` is read once, when the first page is asked for. */
export function createPages({ db, env, log }: Pick<Services, 'db' | 'env' | 'log'>, root: string) {
  const mainSite: PageData = {
    mainDomain: env.MAIN_DOMAIN,
    timeZone: env.NETWORK_TIME_ZONE,
    mapTiles: { url: env.MAP_TILE_URL, attribution: env.MAP_TILE_ATTRIBUTION },
    offerDeadline: env.OFFER_DEADLINE,
    hostProvider: null,
  }
  let build: Promise<Build> | undefined
  const readBuild = () => {
    build ??= openBuild(root, env.PUBLIC_URL, mainSite).catch((error) => {
      build = undefined
      throw error
    })
    return build
  }

  /** The site of the host that was asked, by exact name. If that cannot be found out, it is the main one. */
  async function siteOf(ctx: Context): Promise<Site> {
    const main = { origin: env.PUBLIC_URL, provider: null }
    if (isOwnHost(ctx.hostname, env.MAIN_DOMAIN)) return main

    const provider = await providers.findByDomain(db, ctx.hostname).catch((error) => {
      log.warn({ err: error }, 'host lookup failed')
      return null
    })
    if (provider?.status !== 't' || !provider.domain) return main
    return { origin: providerOrigin(provider.domain, env.PUBLIC_URL), provider: MicrositeProvider.parse(provider) }
  }

  /** The provider that an address names, if it names one and as far as it can be found out. */
  async function chosenBy(query: URLSearchParams): Promise<PageData['chosen']> {
    const providerId = namedProvider(query)
    if (!providerId) return undefined
    const params = ProviderParams.safeParse({ providerId })
    if (!params.success) return { id: 0, provider: null }
    const id = params.data.providerId
    try {
      const provider = await providers.find(db, id)
      return { id, provider: provider?.status === 't' ? MicrositeProvider.parse(provider) : null }
    } catch (error) {
      log.warn({ err: error }, 'provider lookup failed')
      return undefined
    }
  }

  const isOfferOver = () => env.OFFER_DEADLINE !== undefined && Date.parse(env.OFFER_DEADLINE) <= Date.now()

  const mapMarks = remembered(MARKS_MAX_AGE, async () => {
    const { countryMarks } = await readBuild()
    const lists = await Promise.all((['active', 'inactive'] as const).map((status) => providers.listPoints(db, status)))
    return countryMarks(lists.flat())
  })
  /** What stands on the map, if that can be found out. */
  const marksOf = (row: PageFacts | undefined) =>
    row?.changesWith === 'marks'
      ? mapMarks().catch((error) => {
          log.warn({ err: error }, 'places of the map not found')
          return undefined
        })
      : undefined

  /** Renders a page for this very address, with what only it is told. */
  async function render({ origin, provider }: Site, { path, querystring }: Address, told: Told = {}): Promise<Page> {
    const { rows, render, fillInData } = await readBuild()
    const row = rows.get(path)
    const query = new URLSearchParams(querystring)
    const chosen = await chosenBy(query)
    const marks = await marksOf(row)
    const offerIsOver = isOfferOver() || undefined
    const data: PageData = { ...mainSite, hostProvider: provider, chosen, marks, offerIsOver, ...told }
    const url = querystring ? `${path}?${querystring}` : path
    const html = fillInData(await render({ url, mainOrigin: env.PUBLIC_URL, origin, data }), data)

    const isUnnamed = !provider && row?.provider === 'always' && !namedProvider(query)
    const hasNoProvider = chosen ? chosen.provider === null : isUnnamed
    const isKnown = row !== undefined && !(row.provider && hasNoProvider)
    return { html, row, isKnown, provider: chosen ? chosen.provider : provider }
  }

  /** The map of the main site, rendered once for the marks on it. */
  const mapPages = new WeakMap<Mark[], Promise<KeptBody>>()
  async function mapPage(path: string): Promise<KeptBody> {
    const marks = await mapMarks()
    const kept = mapPages.get(marks)
    if (kept) return kept
    const site = { origin: env.PUBLIC_URL, provider: null }
    const rendered = render(site, { path, querystring: '' }).then(({ html }) => keepBody(String(html)))
    mapPages.set(marks, rendered)
    rendered.catch(() => mapPages.delete(marks))
    return rendered
  }

  /** A page as it is for everybody on the main site; undefined where it must be rendered for the request. */
  async function keptOf({ path, changesWith }: PageFacts): Promise<KeptBody | undefined> {
    if (changesWith === 'marks') return mapPage(path).catch(() => undefined)
    if (changesWith === 'offer' && isOfferOver()) return undefined
    return (await readBuild()).prerendered.get(path)
  }

  return {
    siteOf,
    render,
    /** What the web's build has made. */
    built: readBuild,
    /** A page that only the browser draws: staff's, or one that cannot be rendered. */
    async shell(path: string): Promise<Page> {
      const { rows, shell } = await readBuild()
      return { html: shell, row: rows.get(path), isKnown: true, provider: null }
    },

    /** The page at an address: as it was rendered with the build, where that is the same for everybody. */
    async find(ctx: Context): Promise<Page> {
      const { path, querystring } = ctx
      const { rows, notFound } = await readBuild()
      const row = rows.get(path)
      if (row?.rendered === 'browser') return this.shell(path)

      const site = await siteOf(ctx)
      const query = new URLSearchParams(querystring)
      const isSameForAll = site.provider === null && !QUERIES_OF_PAGES.some((name) => query.has(name))
      const html = row && isSameForAll ? await keptOf(row) : undefined
      if (html) return { html, row, isKnown: true, provider: null }
      if (!row && !site.provider) return { html: notFound, isKnown: false, provider: null }
      return render(site, { path, querystring })
    },
  }
}

/** Finds something out at most once in so many milliseconds. What fails is tried again at the next call. */
function remembered<Value>(milliseconds: number, find: () => Promise<Value>): () => Promise<Value> {
  let known: { value: Promise<Value>; until: number } | undefined
  return () => {
    if (known && performance.now() < known.until) return known.value
    const asked = { value: find(), until: performance.now() + milliseconds }
    known = asked
    asked.value.catch(() => {
      if (known === asked) known = undefined
    })
    return asked.value
  }
}

async function openBuild(root: string, publicUrl: string, mainSite: PageData): Promise<Build> {
  // What was built has another address in the place of the main site's, which is a setting.
  const read = async (file: string) => {
    const text = await readFile(join(root, file), 'utf8')
    return text.replaceAll('https://main.invalid', publicUrl)
  }
  const [{ createRenderer, countryMarks, fillInData }, description, notFound, shell, files] = await Promise.all([
    import(pathToFileURL(join(root, 'server', 'server.js')).href),
    read('build.json'),
    read('not-found.html'),
    read('shell.html'),
    readdir(join(root, 'pages')),
  ])
  const prerendered = await Promise.all(
    files.map(async (file) => [pathOf(file), keepBody(fillInData(await read(join('pages', file)), mainSite))] as const),
  )
  const client: { rows: PageFacts[]; styleHash: string } = JSON.parse(description)
  return {
    rows: new Map(client.rows.map((row) => [row.path, row])),
    prerendered: new Map(prerendered),
    notFound: keepBody(fillInData(notFound, mainSite)),
    shell: keepBody(shell),
    render: createRenderer(client),
    countryMarks,
    fillInData,
    styleHash: client.styleHash,
  }
}

function pathOf(file: string): string {
  const name = file.replace('.html', '')
  return name === 'index' ? '/' : `/${name}`
}
