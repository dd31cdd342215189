import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { LEAD_PAGES, MAX_CAMPAIGNS, PageViews } from '../../core/contract/page-views.ts'
import { addDays } from '../../core/rules/periods.ts'
import { originOf } from '../../web/site/attribution.ts'
import { startApiServer, useApi, useStaff } from '../support/api-server.ts'
import { createLead, staffHeaders } from '../support/factories.ts'
import { rawRequest } from '../support/raw-http.ts'
import { HTML, MAIN_HOST, pageDataOf, startPagesApi } from './pages-site.ts'

const { api, database } = useApi({ TRUST_PROXY_HOPS: '1' })
const staff = useStaff(database)

let visitors = 0
/** Headers of another visitor each time, so that no test uses up the limit of another. */
const visitor = () => ({ 'x-forwarded-for': `203.0.113.${++visitors % 250}` })
const VIEW = { page: 'home', device: 'phone', steps: ['seen'] }
const tell = (view: object, headers: Record<string, string> = visitor(), server = api) =>
  server.call('POST', '/api/page-views', view, headers)
const rows = () =>
  database
    .db('page_view_counts')
    .select('source', 'campaign', 'page', 'device', 'event', 'count')
    .orderBy(['page', 'device', 'event', 'source'])
const read = async (query = '') => {
  const { body } = await api.call('GET', `/api/page-views${query}`, undefined, staff)
  return PageViews.strict().parse(body)
}

describe('POST /api/page-views', () => {
  it('adds each step and each fault to the count of its day, page, device and campaign', async () => {
    const view = { ...VIEW, source: ' Google', campaign: 'Spring', steps: ['seen', 'started'], faults: ['email'] }
    expect(await tell(view)).toMatchObject({ status: 200, body: { counted: true } })
    await tell({ ...view, steps: ['seen'], faults: [] })
    const of = { source: 'google', campaign: 'spring', page: 'home', device: 'phone' }
    expect(await rows()).toEqual([
      { ...of, event: 'email', count: 1 },
      { ...of, event: 'seen', count: 2 },
      { ...of, event: 'started', count: 1 },
    ])
    const [day] = await database
      .db('page_view_counts')
      .distinct(database.db.raw(`day = cast(now() at time zone 'America/New_York' as date) as today`))
    expect(day).toEqual({ today: true })
  })

  it('counts many visitors at once without losing one', async () => {
    const views = Array.from({ length: 40 }, (_, n) => ({
      ...VIEW,
      steps: n % 2 ? ['seen', 'started'] : ['started', 'seen'],
    }))
    await Promise.all(views.map((view) => tell(view)))
    expect((await rows()).map(({ event, count }) => [event, count])).toEqual([
      ['seen', 40],
      ['started', 40],
    ])
  })

  it('stores nothing by which a person could be found', async () => {
    await tell({ ...VIEW, vitals: { lcp: 1234 } }, { ...visitor(), 'user-agent': 'Somebody/1.0', cookie: 'id=7' })
    const stored = JSON.stringify([await database.db('page_view_counts'), await database.db('web_vital_counts')])
    for (const trace of ['203.0.113', 'Somebody', 'id=7', '1234']) expect(stored).not.toContain(trace)
  })

  it.each(['dnt', 'sec-gpc'])('counts nothing for a browser that asks so: %s', async (header) => {
    expect((await tell(VIEW, { ...visitor(), [header]: '1' })).body).toEqual({ counted: false })
    expect(await rows()).toEqual([])
  })

  it('counts nothing while it is switched off', async () => {
    const off = await startApiServer(database.app, { PAGE_VIEWS: 'off' })
    onTestFinished(() => off.close())
    expect((await tell(VIEW, {}, off)).body).toEqual({ counted: false })
    expect(await rows()).toEqual([])
    const { body } = await off.call('GET', '/api/page-views', undefined, await staffHeaders(database.db))
    expect(body.isOn).toBe(false)
  })

  it.each([
    { page: 'clinics' },
    { device: 'watch' },
    { steps: ['paid'] },
    { steps: ['seen', 'seen'] },
    { faults: ['jordan@visitors.example'] },
    { source: 'x'.repeat(201) },
    { source: 'a\u0000b' },
    { vitals: { lcp: -1 } },
    { vitals: { fid: 1 } },
    { experiment: { id: 'x', variant: 'other', steps: [] } },
    { email: 'jordan@visitors.example' },
  ])('refuses what is not in its lists: %j', async (wrong) => {
    expect((await tell({ ...VIEW, ...wrong })).status).toBe(422)
    expect(await rows()).toEqual([])
  })

  it('refuses another site, and too many calls of one address', async () => {
    expect((await tell(VIEW, { ...visitor(), origin: 'https://evil.example' })).status).toBe(403)
    const one = visitor()
    const answers = []
    for (let n = 0; n < 61; n++) answers.push((await tell(VIEW, one)).status)
    expect(answers.slice(59)).toEqual([200, 429])
  })

  it('counts the campaigns after the first ones of a day together', async () => {
    const campaigns = Array.from({ length: MAX_CAMPAIGNS + 3 }, (_, n) => ({
      ...VIEW,
      source: 'junk',
      campaign: `c${n}`,
    }))
    for (const view of campaigns) await tell(view)
    await tell({ ...VIEW, source: 'junk', campaign: 'c0' })
    const counted = await rows()
    expect(counted).toHaveLength(MAX_CAMPAIGNS + 1)
    expect(counted.find(({ source }) => source === '(other)')).toMatchObject({ campaign: '', count: 3 })
    expect(counted.find(({ campaign }) => campaign === 'c0')).toMatchObject({ count: 2 })
  })

  it('has the source and campaign that a lead of the same visit has', async () => {
    const page = { landing_page: 'https://www.leadwell.example/' }
    for (const touch of [
      page,
      { ...page, utm_source: ' News ', utm_campaign: 'Fall 2026' },
      { ...page, utm_source: ' ', gclid: 'a' },
      { ...page, msclkid: 'a', fbclid: 'b', referrer: 'https://www.bing.com/search' },
      { ...page, fbclid: 'b' },
      { ...page, referrer: 'https://www.Oakmoor-Review.example:8080/clinics' },
      { ...page, referrer: 'https://oakmoor.www.example/', utm_campaign: ' ' },
    ]) {
      const {
        rows: [stored],
      } = await database.db.raw(
        'select lead_source(touch) as source, lead_campaign(touch) as campaign from (select ?::jsonb as touch) visit',
        [JSON.stringify({ last: touch })],
      )
      expect(originOf(touch)).toEqual(stored)
    }
  })
})

describe('GET /api/page-views', () => {
  it('has the views of a period by page, device and campaign, beside the leads of the same days', async () => {
    await createLead(database.db)
    await tell({ ...VIEW, steps: ['seen', 'started', 'submitted'] })
    await tell({ ...VIEW, page: 'start', device: 'desktop', source: 'google', campaign: 'fall', faults: ['consent'] })
    await tell({ ...VIEW, page: 'start', device: 'desktop', source: 'google', campaign: 'fall' })
    const { all, pages, devices, campaigns, ...found } = await read()
    expect(found).toMatchObject({
      isOn: true,
      leads: 1,
      totalCampaigns: 2,
      vitals: [],
      experiment: null,
      since: found.to,
    })
    expect(all.steps).toEqual({ seen: 3, started: 1, zip_accepted: 0, submitted: 1 })
    expect(all.faults).toMatchObject({ consent: 1, email: 0 })
    expect(pages.map(({ page, steps }) => [page, steps.seen])).toEqual(
      LEAD_PAGES.map((page, index) => [page, [1, 2, 0, 0][index]]),
    )
    expect(devices.map(({ device, steps }) => [device, steps.seen])).toEqual([
      ['phone', 1],
      ['tablet', 0],
      ['desktop', 2],
    ])
    expect(campaigns.map(({ source, campaign, steps }) => [source, campaign, steps.seen])).toEqual([
      ['google', 'fall', 2],
      [null, null, 1],
    ])
  })

  it('leaves out other days', async () => {
    await tell(VIEW)
    const { to } = await read()
    const before = addDays(to, -3)
    expect(await read(`?from=${before}&to=${addDays(to, -1)}`)).toMatchObject({
      ...{ all: { steps: { seen: 0 } }, since: to, totalCampaigns: 0 },
    })
  })

  it('has the web vitals of all, of each page and of each device', async () => {
    await tell({ ...VIEW, steps: [], vitals: { lcp: 1100, cls: 0.2 } })
    await tell({ ...VIEW, device: 'desktop', steps: [], vitals: { lcp: 5000 } })
    const { vitals } = await read()
    const of = (vital: string) =>
      vitals.flatMap((row) => (row.vital === vital ? [[row.page, row.device, row.p75, row.rating, row.count]] : []))
    expect(of('lcp')).toEqual([
      [null, null, 5000, 'poor', 2],
      [null, 'desktop', 5000, 'poor', 1],
      [null, 'phone', 1200, 'good', 1],
      ['home', null, 5000, 'poor', 2],
    ])
    expect(of('cls')).toHaveLength(3)
    expect(of('inp')).toEqual([])
  })
})

describe('a test of two headings', () => {
  const HEADING = 'Results you can measure, without surgery.'
  const ORIGINAL = 'A measurable difference, without surgery.'
  let testing: Awaited<ReturnType<typeof startPagesApi>>
  beforeAll(async () => {
    testing = await startPagesApi(database.app, { HOME_HEADING_TEST: HEADING })
  })
  afterAll(() => testing.close())

  const open = async (path: string, headers: Record<string, string>) => {
    const { text } = await rawRequest(testing.url, { path, headers: { host: MAIN_HOST, ...HTML, ...headers } })
    return { heading: /<h1[^>]*>(.*?)<\/h1>/s.exec(text)?.[1], ...pageDataOf(text).experiment }
  }
  const NAVIGATION = { 'sec-fetch-mode': 'navigate' }

  it('shows each to about half of the page loads, as HTML, with what the page needs to draw the same', async () => {
    const loads = []
    for (let n = 0; n < 60; n++) loads.push(await open('/', NAVIGATION))
    const found = new Set(loads.map((load) => JSON.stringify(load)))
    const [{ id } = { id: '' }] = loads
    expect(id).toMatch(/^[0-9a-f]{12}$/)
    expect([...found].map((load) => JSON.parse(load)).toSorted((a, b) => a.variant.localeCompare(b.variant))).toEqual([
      { heading: ORIGINAL, id, variant: 'original' },
      { heading: HEADING, id, variant: 'other' },
    ])
    // Fewer than 10 of 60 happen in one of ten million fair splits.
    for (const variant of ['original', 'other']) {
      expect(loads.filter((load) => load.variant === variant).length).toBeGreaterThan(10)
    }
  })

  it('is not for programs, for browsers that ask not to be measured, and for other pages', async () => {
    for (let n = 0; n < 20; n++) {
      expect(await open('/', {})).toEqual({ heading: ORIGINAL })
      expect(await open('/', { ...NAVIGATION, 'sec-gpc': '1' })).toEqual({ heading: ORIGINAL })
      expect(await open('/', { ...NAVIGATION, dnt: '1' })).toEqual({ heading: ORIGINAL })
      expect(await open('/start', NAVIGATION)).not.toHaveProperty('id')
    }
  })

  it('compares the page loads of both, and leaves out those of another test', async () => {
    const { id } = await open('/', NAVIGATION)
    const add = (variant: string, steps: string[], of = id) =>
      tell({ ...VIEW, experiment: { id: of, variant, steps } }, {}, testing)
    await add('original', ['seen'])
    await add('other', ['seen', 'submitted'])
    await add('other', ['seen'])
    await add('other', ['seen'], '000000000000')
    // Sessions of a site with TLS have another cookie.
    const plain = await startApiServer(database.app, { HOME_HEADING_TEST: HEADING })
    onTestFinished(() => plain.close())
    const { body } = await plain.call('GET', '/api/page-views', undefined, staff)
    const { experiment, all } = PageViews.parse(body)
    expect(all.steps.seen).toBe(4)
    expect(experiment).toMatchObject({
      ...{ heading: HEADING, isRunning: true, isComplete: false, isSplitUneven: false },
      variants: { original: { seen: 1, submitted: 0, share: 0 }, other: { seen: 2, submitted: 1, share: 0.5 } },
      difference: { share: 0.5 },
      planned: { perVariant: 13_914, isMeasured: false },
    })
    // Without the setting it has ended.
    expect((await read()).experiment).toMatchObject({ heading: HEADING, isRunning: false })
  })
})
