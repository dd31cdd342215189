import type { Page } from 'playwright-core'
import { beforeAll, it } from 'vitest'
import { createProvider } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { isUsableByEverybody } from './inspect-page.ts'
import { comesAlive, seesToast, submitButton, wake } from './page-actions.ts'

type StateUnderTest = {
  name: string
  path: string
  prepare(page: Page, width: number): Promise<unknown>
  isShort?: boolean
}

const CONSENT_MISSING = 'You must agree to receive communications to continue.'

const STATES: StateUnderTest[] = [
  {
    name: 'errors in the lead form',
    path: '/',
    async prepare(page) {
      await wake(page)
      await submitButton(page).click()
      await page.getByText('First name is required').waitFor()
    },
  },
  {
    name: "errors in a clinic's lead form",
    path: '/?providerId=1',
    async prepare(page) {
      await wake(page)
      await submitButton(page).click()
      await page.getByText('First name is required').waitFor()
    },
  },
  { name: 'an error in step 1 of the quiz', path: '/start', prepare: (page) => refuseZip(page, 'Invalid Zip Code') },
  {
    name: 'an error in step 1 of the search',
    path: '/homev2',
    prepare: (page) => refuseZip(page, 'ZIP Code Required'),
  },
  {
    name: 'a toast',
    path: '/start',
    prepare: (page) => refuseZip(page, 'Invalid Zip Code'),
    isShort: true,
  },
  { name: 'errors in step 2 of the quiz', path: '/start?zip_code=78701', prepare: refusePerson },
  { name: 'errors in step 2 of the search', path: '/homev2?zip_code=78701', prepare: refusePerson },
  {
    name: 'the open menu',
    path: '/',
    async prepare(page) {
      const menu = page.getByRole('navigation', { name: 'Main' })
      await page.getByRole('button', { name: 'Open menu' }).click()
      await menu.waitFor()
    },
  },
  ...['Terms and Conditions', 'Privacy Policy', 'Refund & Cancellation Policy'].map((title) => ({
    name: `the dialog of the ${title}`,
    path: '/',
    async prepare(page: Page) {
      await comesAlive(page.getByRole('contentinfo'))
      await page.getByRole('button', { name: title }).click()
      await page.getByRole('dialog', { name: title }).getByText('Last updated').waitFor()
    },
  })),
  {
    name: 'an open question',
    path: '/',
    async prepare(page) {
      await page.getByText('Is it safe?').click()
      await page.getByText('There were no adverse events among').waitFor()
    },
  },
  {
    name: 'the size calculator at its limits',
    path: '/',
    async prepare(page) {
      await page.getByLabel('Current length').fill('8')
      await page.getByLabel('Current girth').fill('3')
      await page.getByText('9.04').waitFor()
    },
  },
  {
    name: 'the question about advertising',
    path: '/?providerId=2',
    async prepare(page) {
      await comesAlive(page.getByRole('contentinfo'))
      await page.getByRole('complementary', { name: 'Measuring advertising' }).waitFor()
    },
  },
]

describeInBrowser('every state of a page', (site) => {
  beforeAll(async () => {
    await createProvider(site.db)
    await createProvider(site.db, { google_ads_id: 'AW-123456789' })
  })

  it.each(STATES)('can be used by everybody at every width: $name', async ({ path, ...state }) => {
    await isUsableByEverybody(await site.open(path), state)
  })
})

async function refuseZip(page: Page, title: string): Promise<void> {
  await wake(page)
  await page.getByRole('main').getByRole('button').click()
  await seesToast(page, title)
}

async function refusePerson(page: Page): Promise<void> {
  await wake(page)
  await submitButton(page).click()
  await page.getByText(CONSENT_MISSING).first().waitFor()
}
