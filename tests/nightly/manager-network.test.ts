import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from '../browser/browser.ts'
import { mailTo, seesToast, withoutDialing } from '../browser/page-actions.ts'
import { countOpenJobs } from '../support/deliveries.ts'
import { createLead, createProvider } from '../support/factories.ts'
import { found } from '../support/found.ts'
import { waitFor } from '../support/wait.ts'
import { clinicPost, startWordPress } from '../support/wordpress-server.ts'
import { countJobs } from './count-actions.ts'

const wordpress = await startWordPress()
afterAll(() => wordpress.close())

describeInBrowser(
  'a day of a manager with clinics',
  (site) => {
    const doJob = countJobs('A day of a manager: clinics, sending and colleagues')
    const fullEmail = 'desk@full.example'

    beforeAll(async () => {
      const full = { name: 'Dr. Ivo Full', practice_name: 'Front Range Vitality', email: fullEmail }
      const { id } = await createProvider(site.db, full)
      const goneForms = ['Ann', 'Ben', 'Cleo'].map((first_name) => ({ first_name, last_name: 'Unheard' }))
      site.smtp.answer((to) => (to === fullEmail ? { status: 552, text: '5.2.2 mailbox full' } : 'accept'))
      for (const form of goneForms) await createLead(site.db, { form, providerId: id })
      // Out of the reach of every clinic.
      for (const zip_code of ['59101', '59101', '83702']) await createLead(site.db, { form: { zip_code } })
      await settled()
      site.smtp.answer('accept')
    })

    async function settled(): Promise<void> {
      await waitFor('the deliveries', async () => (await countOpenJobs(site.db)) === 0)
    }

    it('sees which clinics do not get their mail, calls one, and sends it all again', async () => {
      const page = await site.open('/admin?tab=attention', { staff: true })
      const line = lineOf(page, 'Front Range Vitality')
      await doJob({ name: 'See which clinics do not get their mail', page, most: {} }, async () => {
        await page.getByRole('heading', { name: 'Clinic not reached 1' }).waitFor()
        await line.getByText(/^3 requests\. .*mailbox full/).waitFor()
      })
      const call = line.getByRole('link', { name: 'Call Front Range Vitality, (512) 555-0100' })
      await doJob({ name: 'Call such a clinic', page, most: { clicks: 1 } }, async (hand) => {
        expect(await call.getAttribute('href')).toBe('tel:+15125550100')
        await withoutDialing(call)
        await hand.click(call)
      })
      await doJob({ name: 'Send such a clinic all that failed', page, most: { clicks: 1 } }, async (hand) => {
        await hand.click(line.getByRole('button', { name: /^Resend 3/ }))
        await line.waitFor({ state: 'detached' })
      })
      await mailTo(site.smtp, fullEmail, { count: 3 })
    })

    it('sees where a clinic is missing, and who asked from there', async () => {
      const page = await site.open('/admin?tab=leads', { staff: true })
      await page.locator('tr[data-lead]').first().waitFor()
      await doJob(
        {
          name: 'See where a clinic is missing, and who asked there',
          page,
          most: { clicks: 2 },
        },
        async (hand) => {
          await hand.click(page.getByRole('tab', { name: 'Overview' }))
          await page.getByText(/A clinic near Billings, MT would have covered most of them: 2 leads/).waitFor()
          await hand.click(page.getByRole('link', { name: '2 leads: Billings, MT' }))
          await page.getByText('Total: 2 leads').waitFor()
          await page.locator('tr[data-lead]', { hasText: '59101' }).nth(1).waitFor()
        },
      )
    })

    it('approves a mass deactivation, and is told of the leads', async () => {
      for (let id = 1; id <= 5; id += 1) {
        wordpress.posts.push(
          clinicPost(
            id,
            {},
            { zip_code: '80202', latitude: '39.75', longitude: '-104.99', address: '1 Main Street, Denver, CO' },
          ),
        )
      }
      const page = await site.open('/admin?tab=providers', { staff: true })
      await page.getByRole('button', { name: 'Sync Providers' }).click()
      await seesToast(page, 'Successfully synced providers', '5 created')
      const { id: providerId } = found(await site.db('providers').where({ wordpress_id: 2 }).first('id'))
      await createLead(site.db, { form: { zip_code: '80203' }, providerId })
      for (const post of wordpress.posts.slice(1)) post.acf = { ...post.acf, active: '0' }
      await page.getByRole('button', { name: 'Sync Providers' }).click()
      await page.getByRole('dialog', { name: /^Sync of / }).waitFor()

      await page.goto('/admin?tab=attention')
      await doJob({ name: 'Approve a mass deactivation', page, most: { clicks: 2 } }, async (hand) => {
        await hand.click(page.getByRole('link', { name: /^See the changes/ }).first())
        await page
          .getByText('These 4 took 1 lead from 1 zip code in 30 days. Of such leads, 1 would go elsewhere')
          .waitFor()
        await hand.click(page.getByRole('button', { name: 'Approve: deactivate 4 providers' }))
        await seesToast(page, 'Successfully synced providers', '4 deactivated')
      })
      expect(await site.db('providers').where({ status: 'f' })).toHaveLength(4)
    })
  },
  { WORDPRESS_URL: wordpress.url },
)

const lineOf = (page: Page, title: string) => page.locator('[data-line^=not-reached]').filter({ hasText: title })
