import type { Page } from 'playwright-core'
import { beforeAll, it } from 'vitest'
import { createProvider } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { CALL, fillInPerson } from './form-actions.ts'
import { isUsableByEverybody, visit } from './inspect-page.ts'
import { comesAlive, seesToast, submitButton, wake } from './page-actions.ts'

type State = {
  name: string
  path: string
  prepare(page: Page): Promise<unknown>
  isShort?: boolean
}

const CONSENT_MISSING = 'You must agree to receive communications to continue.'

const STATES: { where: string; width?: number; states: State[] }[] = [
  {
    where: 'the landing page',
    states: [
      {
        name: 'errors in the form, an open question, the size calculator at its limits',
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
        name: 'the dialog of a policy',
        path: '/',
        async prepare(page) {
          await comesAlive(page.getByRole('contentinfo'))
          await page.getByRole('button', { name: 'Terms and Conditions' }).click()
          await page.getByRole('dialog', { name: 'Terms and Conditions' }).getByText('Last updated').waitFor()
        },
      },
    ],
  },
  {
    where: 'the header of small screens',
    width: 390,
    states: [
      {
        name: 'the open menu',
        path: '/',
        async prepare(page) {
          await page.getByRole('button', { name: 'Open menu' }).click()
          await page.getByRole('navigation', { name: 'Main' }).waitFor()
        },
      },
    ],
  },
  {
    where: 'a clinic’s site',
    states: [
      {
        name: 'errors in the form, and the question about advertising',
        path: '/?providerId=1',
        async prepare(page) {
          await refuseForm(page)
          await page.getByRole('complementary', { name: 'Ad measurement' }).waitFor()
        },
      },
    ],
  },
  {
    where: 'the quiz',
    states: [
      {
        name: 'an error in step 1, with its toast',
        path: '/start',
        prepare: (page) => refuseZip(page, 'Invalid Zip Code'),
        isShort: true,
      },
      { name: 'errors in step 2', path: '/start?zip_code=78701', prepare: refusePerson },
      { name: 'a request that did not go through', path: '/start?zip_code=78701', prepare: failToSend },
    ],
  },
  {
    where: 'the search for a provider',
    states: [
      {
        name: 'an error in step 1, with its toast',
        path: '/homev2',
        prepare: (page) => refuseZip(page, 'ZIP Code Required'),
        isShort: true,
      },
      { name: 'errors in step 2', path: '/homev2?zip_code=78701', prepare: refusePerson },
    ],
  },
]

describeInBrowser(
  'every state of a page',
  (site) => {
    beforeAll(async () => {
      await createProvider(site.db, { google_ads_id: 'AW-123456789' })
    })

    it.each(STATES)('can be used by everybody at every width: $where', async ({ states, width }) => {
      const page = await site.open('/terms', { expectErrors: /ERR_FAILED/ })
      for (const state of states) {
        await visit(page, state.path, width)
        await isUsableByEverybody(page, state)
      }
    })
  },
  { AD_MEASUREMENT: 'on' },
)

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

async function failToSend(page: Page): Promise<void> {
  await wake(page)
  await page.route(CALL, (route) => route.abort())
  await fillInPerson(page)
  await submitButton(page).click()
  await page.getByText('That did not go through.').waitFor()
}
