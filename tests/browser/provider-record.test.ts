import { expect, it } from 'vitest'
import { createLead, createProvider } from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'
import { describeInBrowser } from './browser.ts'
import { isUsableByEverybody } from './inspect-page.ts'

describeInBrowser('the record of a clinic', (site) => {
  it('is opened from a lead, shows why e-mails fail, sends a test and all that failed, and leads back', async () => {
    const email = 'desk@bluebonnet.example'
    const { id: providerId } = await createProvider(site.db, { email, practice_name: 'Bluebonnet Clinic' })
    site.smtp.answer((to) => (to === email ? { status: 552, text: '5.2.2 over quota' } : 'accept'))
    const leads = [await createLead(site.db, { providerId }), await createLead(site.db, { providerId })]
    await settled()

    const page = await site.open(`/admin?lead=${leads[0]}`, { staff: true })
    const panel = page.getByRole('complementary')
    await panel.getByText('Bouncing since').waitFor({ state: 'attached' })
    await panel.getByRole('link', { name: /^Dr\. Test/ }).click()

    await page.getByRole('heading', { name: 'Bluebonnet Clinic' }).waitFor()
    const health = page.getByRole('region', { name: 'Delivery health' })
    await health.getByText(/The mail server said: .*over quota/).waitFor()
    expect(await health.getByRole('listitem').count()).toBe(2)
    await page.getByRole('tab', { name: 'Failed deliveries (2)' }).click()
    await page.getByRole('link', { name: `Request #${leads[0]}` }).waitFor()
    await isUsableByEverybody(page, { name: 'record of a clinic' })

    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('button', { name: 'Send test e-mail' }).click()
    await page.getByText('The test e-mail was not delivered').waitFor()

    site.smtp.answer('accept')
    await page.getByRole('button', { name: 'Send test e-mail' }).click()
    await page.getByText(`The test e-mail to ${email} was delivered`).waitFor()
    expect(mailsTo(email).map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Test e-mail from /)])

    await page.getByRole('button', { name: 'Resend all that failed (2)' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click()
    await page.getByText('2 delivered, 0 refused, 0 waiting').waitFor()
    expect(mailsTo(email)).toHaveLength(3)
    // The record follows by itself.
    await page.getByRole('tab', { name: 'Failed deliveries (0)' }).waitFor()

    await page.getByRole('tab', { name: 'Changes' }).click()
    await page.getByText('Test email sent: Bluebonnet Clinic').first().waitFor()
    await page.goBack()
    await panel.getByRole('link', { name: /^Dr\. Test/ }).waitFor()
    expect(new URL(page.url()).search).toBe(`?lead=${leads[0]}`)
  })

  const mailsTo = (email: string) => site.smtp.mails.filter(({ recipients }) => recipients[0] === email)

  async function settled(): Promise<void> {
    await waitFor('the deliveries', async () => {
      const open = await site.db('jobs').whereIn('state', ['waiting', 'enqueued'])
      return open.length === 0
    })
  }
})
