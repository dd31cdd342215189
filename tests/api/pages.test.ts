import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Koa from 'koa'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { securityHeaders } from '../../api/middleware/security.ts'
import { web } from '../../api/middleware/web.ts'
import { createPages } from '../../api/pages.ts'
import { brand } from '../../core/brand/brand.ts'
import { NOTICES_PATH } from '../../core/contract/page.ts'
import { openDb } from '../../core/platform/db.ts'
import { apiWith } from '../support/api-server.ts'
import { testEnv } from '../support/env.ts'
import { createProvider } from '../support/factories.ts'
import { rawRequest } from '../support/raw-http.ts'
import { waitFor } from '../support/wait.ts'
import { HTML, MAIN, PAGES, usePagesSite } from './pages-site.ts'

const site = usePagesSite()
const { database, get } = site

describe('the main site', () => {
  it('serves its pages as HTML, with the words in them and nothing inline that our policy refuses', async () => {
    const page = await get('/')

    expect(page.status).toBe(200)
    expect(page.title).toContain(brand.company)
    expect(page.text).toContain('Limited Spots Available!')
    expect(page.canonical).toBe(`${MAIN}/`)
    expect(page.text).toContain(`<meta property="og:url" content="${MAIN}/">`)
    expect(page.linkedData).toMatchObject({ '@type': 'Organization', url: `${MAIN}/` })
    expect(page.data).toMatchObject({ mainDomain: 'www.leadwell.example', hostProvider: null })
    expect(page.text).not.toMatch(/<script(?![^>]*(\ssrc=|type="application\/))/)
    expect(page.text).not.toMatch(/\sstyle=/)
    const styles = /<style>(.*?)<\/style>/s.exec(page.text)?.[1] ?? ''
    const hash = createHash('sha256').update(styles).digest('base64')
    expect(page.headers['content-security-policy']).toContain(`style-src 'sha256-${hash}' 'self';`)
    expect(page.text).not.toContain('main.invalid')
  })

  it('leaves nothing of a query in what search engines are told', async () => {
    expect((await get('/?utm_source=x')).canonical).toBe(`${MAIN}/`)
  })

  it('is what every host shows that is nobody’s', async () => {
    for (const host of ['unknown.example', '127.0.0.1', 'quill.example.evil.example', 'quill.example@evil.example']) {
      expect((await get('/', host)).data.hostProvider, host).toBeNull()
    }
  })

  it('answers 404 with a page of its own where there is none', async () => {
    for (const path of ['/no/such/page', '/shell', '/index', '/not-found']) {
      const page = await get(path)
      expect([page.status, page.title], path).toEqual([404, expect.stringContaining('Page Not Found')])
      expect(page.text).toContain('noindex')
    }
  })

  it('has one address for each page', async () => {
    const { status, headers } = await get('/terms/?a=1')
    expect([status, headers.location]).toEqual([301, '/terms?a=1'])
    expect((await get('/Terms')).headers.location).toBe('/terms')
    expect((await get('//evil.example/')).headers.location).toBeUndefined()
  })

  it('keeps its private pages from search engines', async () => {
    for (const path of ['/admin', '/getmpx', '/success?noProvider=true']) {
      expect((await get(path)).headers['x-robots-tag'], path).toBe('noindex')
    }
    expect((await get('/')).headers['x-robots-tag']).toBeUndefined()
  })

  it('tells a browser without scripts that the staff’s pages need them', async () => {
    expect((await get('/admin')).text).toContain('<noscript>This page needs JavaScript.')
  })

  it('says where search engines find its pages', async () => {
    expect((await get('/robots.txt')).text).toContain(`Sitemap: ${MAIN}/sitemap.xml`)
    const sitemap = (await get('/sitemap.xml')).text
    expect(sitemap).toContain(`<loc>${MAIN}/</loc>`)
    expect(sitemap).toContain(`<loc>${MAIN}/terms</loc>`)
    expect(sitemap).not.toMatch(/admin|success|microsite/)
  })
})

describe('the map', () => {
  it('is drawn with what stands on it, before any script runs', async () => {
    const { text, data } = await get('/map')
    expect(data.marks).toEqual([{ kind: 'provider', id: site.quill, latitude: 30.27, longitude: -97.74 }])
    expect(text.match(/<(image|g) data-mark/g)).toHaveLength(1)
  })

  it('comes with the list of what its address asks for: a zip code, a city, an offer or a clinic', async () => {
    const { id: denver } = await createProvider(database.db, {
      practice_name: 'Denver Clinic',
      latitude: 39.74,
      longitude: -104.99,
      accepts_free_consultation: true,
    })
    onTestFinished(() => database.db('providers').where({ id: denver }).delete())

    const htmlOf = async (path: string) => (await get(path)).text.split('id="page-data"')[0]
    const near = await htmlOf('/map?zip=78704')
    expect(near).toContain('Nearest to Austin, TX 78704')
    expect(near).toMatch(/[\d.]+ miles from Austin, TX 78704/)
    expect(near).not.toContain('Denver Clinic')
    const listed = async (path: string) => (await get(path)).data.mapList?.listed.map(({ id }: { id: number }) => id)
    expect(await listed('/map?place=Denver,+CO')).toEqual([denver, site.quill])
    expect(await listed('/map?q=denver')).toEqual([denver, site.quill])
    expect(await listed('/map?free=1')).toEqual([denver])
    expect(await listed(`/map?provider=${site.quill}`)).toEqual([site.quill, denver])
    expect((await get('/map?q=austin&free=1')).data.mapList?.counts).toEqual({ total: 0, free: 0, financing: 0 })

    expect((await get('/map?place=Texas')).data.mapList?.counts.total).toBe(2)
    expect(await htmlOf('/map?q=Xanadu')).toContain('We couldn’t find “Xanadu”. Try a zip code, or a city and state.')
    const far = await htmlOf('/map?zip=99723')
    expect(far?.replaceAll('<!-- -->', '')).toContain('No clinic within 100 miles of Barrow, AK yet')
    expect(far).toContain('href="/start?zip_code=99723"')
  })
})

it('lists a clinic without coordinates by its zip code on the map, as the form finds it, and draws no pin', async () => {
  const { id } = await createProvider(database.db, {
    practice_name: 'Wichita Clinic',
    zip_code: '67202',
    latitude: null,
    longitude: null,
  })
  onTestFinished(() => database.db('providers').where({ id }).delete())
  const { text, data } = await get('/map?zip=67202')
  expect(data.mapList?.listed[0]).toMatchObject({ id, practiceName: 'Wichita Clinic' })
  expect(data.mapList?.counts.total).toBe(1)
  expect(text.replaceAll('<!-- -->', '')).toContain('Less than a mile from Wichita, KS 67202')
})

describe('a page with a lead form', () => {
  /** A page that could not wait for the database does without the answer. */
  const answered = (path: string, host?: string) =>
    waitFor('the answer to the zip code', async () => {
      const page = await get(path, host)
      return page.data.zipReach && page
    })

  it.each(['/start', '/homev2'])('answers the zip code in its address: %s', async (path) => {
    const near = await answered(`${path}?zip_code=78702`)
    expect(near.text).toMatch(/Yes\. About \d+ miles? from you, in Austin, TX\./)
    expect(near.data.zipReach).toMatchObject({ zip: '78702', reach: { inReach: true } })

    const ofClinic = await answered(`${path}?zip_code=78702`, 'quill.example')
    expect(ofClinic.text).toMatch(/Yes\. This clinic is about \d+ miles? from you\./)
    expect(ofClinic.data.zipReach).toMatchObject({ providerId: site.quill })

    expect((await answered(`${path}?zip_code=99901`)).text).toContain('No clinic within 100 miles of Ketchikan, AK yet')
    expect((await answered(`${path}?zip_code=99949`)).data.zipReach.reach).toBeNull()
    expect((await get(`${path}?zip_code=787`)).data.zipReach).toBeUndefined()
  })
})

it('the open-source notices name what the site contains with its license: our own notice, the fonts, and each package in the browser', async () => {
  const { text, status, headers } = await rawRequest(site.api.url, { path: NOTICES_PATH })
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  for (const name of ['Hippocratic License 2.1', 'GeoNames', 'US Census', 'OpenStreetMap', 'LGPL-3.0']) {
    expect(text).toContain(name)
  }
  for (const font of ['Newsreader', 'Instrument Sans']) expect(text).toContain(`The ${font} Project Authors`)
  expect(text.match(/SIL OPEN FONT LICENSE Version 1\.1/g)).toHaveLength(2)
  for (const name of ['react', 'react-dom', 'react-leaflet', 'leaflet', 'zod', 'us-atlas']) {
    expect(text).toMatch(new RegExp(`^## ${name} `, 'm'))
  }
  expect(text).toContain('Permission is hereby granted, free of charge')
})

it.each(['on', 'off'])(
  'the measurement of ads is offered, and its hosts are allowed, only where the setting is on: %s',
  async (setting) => {
    const { id } = await createProvider(database.db, { google_ads_id: 'AW-123456789', bing_ads_id: '97254096' })
    const asking = await apiWith(database.app, { AD_MEASUREMENT: setting })
    const { text, headers } = await rawRequest(asking.url, { path: `/?providerId=${id}`, headers: HTML })
    expect(text.includes('"measuresAds":true')).toBe(setting === 'on')
    expect(/google|bing/.test(String(headers['content-security-policy']))).toBe(setting === 'on')
  },
)

it('a page that cannot be rendered is left to the browser, and logged without what somebody has typed into the address', async () => {
  const root = await mkdtemp(join(tmpdir(), 'leadwell-web-'))
  onTestFinished(() => rm(root, { recursive: true }))
  await cp(fileURLToPath(new URL('../../dist/web', import.meta.url)), root, { recursive: true })
  const broken = 'export const createRenderer = () => () => Promise.reject(new Error("no renderer"))'
  await writeFile(join(root, 'server/server.js'), `${broken}\nexport const fillInData = (html) => html`)
  const said: string[] = []
  const log = pino({}, { write: (line) => void said.push(line) })
  const env = testEnv({ PUBLIC_URL: MAIN, MAIN_DOMAIN: 'www.leadwell.example' })
  const pages = createPages({ db: database.db, env, log }, root)
  const site = new Koa().use(securityHeaders(env)).use(web({ root, pages, log })).listen(0, '127.0.0.1')
  onTestFinished(() => void site.close())
  await once(site, 'listening')
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`

  for (const path of ['/canary@secret?q=canary', '/microsite?providerId=canary', '/']) {
    const { status, text } = await rawRequest(url, { path, headers: { host: 'quill.example', ...HTML } })
    expect([status, text.includes('<noscript>This page needs JavaScript.')], path).toEqual([200, true])
  }
  expect(said.map((line) => JSON.parse(line))).toMatchObject(
    ['/…', '/microsite', '/'].map((path) => ({ msg: 'page not rendered', path, err: { message: 'no renderer' } })),
  )
  expect(said.join()).not.toContain('canary')
})

it.each(['/', '/start', '/homev2'])(
  'shows the first visitor after a start how many clinics there are: %s',
  async (path) => {
    const started = await apiWith(database.db, PAGES)
    const { text } = await rawRequest(started.url, { path, headers: { host: 'www.leadwell.example', ...HTML } })
    expect(text).toMatch(/\d+ certified clinics? in \d+ states?/)
  },
)

it('shows the main site to everyone while the database is away', async () => {
  const db = openDb('postgres://nobody@127.0.0.1:1/none')
  onTestFinished(() => db.destroy())
  const away = await apiWith(db, PAGES)
  for (const host of ['www.leadwell.example', 'quill.example']) {
    const { status, text } = await rawRequest(away.url, { path: '/', headers: { host, ...HTML } })
    expect([status, text.includes('Limited Spots Available!')], host).toEqual([200, true])
  }
  const start = { path: '/start?zip_code=78702', headers: { host: 'www.leadwell.example', ...HTML } }
  const { status, text } = await rawRequest(away.url, start)
  expect([status, text.includes('Tell us about you'), text.includes('from you')]).toEqual([200, true, false])
  const map = await rawRequest(away.url, { path: '/map', headers: { host: 'www.leadwell.example', ...HTML } })
  expect([map.status, map.text.includes('Provider Network'), map.text.includes('data-mark')]).toEqual([
    200,
    true,
    false,
  ])
})
