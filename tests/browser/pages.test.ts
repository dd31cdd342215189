import type { Page } from 'playwright-core'
import { beforeAll, it } from 'vitest'
import { pages } from '../../web/pages.ts'
import { createLead, createProvider } from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'
import { describeInBrowser } from './browser.ts'
import { isUsableByEverybody, visit } from './inspect-page.ts'
import { chooseInRow } from './page-actions.ts'

type Visit = {
  name: string
  path: string
  /** Where it is not on the main site. */
  host?: string
  prepare?(page: Page): Promise<unknown>
}

type PagesUnderTest = {
  /** What the visits have in common. */
  what: string
  visits: Visit[]
  staff?: boolean
  expectErrors?: RegExp
}

const NOT_FOUND = /status of 404/

const PAGES: PagesUnderTest[] = [
  { what: 'the landing page', visits: [{ name: 'landing page', path: '/' }] },
  {
    what: 'the forms in two steps',
    visits: [
      { name: 'quiz, step 1', path: '/start' },
      { name: 'quiz, step 2', path: '/start?zip_code=78701' },
      { name: 'search, step 1', path: '/homev2' },
      { name: 'search, step 2', path: '/homev2?zip_code=78701' },
    ],
  },
  {
    what: 'a clinic’s site',
    expectErrors: NOT_FOUND,
    visits: [
      { name: 'microsite by host, with everything', path: '/', host: 'clinic.localhost' },
      { name: 'microsite by id, with as little as can be', path: '/microsite?providerId=2' },
      { name: 'microsite by id, with long names', path: '/microsite?providerId=3' },
      { name: 'microsite of nobody', path: '/?providerId=999999' },
    ],
  },
  {
    what: 'the thank-you page',
    visits: [
      {
        name: 'with a provider',
        path: '/success?providerId=1',
        prepare: (page) => page.getByText('Visit Website').waitFor(),
      },
      { name: 'with a provider with a long name, without picture and phone', path: '/success?providerId=3' },
      { name: 'with a provider that is not available', path: '/success?providerId=abc' },
      { name: 'with a review', path: '/success?inReview=true' },
      { name: 'without a provider', path: '/success?noProvider=true' },
      { name: 'by itself', path: '/success' },
    ],
  },
  {
    what: 'the map',
    visits: [
      {
        name: 'map',
        path: '/map',
        prepare: (page) => page.getByRole('heading', { name: 'All clinics' }).waitFor(),
      },
    ],
  },
  { what: 'the page for clinics', visits: [{ name: 'page for clinics', path: '/clinics' }] },
  {
    what: 'the not-found page',
    expectErrors: NOT_FOUND,
    visits: [{ name: 'not-found page', path: '/no/such/page' }],
  },
  {
    what: 'the password prompt',
    visits: [{ name: 'password prompt', path: '/getmpx', prepare: (page) => page.getByLabel('Password').waitFor() }],
  },
  {
    what: 'the dashboard',
    staff: true,
    visits: [
      {
        name: 'dashboard',
        path: '/admin?tab=leads',
        async prepare(page) {
          await page.getByTitle('What happened').first().click()
          await page.getByText('E-mail to the visitor').first().waitFor()
        },
      },
      {
        name: 'dashboard with a question',
        path: '/admin?tab=leads',
        async prepare(page) {
          const boxes = page.getByRole('checkbox', { name: /^Choose (?!every)/ })
          await chooseInRow(page.locator('tr[data-lead]').first(), 'Select')
          await boxes.nth(1).waitFor()
          for (const box of await boxes.all()) await box.check()
          await page.getByLabel('Chosen leads').getByRole('button', { name: 'Delete' }).click()
          await page.getByRole('dialog').waitFor()
        },
      },
    ],
  },
]

const visited = new Set(PAGES.flatMap(({ visits }) => visits.map(({ path }) => path.split('?')[0])))
const OTHERS: PagesUnderTest = {
  what: 'every page that needs no preparation',
  expectErrors: NOT_FOUND,
  visits: Object.entries(pages)
    .filter(([, { path, rendered }]) => rendered !== 'browser' && !visited.has(path))
    .map(([name, { path }]) => ({ name, path })),
}

describeInBrowser('every page', (site) => {
  beforeAll(async () => {
    const { id } = await createProvider(site.db, {
      name: 'Dr. Rosa Quill',
      website: 'quill.example',
      image_url: '/demo/clinic-1.svg',
      logo_url: '/demo/logo-austin.svg',
      domain: 'clinic.localhost',
      accepts_financing: true,
      accepts_free_consultation: true,
      latitude: 30.27,
      longitude: -97.74,
    })
    await createProvider(site.db, { domain: 'plain.localhost', practice_name: null, address: null, phone: null })
    await createProvider(site.db, {
      name: 'Dr. Wolfeschlegelsteinhausenbergerdorff Castellano-Abernathy, MD, FACS',
      practice_name: 'Northgate Wellness & Urology Partners of Greater Buffalo and the Niagara Frontier',
      address: '100 Northeast Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch Boulevard, Suite 1200',
      phone: null,
      latitude: 42.88,
      longitude: -78.88,
    })
    const longName = 'Maximiliana-Theodora.Featherstonehaugh-Cholmondeley'
    await createLead(site.db, { providerId: id })
    await createLead(site.db, {
      form: { first_name: longName, email: `${longName}@visitors.example`, zip_code: '99901' },
    })
    await waitFor('the deliveries', async () => {
      const open = await site.db('jobs').whereIn('state', ['waiting', 'enqueued'])
      return open.length === 0
    })
  })

  it.each([...PAGES, OTHERS])('can be used by everybody at every width: $what', async ({ visits, ...visitor }) => {
    const page = await site.open('/terms', visitor)
    for (const { host, path, ...inspection } of visits) {
      await visit(page, host ? site.urlOf(host, path) : path)
      await isUsableByEverybody(page, inspection)
    }
  })
})
