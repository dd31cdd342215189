import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { createProvider } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { boxOf, comesAlive, focused, hasFocus, isInSight } from './page-actions.ts'

const LOST = /ERR_FAILED|Failed to fetch dynamically imported module/

describeInBrowser('what is around every page', (site) => {
  beforeAll(async () => {
    await createProvider(site.db, { practice_name: 'Quill Clinic', domain: 'clinic.localhost' })
  })

  it('leads to the sections of the home page and to its form, from there and from another page', async () => {
    const page = await site.open('/terms')
    await headerLink(page, 'How It Works').click()
    await page.waitForURL(`${site.url}/#how-it-works`)
    await isInSight(page.getByRole('heading', { name: 'How It Works', exact: true }))
    await headerLink(page, 'Find a Provider').click()
    await isInSight(page.locator('#lead-form-heading'))
    await expect.poll(() => focused(page)).toBe('first_name')

    await page.goto('/refunds')
    await page.getByRole('link', { name: 'NEW ... Increase Size! No Surgery. No Fillers. Just Results.' }).click()
    await page.waitForURL(`${site.url}/#provider-form`)
    await page.locator('#provider-form form[novalidate]').waitFor()
    await isInSight(page.locator('#lead-form-heading'))

    await page.goto(site.urlOf('clinic.localhost', '/terms'))
    await headerLink(page, 'FAQs').click()
    await page.waitForURL(site.urlOf('clinic.localhost', '/#faq'))
  })

  it('opens a policy in a dialog that fits, can be scrolled, and gives the keyboard back however it is closed', async () => {
    const title = 'Privacy Policy'
    const page = await site.open('/')
    const opener = page.getByRole('button', { name: title })
    const opened = await openDialog(page, title)
    // A sheet at the lower edge of a phone.
    await page.setViewportSize({ width: 390, height: 600 })
    expect(await boxOf(opened)).toMatchObject({ width: 390, bottom: 600, height: expect.closeTo(540, -1) })
    await page.setViewportSize({ width: 1280, height: 900 })

    const text = opened.getByRole('region', { name: title })
    await text.focus()
    await page.keyboard.press('End')
    await expect.poll(() => text.evaluate((region) => region.scrollTop)).toBeGreaterThan(0)
    await opened.getByRole('heading', { name: title }).hover()
    await page.mouse.down()
    await page.mouse.move(20, 20)
    await page.mouse.up()
    expect(await opened.isVisible(), 'open after a text was selected beyond its edge').toBe(true)
    await page.keyboard.press('Escape')
    await opened.waitFor({ state: 'detached' })
    await hasFocus(opener)
    await openDialog(page, title)
    await page.mouse.click(20, 20)
    await opened.waitFor({ state: 'detached' })
    await hasFocus(opener)
  })

  it('leads to the page of a policy when its dialog or its text cannot be fetched', async () => {
    const title = 'Terms and Conditions'
    const page = await site.open('/', { expectErrors: LOST })
    for (const part of [/assets\/terms-(?!page)/, /assets\/policy-dialog/]) {
      await page.goto('/')
      await page.route(part, (route) => route.abort())
      await (await openerOf(page, title)).click()
      await page.waitForURL(`${site.url}/terms`)
      await page.unroute(part)
      await page.reload()
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
    }
  })
})

function headerLink(page: Page, name: string): Locator {
  return page.getByRole('banner').getByRole('link', { name, exact: true })
}

async function openerOf(page: Page, title: string): Promise<Locator> {
  const opener = page.getByRole('contentinfo').getByRole('button', { name: title, exact: true })
  await comesAlive(opener)
  return opener
}

async function openDialog(page: Page, title: string): Promise<Locator> {
  const opener = await openerOf(page, title)
  await opener.click()
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.getByText('Last updated').waitFor()
  return dialog
}
