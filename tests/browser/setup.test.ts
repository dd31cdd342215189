import { expect, it } from 'vitest'
import { createProvider } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { isUsableByEverybody } from './inspect-page.ts'
import { mailTo, seesToast } from './page-actions.ts'

const ADA = 'ada@leadwell.example'
const CLINIC = 'desk@quill.example'

describeInBrowser('the setup', (site) => {
  it('opens a new installation, and a test lead takes the whole way to the manager, never to the clinic', async () => {
    await site.reset()
    await createProvider(site.db, { practice_name: 'Quill Clinic', email: CLINIC, zip_code: '78701' })
    const page = await site.open('/admin', { staff: true })
    await page.getByRole('heading', { name: 'Setup', exact: true }).waitFor()
    expect(new URL(page.url()).search).toBe('?tab=setup')
    await isUsableByEverybody(page, { name: 'setup' })

    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByLabel('Send a test e-mail to').fill(ADA)
    await page.keyboard.press('Enter')
    await page.getByText(/^It said: “250/).waitFor()
    await mailTo(site.smtp, ADA)

    await page.getByRole('button', { name: 'Connect the CRM' }).press('Enter')
    await page.getByRole('button', { name: 'Test the connection' }).click()
    await page.getByText('Accepted by the CRM').waitFor()
    expect(site.crm.events).toMatchObject([{ type: 'test' }])

    await page.getByRole('button', { name: 'Send a test lead' }).press('Enter')
    await page.getByLabel('Your e-mail').fill(ADA)
    await page.getByRole('button', { name: 'Send test lead' }).click()
    const way = page.getByRole('list', { name: 'The way of the test lead' })
    await way.getByRole('link', { name: 'Quill Clinic' }).waitFor()
    for (const stage of ['E-mail for the clinic', 'E-mail for the visitor', 'CRM']) {
      await way.getByText(`${stage}: accepted`).waitFor()
    }
    await isUsableByEverybody(page, { name: 'the way of a test lead' })
    expect(site.smtp.mails.map(({ recipients }) => recipients)).toEqual([[ADA], [ADA], [ADA]])

    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('link', { name: 'Open the lead' }).click()
    await page.getByText(/^Staff test their setup with this lead/).waitFor()
    await page.getByRole('tab', { name: 'Leads (0)' }).waitFor()

    await page.goBack()
    await page.getByRole('button', { name: 'Send a test lead' }).click()
    await page.getByRole('button', { name: 'Delete the test lead' }).click()
    await seesToast(page, 'Success', 'The test lead is deleted')
    expect(await site.db('leads')).toEqual([])
    expect(site.smtp.mails).toHaveLength(3)
  })
})
