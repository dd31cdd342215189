import type { Page } from 'playwright-core'
import { beforeAll, it } from 'vitest'
import { createProvider } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { isUsableByEverybody } from './inspect-page.ts'
import { comesAlive, seesToast, submitButton, wake } from './page-actions.ts'

type State = {
  name: string
  path: string
  width?: number
  prepare(page: Page): Promise<unknown>
  isShort?: boolean
}

const CONSENT_MISSING = 'You must agree to receive communications to continue.'
const PHONE = 390

const STATES: State[] = [
  {
    name: 'errors in the lead form, an open question, the size calculator at its limits',
    path: '/',
    async prepare(page) {
      await refuseForm(page)
      await page.getByText('Is it safe?').click()
      await page.getByText('There were no adverse events among').waitFor()
      await page.getByLabel('Current length').fill('8')
      await page.getByLabel('Current girth').fill('3')
      await page.getByText('9.04').waitFor()
    },
  },
  {
    name: 'the open menu',
    path: '/',
    width: PHONE,
    async prepare(page) {
      await page.getByRole('button', { name: 'Open menu' }).click()
      await page.getByRole('navigation', { name: 'Main' }).waitFor()
    },
  },
  {
    name: 'the dialog of a policy',
    path: '/',
    async prepare(page) {
      await comesAlive(page.getByRole('contentinfo'))
      await page.getByRole('button', { name: 'Terms and Conditions' }).click()
      await page.getByRole('dialog', { name: 'Terms and Conditions' }).getByText('Last updated').waitFor()
    },
  },
  {
    name: 'errors in a clinic’s form, and the question about advertising',
    path: '/?providerId=1',
    async prepare(page) {
      await refuseForm(page)
      await page.getByRole('complementary', { name: 'Measuring advertising' }).waitFor()
    },
  },
  {
    name: 'an error in step 1 of the quiz, with its toast',
    path: '/start',
    prepare: (page) => refuseZip(page, 'Invalid Zip Code'),
    isShort: true,
  },
  {
    name: 'an error in step 1 of the search, with its toast',
    path: '/homev2',
    prepare: (page) => refuseZip(page, 'ZIP Code Required'),
    isShort: true,
  },
  { name: 'errors in step 2 of the quiz', path: '/start?zip_code=78701', prepare: refusePerson },
  { name: 'errors in step 2 of the search', path: '/homev2?zip_code=78701', prepare: refusePerson },
]

describeInBrowser('every state of a page', (site) => {
  beforeAll(async () => {
    await createProvider(site.db, { google_ads_id: 'AW-123456789' })
  })

  it.each(STATES)('can be used by everybody at every width: $name', async ({ path, width, ...state }) => {
    await isUsableByEverybody(await site.open(path, { width }), state)
  })
})

async function refuseForm(page: Page): Promise<void> {
  await wake(page)
  await submitButton(page).click()
  await page.getByText('First name is required').waitFor()
}

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
