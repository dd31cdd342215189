import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { createLead, createProvider } from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'
import { submitButton } from './page-actions.ts'
import { describeInBrowser } from './site.ts'

/** In CSS pixels: a phone, a tablet, a desktop. */
const WIDTHS = [390, 768, 1440]

type PageUnderTest = { name: string; path: string; staff?: boolean; prepare?(page: Page): Promise<unknown> }

const PAGES: PageUnderTest[] = [
  { name: 'landing page', path: '/' },
  {
    name: 'landing page with errors in the form',
    path: '/?providerId=1',
    async prepare(page) {
      await submitButton(page).click()
      await page.getByText('First name is required').waitFor()
    },
  },
  {
    name: 'thank-you page with a provider',
    path: '/success?providerId=1',
    prepare: (page) => page.getByText('Visit Website').waitFor(),
  },
  { name: 'thank-you page without a provider', path: '/success?noProvider=true' },
  { name: 'thank-you page by itself', path: '/success' },
  { name: 'not-found page', path: '/no/such/page' },
  { name: 'password prompt', path: '/getmpx', prepare: (page) => page.getByLabel('Password').waitFor() },
  {
    name: 'dashboard',
    path: '/admin',
    staff: true,
    async prepare(page) {
      await page.getByRole('button', { name: 'What happened' }).first().click()
      await page.getByText('E-mail to the visitor').waitFor()
    },
  },
  {
    name: 'dashboard with a question',
    path: '/admin',
    staff: true,
    async prepare(page) {
      await page.getByRole('button', { name: 'Delete' }).first().click()
      await page.getByRole('dialog').waitFor()
    },
  },
]

describeInBrowser('every page', (site) => {
  beforeAll(async () => {
    const { id } = await createProvider(site.db, {
      name: 'Dr. Rosa Quill',
      website: 'quill.example',
      image_url: '/demo/clinic-1.svg',
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

  it.each(PAGES)('can be used by everybody at every width: $name', async ({ name, path, staff, prepare }) => {
    const page = await site.open(path, { staff })
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      if (width === WIDTHS[0]) await prepare?.(page)
      expect(await violations(page), `what axe finds at ${width} px`).toEqual([])
      expect(await overflow(page), `how far the page is wider than ${width} px`).toBe(0)
      await takePicture(page, `${name} ${width}`)
    }
  })
})

/** What axe-core finds, by rule, with the element and what is wrong with it. */
async function violations(page: Page): Promise<string[]> {
  // Not by a <script>, which the Content-Security-Policy would refuse.
  await page.evaluate(axe.source)
  const results = await page.evaluate(
    async () => (await (window as unknown as { axe: typeof axe }).axe.run()).violations,
  )
  return results.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))
}

function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
}

/** For whoever wants to look at the pages: `PICTURES=/tmp/pictures npm test -- tests/browser/pages.test.ts` */
async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES
  if (!folder) return
  await mkdir(folder, { recursive: true })
  await page.evaluate(() => window.scrollTo(0, 0))
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
