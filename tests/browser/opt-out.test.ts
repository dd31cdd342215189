import { expect, it } from 'vitest'
import { CLINIC_OPT_OUT_PATH, OPT_OUT_PATH } from '../../core/contract/page.ts'
import { createProvider, leadForm } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { cutTexts, overflow, smallTargets, violations } from './inspect-page.ts'
import { mailTo } from './page-actions.ts'

describeInBrowser('a person who wants no more contact', (site) => {
  /** Path and query of the link to such a page in a mail. */
  const linkIn = (text = '', path: string) => new RegExp(`${path}\\?t=[\\w.-]+`).exec(text)?.[0] ?? 'no link'

  it.each([
    { how: 'with scripts', javaScriptEnabled: true, width: 1440 },
    { how: 'without JavaScript', javaScriptEnabled: false, width: 390 },
  ])('says so on the page of the link, and the clinic confirms on its own: $how', async ({ width, ...context }) => {
    const visitor = { width, context }
    const clinic = `desk${width}@quill.example`
    const { id } = await createProvider(site.db, { email: clinic })
    const form = leadForm()
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify(form)
    await fetch(`${site.url}/api/leads?providerId=${id}`, { method: 'POST', headers, body })
    await mailTo(site.smtp, clinic)

    const page = await site.open(linkIn((await mailTo(site.smtp, form.email)).text, OPT_OUT_PATH), visitor)
    await page.getByRole('heading', { level: 1, name: 'Stop all contact?' }).waitFor()
    if (context.javaScriptEnabled) {
      expect([await overflow(page), await smallTargets(page), await cutTexts(page)]).toEqual([0, [], []])
      expect(await violations(page)).toEqual([])
    }
    expect(await site.db('opt_outs').where({ provider_id: id })).toEqual([])
    await page.getByRole('button', { name: 'Stop all contact' }).click()
    await page.getByRole('heading', { level: 1, name: 'We have stopped' }).waitFor()
    await page.goto(page.url())
    await page.getByRole('heading', { level: 1, name: 'This was done already' }).waitFor()

    const asked = await mailTo(site.smtp, clinic, { count: 2 })
    const confirmation = await site.open(linkIn(asked.text, CLINIC_OPT_OUT_PATH), visitor)
    await confirmation.getByRole('button', { name: 'Confirm that contact has stopped' }).click()
    await confirmation.getByText('Your confirmation is recorded').waitFor()
    expect(await site.db('opt_outs').where({ provider_id: id }).pluck('confirmed_by')).toEqual(['clinic'])
  })
})
