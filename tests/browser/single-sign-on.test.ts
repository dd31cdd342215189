import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { freePort } from '../../local/ports.ts'
import { createStaff } from '../support/factories.ts'
import { OIDC_CLIENT, startOidcServer } from '../support/oidc-server.ts'
import { atWorkerEnd } from '../support/worker-end.ts'
import { describeInBrowser } from './browser.ts'
import { isUsableByEverybody } from './inspect-page.ts'

const port = await freePort()
const url = `http://localhost:${port}`
const provider = await startOidcServer({ redirectUri: `${url}/admin/sso/callback` })
atWorkerEnd(provider.close)

/** The provider is another site whose pages want a font, and a call that needs a confirmation is refused at first. */
const expectErrors = new RegExp(`${provider.issuer}|status of 403|fonts.googleapis.com|ERR_NAME_NOT_RESOLVED`)

/** What a person does at the provider, which asks new ones whether they agree. */
async function signInThere(page: Page, subject: string, { isNew = true } = {}): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(subject)
  await page.getByPlaceholder('and password').fill('any')
  await page.keyboard.press('Enter')
  if (isNew) await page.getByRole('button', { name: 'Continue' }).click()
}

describeInBrowser(
  'single sign-on',
  (site) => {
    it('opens the page that was asked for, and confirms who the person is', async () => {
      const { email } = await createStaff(site.db, { name: 'Ada Park' })
      provider.people.set('ada-1', { email, email_verified: true })
      const page = await site.open('/getmpx?tab=activity', { expectErrors })
      const button = page.getByRole('link', { name: 'Sign in with single sign-on' })
      await button.waitFor()
      await isUsableByEverybody(page, { name: 'single sign-on' })
      await button.focus()
      await page.keyboard.press('Enter')
      await signInThere(page, 'ada-1')
      await page.getByRole('button', { name: /^Account of Ada Park/ }).waitFor()
      expect(page.url()).toBe(`${url}/getmpx?tab=activity`)

      await site.db('staff_sessions').update({ confirmed_at: '2026-01-01' })
      await page.getByRole('link', { name: 'Export Providers CSV' }).click()
      await page.getByRole('link', { name: 'Sign in with single sign-on, then repeat this' }).click()
      await signInThere(page, 'ada-1', { isNew: false })
      await page.getByRole('button', { name: /^Account of Ada Park/ }).waitFor()
      // The browser is known by now, and has one session.
      expect(await site.db('jobs').where('purpose', 'new_browser')).toHaveLength(1)
      expect(await site.db('staff_sessions')).toHaveLength(1)
      const download = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Export Providers CSV' }).click()
      expect((await download).suggestedFilename()).toBe('providers.csv')
    })

    it('says on the page why nobody was let in', async () => {
      provider.people.set('eve-1', { email: 'eve@leadwell.example', email_verified: true })
      const page = await site.open('/admin', { expectErrors, width: 390 })
      await page.getByRole('link', { name: 'Sign in with single sign-on' }).click()
      await signInThere(page, 'eve-1')
      await page.getByRole('status').getByText('There is no account for you here.').waitFor()
      await isUsableByEverybody(page, { name: 'single sign-on refused' })
    })
  },
  {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: OIDC_CLIENT.id,
    OIDC_CLIENT_SECRET: OIDC_CLIENT.secret,
    PORT: String(port),
    PUBLIC_URL: url,
  },
)
