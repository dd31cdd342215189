import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { CLINIC_OPT_OUT_PATH, OPT_OUT_PATH } from '../../core/contract/page.ts'
import { createLead, createProvider, leadForm } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { isUsableByEverybody, violations } from './inspect-page.ts'
import { mailTo } from './page-actions.ts'

const HOW = [
  { how: 'with scripts', javaScriptEnabled: true },
  { how: 'without JavaScript', javaScriptEnabled: false },
]

describeInBrowser('a link in an email', (site) => {
  const findIn = (text: string | false | undefined, link: RegExp) => link.exec(String(text))?.[0] ?? 'no such link'

  /** A visitor's form for this clinic, sent to the API. */
  async function send(providerId: number) {
    const form = leadForm({ first_name: 'Sam', last_name: 'Orchard' })
    const headers = { 'content-type': 'application/json' }
    await fetch(`${site.url}/api/leads?providerId=${providerId}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(form),
    })
    return form
  }

  it.each(HOW)('lets a clinic answer on a phone, and change the answer: $how', async ({ javaScriptEnabled }) => {
    const email = `phone.${javaScriptEnabled}@quill.example`
    const { id } = await createProvider(site.db, { email, practice_name: 'Quill Urology' })
    await send(id)
    const mail = await mailTo(site.smtp, email)

    const page = await site.open(findIn(mail.html, /\/r\/[\w.-]+\?answer=booked/), {
      width: 390,
      context: { javaScriptEnabled },
    })
    await page.getByRole('heading', { level: 1, name: 'Sam Orchard' }).waitFor()
    const call = page.getByRole('link', { name: 'Call (512) 555-' })
    expect(await call.getAttribute('href')).toMatch(/^tel:\+1512555\d{4}$/)
    if (javaScriptEnabled) await asksBeforeACallAtNight(page)
    expect(await page.getByLabel('Booked').isChecked()).toBe(true)
    expect(await page.getByLabel('Reason').isVisible()).toBe(false)
    await page.getByLabel('Day of the appointment').fill('2026-12-01')
    const submit = page.getByRole('button', { name: 'Send the answer' })
    const box = await submit.first().boundingBox()
    expect((box?.y ?? 999) + (box?.height ?? 0)).toBeLessThanOrEqual(600)
    await submit.first().click()
    await page.getByText('Booked for Dec 1, 2026').first().waitFor()
    const others = page.getByText('Something else, or a note')
    await others.click()

    await page.getByLabel('Cannot help').check()
    expect(await page.getByLabel('Day of the appointment').isVisible()).toBe(false)
    await page.getByLabel('Reason').selectOption('We have no capacity')
    await page.getByLabel('Note').fill('Full until January.')
    await submit.last().click()
    await page.getByText('Cannot help: We have no capacity').first().waitFor()
    const kinds = await site.db('lead_outcomes').where({ provider_id: id }).orderBy('id').pluck('kind')
    expect(kinds).toEqual(['opened', 'booked', 'declined'])

    if (javaScriptEnabled) await isUsableByEverybody(page, 'a request that was answered')
    await page.getByText('Change your answer').click()
    await page.getByLabel('They do not want to be contacted').check()
    await submit.click()
    await page.getByRole('heading', { level: 1, name: 'Stop all contact with this person?' }).waitFor()
    if (javaScriptEnabled) expect(await violations(page)).toEqual([])
    await page.getByRole('link', { name: 'Back to the request' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sam Orchard' }).waitFor()
  })

  it.each(HOW)('stops all contact with a visitor, which the clinic confirms: $how', async ({ javaScriptEnabled }) => {
    const visitor = { width: 390, context: { javaScriptEnabled } }
    const clinic = `desk.${javaScriptEnabled}@quill.example`
    const { id } = await createProvider(site.db, { email: clinic })
    const form = await send(id)
    await mailTo(site.smtp, clinic)

    const linkTo = (path: string) => new RegExp(`${path}\\?t=[\\w.-]+`)
    const page = await site.open(findIn((await mailTo(site.smtp, form.email)).text, linkTo(OPT_OUT_PATH)), visitor)
    await page.getByRole('heading', { level: 1, name: 'Stop all contact?' }).waitFor()
    if (javaScriptEnabled) await isUsableByEverybody(page, 'the question before contact stops')
    expect(await site.db('opt_outs').where({ provider_id: id })).toEqual([])
    await page.getByRole('button', { name: 'Stop all contact' }).click()
    await page.getByRole('heading', { level: 1, name: 'We have stopped' }).waitFor()
    await page.goto(page.url())
    await page.getByRole('heading', { level: 1, name: 'This is already done' }).waitFor()

    const asked = await mailTo(site.smtp, clinic, { count: 2 })
    const confirmation = await site.open(findIn(asked.text, linkTo(CLINIC_OPT_OUT_PATH)), visitor)
    await confirmation.getByRole('button', { name: 'Confirm that contact has stopped' }).click()
    await confirmation.getByText('Your confirmation is recorded').waitFor()
    expect(await site.db('opt_outs').where({ provider_id: id }).pluck('confirmed_by')).toEqual(['clinic'])
  })

  it('opens the pages of a clinic, which answers, pauses, lets a person in, and signs out', async () => {
    const email = 'front@quill.example'
    const { id } = await createProvider(site.db, { email, practice_name: 'Quill Urology' })
    const leadId = await createLead(site.db, { providerId: id, form: { first_name: 'Sam', last_name: 'Orchard' } })
    const page = await site.open('/clinic', { width: 390 })
    const press = (name: string) => page.getByRole('button', { name }).click()
    await page.getByLabel('Email address').fill(email)
    await press('Send the link')
    await page.getByText('a link is on its way').waitFor()
    // The other one is the request itself. Either may come first.
    await mailTo(site.smtp, email, { count: 2 })
    const mails = site.smtp.mails.filter(({ recipients }) => recipients.includes(email))
    const link = mails.map(({ html }) => /\/clinic#[\w-]{43}/.exec(String(html))?.[0]).find(Boolean)
    await page.goto(site.url + link)

    await page.getByText(`This link signs in ${email} to the pages of Quill Urology.`).waitFor()
    expect(await site.db('clinic_sessions').where('provider_id', id)).toEqual([])
    await isUsableByEverybody(page, 'the question before a link signs in')
    await press('Open the pages of Quill Urology')
    await page.getByRole('heading', { level: 1, name: 'Quill Urology' }).waitFor()
    expect(new URL(page.url()).hash).toBe('')
    await isUsableByEverybody(page, 'the requests of a clinic')
    await page.getByRole('link', { name: 'Answer for Sam Orchard' }).click()
    await page.getByLabel('Booked').check()
    await page.getByLabel('Day of the appointment').fill('2026-12-01')
    await page.getByRole('button', { name: 'Send the answer' }).first().click()
    await page.getByText('Booked for Dec 1, 2026').first().waitFor()
    await page.getByRole('link', { name: 'All my requests' }).click()
    await page.getByText('Every request has your answer').waitFor()
    expect(await site.db('lead_outcomes').where('lead_id', leadId).orderBy('id').pluck('kind')).toEqual([
      'opened',
      'booked',
    ])

    await page.getByRole('tab', { name: 'Results' }).click()
    await page.getByText('→ 1 booked').waitFor()
    await page.getByRole('tab', { name: 'Settings' }).click()
    await press('Pause new requests')
    await page.getByText('Until you end the pause.').waitFor()
    expect(await site.db('provider_rules').where('provider_id', id).first('is_paused')).toEqual({ is_paused: true })
    await isUsableByEverybody(page, 'the settings of a clinic')

    await page.getByRole('tab', { name: 'People' }).click()
    const intake = 'intake@quill.example'
    await page.getByLabel('Email address').fill(intake)
    await press('Add')
    await page.getByText('Has to sign in first').waitFor()
    expect((await mailTo(site.smtp, email, { count: 3 })).text).toContain(intake)
    const invitation = await mailTo(site.smtp, intake)
    await page.goto(site.url + findIn(invitation.html, /\/clinic\?tab=requests#[\w-]{43}/))
    await press('Open the pages of Quill Urology')
    await page.getByRole('tab', { name: 'People' }).click()
    await isUsableByEverybody(page, 'the people of a clinic')
    await press('Send requests here')
    await page.getByRole('dialog').getByRole('button', { name: 'Send requests here' }).click()
    await page.getByText(`${intake} (you) – gets the requests`).waitFor()
    expect((await mailTo(site.smtp, email, { count: 4 })).text).toContain(intake)
    await press('Sign out')
    await page.getByText('Sign in without a password').waitFor()
  })
})

/** Presses the number of a person in Austin at 3 AM there. Nothing else has been pressed before. */
async function asksBeforeACallAtNight(page: Page): Promise<void> {
  await page.waitForFunction(() => Object.keys(document.querySelector('a[href^="tel:"]') ?? {}).length > 0)
  await page.evaluate(() => {
    Date.now = () => Date.parse('2026-11-28T09:00:00Z')
  })
  await page.getByRole('link', { name: 'Call (512) 555-' }).click()
  const dialog = page.getByRole('dialog', { name: 'Call now?' })
  await dialog.getByText('It is 3:00 AM in Austin. Call between 8 AM and 8 PM there.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
}
