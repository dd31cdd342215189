import { expect, it } from 'vitest'
import { createLead, createProvider } from '../support/factories.ts'
import { describeInBrowser } from './browser.ts'
import { isUsableByEverybody } from './inspect-page.ts'
import { mailTo } from './page-actions.ts'

describeInBrowser('the own pages of a clinic', (site) => {
  it('open by a link from an e-mail: the clinic answers, pauses and lets a person in, and signs out', async () => {
    const email = 'front@quill.example'
    const { id } = await createProvider(site.db, { email, practice_name: 'Quill Urology' })
    const leadId = await createLead(site.db, { providerId: id, form: { first_name: 'Sam', last_name: 'Orchard' } })
    const page = await site.open('/clinic', { width: 390 })
    await page.getByLabel('E-mail address').fill(email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByText('a link is in its mailbox or on its way').waitFor()
    // The other one is the request itself. Either may come first.
    await mailTo(site.smtp, email, { count: 2 })
    const pages = site.smtp.mails.map(({ html }) => /\/clinic#[\w-]{43}/.exec(String(html))?.[0])
    await page.goto(site.url + pages.find((path) => path !== undefined))

    await page.getByText(`This link signs in ${email} to the pages of Quill Urology.`).waitFor()
    expect(await site.db('clinic_sessions').where('provider_id', id)).toEqual([])
    await isUsableByEverybody(page, { name: 'the question before a link signs in' })
    await page.getByRole('button', { name: 'Open the pages of Quill Urology' }).click()
    await page.getByRole('heading', { level: 1, name: 'Quill Urology' }).waitFor()
    expect(new URL(page.url()).hash).toBe('')
    await isUsableByEverybody(page, { name: 'the requests of a clinic' })
    await page.getByRole('button', { name: 'Answer for Sam Orchard' }).click()
    await page.getByLabel('Booked').check()
    await page.getByLabel('Day of the appointment').fill('2026-12-01')
    await page.getByRole('button', { name: 'Send the answer' }).click()
    await page.getByText('Every request has your answer').waitFor()
    await page.getByRole('button', { name: 'Booked' }).click()
    await page.getByText('Booked for Dec 1, 2026').waitFor()
    expect(await site.db('lead_outcomes').where('lead_id', leadId).pluck('kind')).toEqual(['booked'])

    await page.getByRole('tab', { name: 'How you are doing' }).click()
    await page.getByText('1 request in the last 90 days.').waitFor()
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByLabel('A day').fill('none')
    await page.getByRole('button', { name: 'Save limits' }).click()
    await page.getByText('Write a whole number').waitFor()
    await page.getByRole('button', { name: 'Pause new requests' }).click()
    await page.getByText('Until you end the pause.').waitFor()
    expect(await site.db('provider_rules').where('provider_id', id).first('is_paused')).toEqual({ is_paused: true })
    await isUsableByEverybody(page, { name: 'the settings of a clinic' })
    await page.getByRole('button', { name: 'Take requests again' }).click()
    await page.getByRole('heading', { name: 'Pause new requests' }).waitFor()

    await page.getByLabel('Monday').fill('08:00-12:00')
    await page.getByRole('button', { name: 'Save hours' }).click()
    await page.getByRole('dialog').getByText('You would be closed Tuesday to Sunday.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Save hours' }).click()
    await page.getByText('Saved.').waitFor()
    await page.getByRole('tab', { name: 'People' }).click()
    const intake = 'intake@quill.example'
    await page.getByLabel('E-mail address').fill(intake)
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByText('Has to sign in first').waitFor()
    const [notice, invitation] = await Promise.all([
      mailTo(site.smtp, email, { count: 3 }),
      mailTo(site.smtp, intake, { count: 1 }),
    ])
    expect(notice.text).toContain(intake)
    await page.goto(site.url + /\/clinic\?tab=requests#[\w-]{43}/.exec(String(invitation.html))?.[0])
    await page.getByRole('button', { name: 'Open the pages of Quill Urology' }).click()
    await page.getByRole('tab', { name: 'People' }).click()
    await page.setViewportSize({ width: 320, height: 800 })
    await isUsableByEverybody(page, { name: 'the people of a clinic on a small screen' })
    await page.setViewportSize({ width: 390, height: 800 })
    await page.getByRole('button', { name: 'Send requests here' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send requests here' }).click()
    await page.getByText(`${intake} (you) – gets the requests`).waitFor()
    expect((await mailTo(site.smtp, email, { count: 4 })).text).toContain(intake)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('Sign in without a password').waitFor()
  })
})
