import { beforeAll, expect, it } from 'vitest'
import { createProvider, leadForm } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { hostUrl, leadOf, onHost } from './form-actions.ts'
import { fillIn, mailTo, submitButton, wake } from './page-actions.ts'

const HOST = 'measured.localhost'
const CLINIC_EMAIL = 'measured@clinics.example'
const TAGS = 'https://(www\\.googletagmanager\\.com|bat\\.bing\\.com)/'

describeInBrowser(
  'what is measured',
  (site) => {
    let clinic: number
    beforeAll(async () => {
      const ids = { google_ads_id: 'AW-123456789/AbC', bing_ads_id: '98765432' }
      clinic = (await createProvider(site.db, { ...ids, domain: HOST, zip_code: '80202', email: CLINIC_EMAIL })).id
    })

    it('is a form sent on a clinic’s own host, by the scripts of its advertisers, if the visitor allows it', async () => {
      const lead = leadForm()
      const page = await site.open(hostUrl(site, HOST), {
        expectErrors: new RegExp(`^foreign host: ${TAGS}|${onHost(HOST).source}`),
      })
      const loaded: string[] = []
      await page.route(new RegExp(`^${TAGS}`), (route) => {
        loaded.push(route.request().url())
        return route.fulfill({ contentType: 'text/javascript', body: 'window.tagsRun = (window.tagsRun ?? 0) + 1' })
      })
      await wake(page)
      const question = page.getByRole('complementary', { name: 'Ad measurement' })
      await question.getByRole('button', { name: 'Allow', exact: true }).click()
      await question.waitFor({ state: 'detached' })
      expect(loaded).toEqual([])

      await fillIn(page, lead)
      await submitButton(page).click()
      await page.waitForURL(`${hostUrl(site, HOST)}success?providerId=${clinic}`)
      const { reference, ...stored } = await leadOf(site, lead)
      expect(stored).toMatchObject({ provider_id: clinic, match_kind: 'chosen', held_reason: null })
      await expect
        .poll(() => loaded.toSorted())
        .toEqual(['https://bat.bing.com/bat.js', 'https://www.googletagmanager.com/gtag/js?id=AW-123456789'])
      // The page's Content-Security-Policy has let both run.
      await expect.poll(() => page.evaluate(() => (window as unknown as { tagsRun?: number }).tagsRun)).toBe(2)
      const told = await page.evaluate(() => JSON.stringify([...(window.dataLayer ?? []), window.uetq]))
      expect(told).toContain(`"transaction_id":"${reference}"`)
      expect(told).toContain('"send_to":"AW-123456789/AbC"')
      await mailTo(site.smtp, CLINIC_EMAIL)
    })

    it('is how a visitor came, first and last, and that a person has filled the form in', async () => {
      const lead = leadForm()
      const page = await site.open('/terms?utm_source=first&utm_medium=mail&gclid=click-1&email=private@x.example')
      await page.goto('/?utm_source=last&msclkid=click-2', { referer: 'https://news.example/article?who=private' })
      await page.goto('/start')
      await page.goto('/')
      await wake(page)
      await fillIn(page, lead)
      const sent = page.waitForRequest('**/api/leads')
      await submitButton(page).click()
      expect((await sent).postDataJSON()).toMatchObject({ touched: true, elapsed_ms: expect.any(Number) })
      await page.waitForURL(/success/)

      expect((await leadOf(site, lead)).attribution).toEqual({
        first: { landing_page: `${site.url}/terms`, utm_source: 'first', utm_medium: 'mail', network: 'google' },
        last: {
          landing_page: `${site.url}/`,
          // Browsers tell another site no more than the origin.
          referrer: expect.stringMatching(/^https:\/\/news\.example\/(article)?$/),
          utm_source: 'last',
          network: 'microsoft',
        },
      })
    })
  },
  { AD_MEASUREMENT: 'on' },
)
