import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { emailSamples } from '../../worker/emails/emails.ts'
import { env } from '../../worker/emails/sample-people.ts'
import { createProvider } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { overflow, violations } from './inspect-page.ts'
import { boxOf } from './page-actions.ts'

const samples = emailSamples()
/** Without axe's rules about regions, which are for pages of sites. */
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']
/** Those that together have every part of which emails are made. Their colors: tests/web/colors.test.ts. */
const WHOLE = ['provider', 'visitor', 'late-team', 'clinic-requests', 'team-sync', 'weekly-report', 'staff-new-browser']

describeInBrowser('the emails', (site) => {
  let id: number
  beforeAll(async () => {
    id = (await createProvider(site.db, { image_url: '/demo/clinic-1.svg' })).id
  })

  /** Opens a page that shows emails as a mail program does: by themselves, with pictures from our site. */
  async function openMails(): Promise<Page> {
    const page = await site.blank({ width: 390 })
    await page.route('**/mail/*', (route) => {
      const name = new URL(route.request().url()).pathname.split('/').at(-1)
      const html = samples.find((sample) => sample.name === name)?.mail.html ?? ''
      const ours = html.replaceAll(env.PUBLIC_URL, site.url).replaceAll('/clinic-7.png', `/clinic-${id}.png`)
      return route.fulfill({ contentType: 'text/html', body: ours })
    })
    return page
  }

  it.each([
    { readers: 'a clinic', titles: /^To the clinic/ },
    { readers: 'the team and visitors', titles: /^To the (team|visitor)/ },
    { readers: 'others', titles: /^To (?!the (clinic|team|visitor))/ },
  ])('fit a phone, and can be read by everybody, in the light and in the dark: to $readers', async ({ titles }) => {
    const page = await openMails()
    for (const { name } of samples.filter(({ title }) => titles.test(title))) {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(`/mail/${name}`, { waitUntil: 'domcontentloaded' })
      expect(await overflow(page), name).toBe(0)
      if (!WHOLE.includes(name)) continue
      expect(await violations(page, WCAG), `what axe finds: ${name}`).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await violations(page, ['wcag2aa']), `what axe finds in the dark: ${name}`).toEqual([])
    }
  })

  it('to the clinic have number and button in the first half of a phone, and a button as wide as the text', async () => {
    const page = await openMails()
    await page.goto(`${site.url}/mail/provider`)
    const number = await boxOf(page.getByRole('link', { name: '(512) 555-0117', exact: true }))
    const button = await boxOf(page.getByRole('link', { name: 'Call (512) 555-0117' }))
    expect(number.bottom).toBeLessThan(button.top)
    expect(button.bottom).toBeLessThan(422)
    expect(button.width).toBe((await boxOf(page.getByRole('heading', { level: 1 }))).width)
    expect(button.height).toBeGreaterThanOrEqual(44)
  })
})
