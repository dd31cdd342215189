import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from 'koa'
import { ZipCode } from '../core/contract/forms.ts'
import {
  isOwnHost,
  MAP_PARAMETERS,
  MAP_TILES_URL,
  MAX_LISTED,
  type MapList,
  MIDDLE_OF_US,
  NEAR_MILES,
  namedProvider,
  type PageData,
  type PageFacts,
  providerOrigin,
  searchOfMap,
} from '../core/contract/page.ts'
import { PlaceQuery, stateOf } from '../core/contract/places.ts'
import { MINUTE, SECOND } from '../core/contract/time.ts'
import { checkZip } from '../core/leads/assign-provider.ts'
import * as places from '../core/leads/stores/places.ts'
import type { Db } from '../core/platform/db.ts'
import { remembered } from '../core/platform/process.ts'
import { CONSENT_DETAILS_DAYS, DELETED_LEAD_DAYS } from '../core/privacy/contract/data-map.ts'
import {
  isPublic,
  MicrositeProvider,
  ProviderParams,
  PublicProvider,
  publicView,
} from '../core/providers/contract/providers.ts'
import * as providers from '../core/providers/stores/providers.ts'
import { type KeptBody, keepBody } from './parse.ts'
import type { Services } from './services.ts'
import { type Build, openBuild } from './web-build.ts'

/** A returned form of the page, or the state of the link in an email. */
type Extra = Pick<PageData, 'form' | 'optOut' | 'request' | 'called' | 'phoneNumber'> &
  Partial<Pick<PageData, 'timeZone'>>

type Address = { path: string; querystring: string }

/** The site of a request: the main site, or a provider's own. */
export type Site = { origin: string; provider: MicrositeProvider | null }

export type Pages = ReturnType<typeof createPages>

export type Page = {
  html: string | KeptBody
  row?: PageFacts
  isKnown: boolean
  provider: MicrositeProvider | null
}

type Needs = Pick<Services, 'db' | 'env' | 'log'>

/** A new provider appears on the picture of the map after at most this time. */
const MARKS_MAX_AGE = MINUTE

/** A page does without the count of clinics, and without the answer to a zip code, if they take longer than this. */
const MAX_WAIT = 250
/** The first page after a start waits for the count of clinics for this time. */
const FIRST_WAIT = 2 * SECOND

const QUERIES_OF_PAGES = ['providerId', 'zip_code', 'noProvider', 'inReview', 'applied']

/** Creates the look-ups in the database for one request. A page does without what fails or takes too long. */
function createLookups({ db, env, log }: Needs) {
  /** Returns the result, or undefined if it fails. */
  function found<Value>(what: string, result: Promise<Value>): Promise<Value | undefined> {
    return result.catch((error) => {
      log.warn({ err: error }, `${what} lookup failed`)
      return undefined
    })
  }

  /** Returns the result, or undefined if it fails or takes longer than that. */
  function inTime<Value>(what: string, result: Promise<Value>, wait = MAX_WAIT): Promise<Value | undefined> {
    return Promise.race([found(what, result), sleep(wait, undefined, { ref: false })])
  }

  /** Returns the site of the requested host, by exact name, or the main site. */
  async function siteOf(ctx: Context): Promise<Site> {
    const isOwn = isOwnHost(ctx.hostname, env.MAIN_DOMAIN)
    const provider = isOwn ? null : await found('host', providers.findByDomain(db, ctx.hostname))
    if (provider?.status !== 't' || !provider.domain) return { origin: env.PUBLIC_URL, provider: null }
    return { origin: providerOrigin(provider.domain, env.PUBLIC_URL), provider: MicrositeProvider.parse(provider) }
  }

  /** Returns the provider that an address names, if it names one and the lookup succeeds. */
  async function chosenBy(query: URLSearchParams): Promise<PageData['chosen']> {
    const providerId = namedProvider(query)
    if (!providerId) return undefined
    const params = ProviderParams.safeParse({ providerId })
    if (!params.success) return { id: 0, provider: null }
    const id = params.data.providerId
    const provider = await found('provider', providers.find(db, id))
    if (provider === undefined) return undefined
    return { id, provider: provider?.status === 't' ? MicrositeProvider.parse(provider) : null }
  }

  /** Returns what the zip code in an address comes to, on a page with a lead form. */
  async function zipReachOf(
    row: PageFacts | undefined,
    query: URLSearchParams,
    provider: MicrositeProvider | null,
  ): Promise<PageData['zipReach']> {
    const zip = ZipCode.safeParse(query.get('zip_code'))
    if (row?.form !== 'lead' || !zip.success) return undefined
    const asked = { zip: zip.data, chosenId: provider?.id }
    const reach = await inTime('zip code', checkZip(db, asked, env.MATCH_RADIUS_MILES))
    return reach === undefined ? undefined : { zip: asked.zip, providerId: asked.chosenId, reach }
  }

  return { found, inTime, siteOf, chosenBy, zipReachOf }
}

async function listNearest(db: Db, query: URLSearchParams): Promise<MapList> {
  const text = searchOfMap(query)
  const asked = PlaceQuery.safeParse({ q: text })
  const place = asked.success ? ((await places.search(db, asked.data.q))[0] ?? null) : null
  const named = ProviderParams.safeParse({ providerId: query.get('provider') })
  const wishes = { isFree: query.get('free') === '1', hasFinancing: query.get('financing') === '1' }
  const state = place && stateOf(place)
  const from = place ?? (named.success ? await places.findPoint(db, named.data.providerId) : null)
  const area = state ? { state } : place ? { ...place, miles: NEAR_MILES } : undefined
  const [nearest, counts] = await Promise.all([
    places.listNearest(db, { ...(from ?? MIDDLE_OF_US), state }, { ...wishes, limit: MAX_LISTED + 1 }),
    places.countOnMap(db, wishes, area),
  ])
  const isByState = !from && nearest.length > MAX_LISTED
  const points = isByState ? [] : nearest.slice(0, MAX_LISTED)
  const states = isByState ? await places.countByState(db, wishes) : []
  const ids = points.map(({ id }) => id)
  const listed = await providers.findMany(db, ids)
  return {
    ...(text && { search: { text, place } }),
    listed: listed.filter(isPublic).map((each) => publicView(PublicProvider, each)),
    ...{ points, counts, states },
  }
}

/** Returns the HTML of the public pages. The files in `root` are read once, for the first page; all functions share them. */
export function createPages(needs: Needs, root: string) {
  const { db, env } = needs
  const { found, inTime, siteOf, chosenBy, zipReachOf } = createLookups(needs)
  const days = (setting: number) => (setting === Infinity ? null : setting)
  const mainSite: PageData = {
    mainDomain: env.MAIN_DOMAIN,
    timeZone: env.NETWORK_TIME_ZONE,
    mapTiles: { url: MAP_TILES_URL, attribution: env.MAP_TILE_URL.attribution },
    measuresAds: env.AD_MEASUREMENT === 'on' || undefined,
    offerDeadline: env.OFFER_DEADLINE,
    matchRadiusMiles: env.MATCH_RADIUS_MILES,
    hostProvider: null,
    keeping: {
      ...{ leads: days(env.LEAD_RETENTION_DAYS), applications: days(env.LEAD_RETENTION_DAYS) },
      ...{ consents: days(env.CONSENT_RETENTION_DAYS), consentDetails: CONSENT_DETAILS_DAYS },
      deletedLeads: DELETED_LEAD_DAYS,
    },
  }
  let build: Promise<Build> | undefined
  const readBuild = () => {
    build ??= openBuild(root, env.PUBLIC_URL, mainSite).catch((error) => {
      build = undefined
      throw error
    })
    return build
  }

  const isOfferOver = () => env.OFFER_DEADLINE !== undefined && Date.parse(env.OFFER_DEADLINE) <= Date.now()

  const mapMarks = remembered(MARKS_MAX_AGE, async () => {
    const { countryMarks } = await readBuild()
    const lists = await Promise.all((['active', 'inactive'] as const).map((status) => places.listPoints(db, status)))
    return countryMarks(lists.flat().filter(({ isOfZip }) => !isOfZip))
  })
  const today = () => new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: env.NETWORK_TIME_ZONE }).format()

  const readNetwork = remembered(MARKS_MAX_AGE, () => providers.countNetwork(db))

  /** Renders a page for one address, with the data that only this request has. */
  async function render({ origin, provider }: Site, { path, querystring }: Address, extra: Extra = {}): Promise<Page> {
    const { rows, render, fillInData } = await readBuild()
    const row = rows.get(path)
    const query = new URLSearchParams(querystring)
    const chosen = await chosenBy(query)
    const ofPage = chosen ? chosen.provider : provider
    const isMap = row?.changesWith === 'marks'
    const counts = !ofPage && (isMap || row?.changesWith === 'network')
    const [marks, mapList, network, zipReach] = await Promise.all([
      isMap ? found('map marks', mapMarks()) : undefined,
      isMap ? found('map list', listNearest(db, query)) : undefined,
      counts ? inTime('count of clinics', readNetwork()) : undefined,
      zipReachOf(row, query, ofPage),
    ])
    const offerIsOver = isOfferOver() || undefined
    const data: PageData = {
      ...{ ...mainSite, hostProvider: provider, chosen, marks, mapList, network, zipReach, offerIsOver },
      ...(row?.changesWith === 'day' && { today: today() }),
      ...extra,
    }
    const url = querystring ? `${path}?${querystring}` : path
    const html = fillInData(await render({ url, mainOrigin: env.PUBLIC_URL, origin, data }), data)

    const isUnnamed = !provider && row?.provider === 'always' && !namedProvider(query)
    const hasNoProvider = chosen ? chosen.provider === null : isUnnamed
    const isKnown = row !== undefined && !(row.provider && hasNoProvider)
    return { html, row, isKnown, provider: ofPage }
  }

  /** The pages of the main site by path, with the value they were rendered for. None belongs to one visitor. */
  const kept = new Map<string, { value: unknown; page: Promise<KeptBody>; last?: KeptBody }>()
  function pageFor(value: unknown, path: string): Promise<KeptBody> {
    const known = kept.get(path)
    if (known && known.value === value) return known.page
    const site = { origin: env.PUBLIC_URL, provider: null }
    const page = render(site, { path, querystring: '' }).then(({ html }) => keepBody(String(html)))
    const entry = { value, page, last: known?.last }
    kept.set(path, entry)
    page.then(
      (body) => {
        entry.last = body
      },
      // The page before it stays.
      () => kept.get(path) === entry && (known ? kept.set(path, known) : kept.delete(path)),
    )
    return page
  }

  /** Returns the page that is the same for all visitors of the main site; undefined if it must be rendered per request. */
  async function keptOf({ path, changesWith }: PageFacts): Promise<KeptBody | undefined> {
    switch (changesWith) {
      case 'marks':
        return mapMarks()
          .then((marks) => pageFor(marks, path))
          .catch(() => undefined)
      case 'network': {
        // In the background, so that no visitor but the first after a start waits for the count of clinics.
        const counted = readNetwork().then((network) => pageFor(JSON.stringify(network), path))
        const { last } = kept.get(path) ?? {}
        const first = inTime('page with the count of clinics', counted, last ? 0 : FIRST_WAIT)
        return last ?? (await first) ?? prerenderedAt(path)
      }
      case 'day':
      case 'settings':
        return pageFor(changesWith === 'day' ? today() : null, path).catch(() => prerenderedAt(path))
      default:
        return changesWith === 'offer' && isOfferOver() ? undefined : prerenderedAt(path)
    }
  }
  const prerenderedAt = async (path: string) => (await readBuild()).prerendered.get(path)

  return {
    measuresAds: env.AD_MEASUREMENT === 'on',
    siteOf,
    render,
    /** Reads a file of the site, such as a drawing. Null if there is none. */
    async file(path: string): Promise<Buffer | null> {
      const folder = join(root, 'client')
      const file = join(folder, new URL(path, env.PUBLIC_URL).pathname)
      return file.startsWith(`${folder}/`) ? readFile(file).catch(() => null) : null
    },
    built: readBuild,
    /** Returns a page that only the browser renders: for staff, or if rendering failed. */
    async shell(path: string): Promise<Page> {
      const { rows, shell } = await readBuild()
      return { html: shell, row: rows.get(path), isKnown: true, provider: null }
    },

    /** Returns the page at an address: prerendered if it is the same for all visitors, otherwise rendered now. */
    async find(ctx: Context): Promise<Page> {
      const { path, querystring } = ctx
      const { rows, notFound } = await readBuild()
      const row = rows.get(path)
      if (row?.rendered === 'browser') return this.shell(path)

      const site = await siteOf(ctx)
      const query = new URLSearchParams(querystring)
      const changing = row?.changesWith === 'marks' ? [...QUERIES_OF_PAGES, ...MAP_PARAMETERS] : QUERIES_OF_PAGES
      const isSameForAll = site.provider === null && !changing.some((name) => query.has(name))
      const html = row && isSameForAll ? await keptOf(row) : undefined
      if (html) return { html, row, isKnown: true, provider: null }
      // With a clinic, the page keeps its name.
      if (!row && !site.provider && !namedProvider(query)) return { html: notFound, isKnown: false, provider: null }
      return render(site, { path, querystring })
    },
  }
}
