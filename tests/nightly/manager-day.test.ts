import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import type { NewLead } from '../../core/contract/lead-form.ts'
import { describeInBrowser } from '../browser/browser.ts'
import { isInSight, mailTo, withoutDialing } from '../browser/page-actions.ts'
import { countOpenJobs, retryNow } from '../support/deliveries.ts'
import { createLead, createProvider } from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'
import { countJobs } from './count-actions.ts'

const LIST = '/admin?tab=leads'

describeInBrowser('a day of a manager with leads', (site) => {
  const doJob = countJobs('A day of a manager: leads')
  const clinic = { quill: 0, moss: 0, hart: 0 }
  const quillEmail = 'desk@quill.example'
  const mossEmail = 'desk@moss.example'

  beforeAll(async () => {
    const create = async (overrides: Parameters<typeof createProvider>[1]) =>
      (await createProvider(site.db, overrides)).id
    clinic.quill = await create({ name: 'Dr. Rosa Quill', practice_name: 'Quill Urology', email: quillEmail })
    clinic.moss = await create({
      name: 'Dr. Dan Moss',
      practice_name: 'Moss Clinic',
      zip_code: '78664',
      email: mossEmail,
      phone: '(512) 555-0177',
    })
    clinic.hart = await create({
      name: 'Dr. Ada Hart',
      practice_name: 'Mile High Wellness',
      zip_code: '80202',
      email: 'desk@hart.example',
    })
    // Earlier leads, so that the list has a second page.
    await Promise.all(
      Array.from({ length: 42 }, (_, index) => lead(`Earlier Number${index}`, { providerId: clinic.quill })),
    )
    await site.db('leads').update({ created_at: site.db.raw(`created_at - interval '10 days'`) })
    await settled()
  })

  async function lead(
    name: string,
    { providerId, ...form }: { providerId?: number | undefined } & Partial<NewLead> = {},
  ): Promise<number> {
    const [first_name = '', last_name = ''] = name.split(' ')
    return createLead(site.db, { form: { first_name, last_name, ...form }, ...(providerId && { providerId }) })
  }

  async function settled(): Promise<void> {
    await waitFor('the deliveries', async () => (await countOpenJobs(site.db)) === 0)
  }
  const mailsTo = (address: string, about: string) =>
    site.smtp.mails.filter(({ recipients, text }) => recipients.includes(address) && text?.includes(about))

  it('finds a person by two letters, the clinic, the place or the number', async () => {
    const id = await lead('Keisha Obi', { providerId: clinic.hart, zip_code: '80203' })
    await lead('Sam Lark')
    const page = await site.open(LIST, { staff: true })
    const search = page.getByRole('searchbox')
    const startOver = async () => {
      await page.keyboard.press('Escape')
      await search.fill('')
      await row(page, 'Sam Lark').waitFor()
      await search.blur()
    }
    for (const text of ['ke', 'mile high', 'denver co', `#${id}`]) {
      await startOver()
      await doJob(
        {
          name: `Find one person by “${text.replace(/\d+/, '432')}” and open the lead`,
          before: text === 'ke' ? '“No lead matches.”' : 'impossible',
          page,
          most: { clicks: 2, texts: 1 },
        },
        async (hand) => {
          await hand.click(search)
          await hand.type(text)
          await row(page, 'Sam Lark').waitFor({ state: 'detached' })
          await hand.click(row(page, 'Keisha Obi').getByRole('link', { name: 'Keisha Obi' }))
          await panel(page, 'Keisha Obi').waitFor()
        },
      )
    }
    await startOver()
    await doJob(
      { name: 'The same by keyboard', before: 'Tab by Tab', page, most: { keys: 3, texts: 1 } },
      async (hand) => {
        await hand.press('/')
        await hand.type('ke')
        await hand.press('Enter')
        await isFocused(row(page, 'Keisha Obi'))
        await hand.press('Enter')
        await panel(page, 'Keisha Obi').waitFor()
      },
    )
  })

  it('retries what the CRM refused today, and sees how that ended', async () => {
    site.crm.answer({ status: 400, body: 'contact_type is required' })
    for (const name of ['Refused One', 'Refused Two', 'Refused Three']) await lead(name, { providerId: clinic.quill })
    await settled()
    site.crm.answer(({ data }) =>
      data.lead.last_name === 'Two'
        ? { status: 400, body: 'contact_type is required' }
        : { status: 200, body: '{"id":"1"}' },
    )
    const page = await site.open(LIST, { staff: true })
    await row(page, 'Refused Three').waitFor()
    const report = page.getByRole('alert', { name: 'What failed' })
    await doJob(
      {
        name: 'Retry everyone whose CRM sync failed today, and see how it ended',
        before: '7 clicks, a date typed in UTC, the end not told',
        page,
        most: { clicks: 6 },
      },
      async (hand) => {
        await hand.click(page.getByRole('button', { name: 'Filters' }))
        await hand.choose(page.getByRole('search').getByLabel('CRM Sync'), 'Failed')
        await hand.click(page.getByRole('button', { name: 'Today', exact: true }))
        await page.getByText('Total: 3 leads').waitFor()
        await hand.click(page.getByRole('checkbox', { name: 'Select every lead on this page' }))
        await hand.click(bar(page).getByRole('button', { name: 'Retry CRM Sync' }))
        await report.getByText('CRM sync of 3 leads: 2 delivered, 1 refused, 0 waiting').waitFor()
        await report.getByText('contact_type is required').waitFor()
      },
    )
    site.crm.answer({ status: 200, body: '{"id":"1"}' })
    await page.goto('/admin?tab=attention')
    await page.getByRole('heading', { name: 'CRM does not accept leads 1' }).waitFor()
    await doJob(
      { name: 'The same from Needs attention', before: 'did not exist', page, most: { clicks: 1 } },
      async (hand) => {
        await hand.click(page.getByRole('button', { name: /^Retry 1:/ }))
        await page.getByRole('heading', { name: /^CRM does not accept/ }).waitFor({ state: 'detached' })
      },
    )
  })

  it('matches a lead with the nearest clinic', async () => {
    await lead('Nearest Mouse', { zip_code: '59101' })
    await lead('Nearest Keys', { zip_code: '59101' })
    await settled()
    const page = await site.open(LIST, { staff: true })
    const dialog = page.getByRole('dialog', { name: 'Match with provider' })
    const nearest = dialog.getByRole('option').first()
    const far = dialog.getByText('Mile High Wellness is 439 miles from zip code 59101, beyond the radius of 100 miles.')
    await row(page, 'Nearest Mouse').hover()
    await doJob(
      {
        name: 'Match an unmatched lead with the nearest clinic',
        before: '2 clicks, in a list of 81 by first name, without place or miles',
        page,
        most: { clicks: 3 },
      },
      async (hand) => {
        await hand.click(row(page, 'Nearest Mouse').getByRole('button', { name: /^Match with provider/ }))
        await nearest.getByText('Mile High Wellness · Denver, CO · 439 miles').waitFor()
        await hand.click(nearest)
        await far.waitFor()
        await hand.click(dialog.getByRole('button', { name: 'Send anyway' }))
        await row(page, 'Nearest Mouse').getByText('Dr. Ada Hart').waitFor()
      },
    )
    await row(page, 'Nearest Keys').focus()
    await doJob(
      {
        name: 'The same by keyboard, from the row',
        before: '1 key gave the lead to the next clinic of the list, without a question',
        page,
        most: { keys: 5 },
      },
      async (hand) => {
        await hand.press('m')
        await nearest.waitFor()
        await hand.press('Enter')
        await far.waitFor()
        await hand.press('Tab', 'Tab', 'Enter')
        await row(page, 'Nearest Keys').getByText('Dr. Ada Hart').waitFor()
      },
    )
    await retryNow(site.db)
    await waitFor('the mails to the clinic', () => mailsTo('desk@hart.example', 'Nearest').length === 2)
  })

  it('gives a matched lead to another clinic, and the first one is told', async () => {
    await lead('Rerouted Mouse', { providerId: clinic.quill })
    await lead('Rerouted Keys', { providerId: clinic.quill })
    await settled()
    const page = await site.open(LIST, { staff: true })
    const dialog = page.getByRole('dialog', { name: 'Change clinic' })
    const toMoss = dialog.getByRole('button', { name: /^Send to Moss Clinic, Round Rock, TX/ })
    await row(page, 'Rerouted Mouse').waitFor()
    await doJob(
      {
        name: 'Reroute a matched lead',
        before: '5 clicks, and the first clinic was never told',
        page,
        most: { clicks: 3 },
      },
      async (hand) => {
        await hand.click(row(page, 'Rerouted Mouse').getByRole('button', { name: /^More for/ }))
        await hand.click(page.getByRole('menuitem', { name: 'Change clinic...' }))
        await hand.click(toMoss)
        await row(page, 'Rerouted Mouse').getByText('Dr. Dan Moss').waitFor()
      },
    )
    await row(page, 'Rerouted Keys').focus()
    await doJob(
      { name: 'The same by keyboard, from the row', before: 'impossible', page, most: { keys: 4 } },
      async (hand) => {
        await hand.press('m')
        await toMoss.waitFor()
        await hand.press('Tab', 'Tab', 'Enter')
        await row(page, 'Rerouted Keys').getByText('Dr. Dan Moss').waitFor()
      },
    )
    await retryNow(site.db)
    const tells = () =>
      site.smtp.mails.filter(
        ({ recipients, subject }) => recipients.includes(quillEmail) && /another clinic|passed/i.test(subject ?? ''),
      )
    await waitFor('the first clinic to be told', () => tells().length === 2)
    await waitFor('the new one as well', () => mailsTo(mossEmail, 'Rerouted').length === 2)
  })

  it('sees why an e-mail failed, and calls the clinic', async () => {
    site.smtp.answer((to) => (to === mossEmail ? { status: 552, text: '5.2.2 mailbox full' } : 'accept'))
    await lead('Unheard Mouse', { providerId: clinic.moss })
    await settled()
    site.smtp.answer('accept')
    const page = await site.open(LIST, { staff: true })
    await row(page, 'Unheard Mouse').getByText('Not reached').waitFor()
    await doJob(
      { name: 'Why did it fail', before: '1 click, without the recipient', page, most: { clicks: 1 } },
      async (hand) => {
        await hand.click(row(page, 'Unheard Mouse').getByRole('link', { name: 'Unheard Mouse' }))
        await panel(page, 'Unheard Mouse').getByText('5.2.2 mailbox full').first().waitFor()
        await panel(page, 'Unheard Mouse').getByText(mossEmail).first().waitFor()
      },
    )
    const call = panel(page, 'Unheard Mouse').getByRole('link', { name: 'Call (512) 555-0177' })
    await doJob(
      { name: 'Call the recipient, from the open lead', before: '4 clicks', page, most: { clicks: 1 } },
      async (hand) => {
        expect(await call.getAttribute('href')).toBe('tel:+15125550177')
        await withoutDialing(call)
        await hand.click(call)
      },
    )
  })

  it('corrects a mistyped e-mail and sends again', async () => {
    const typo = 'jordan@gmial.example'
    const right = 'jordan@gmail.example'
    site.smtp.answer((to) => (to === typo ? { status: 550, text: '5.1.1 no such user' } : 'accept'))
    await lead('Mistyped Mouse', { providerId: clinic.quill, email: typo })
    await settled()
    const page = await site.open(LIST, { staff: true })
    const dialog = page.getByRole('dialog')
    await row(page, 'Mistyped Mouse').waitFor()
    await doJob(
      { name: 'Correct a mistyped e-mail and send again', before: 'impossible', page, most: { clicks: 5, texts: 1 } },
      async (hand) => {
        await hand.click(row(page, 'Mistyped Mouse').getByRole('link', { name: 'Mistyped Mouse' }))
        await hand.click(panel(page, 'Mistyped Mouse').getByRole('button', { name: 'Edit...' }))
        await hand.click(dialog.getByLabel('E-mail'), { clickCount: 3 })
        await hand.type(right)
        await hand.click(dialog.getByRole('button', { name: 'Save' }))
        await hand.click(dialog.getByRole('button', { name: 'Send again' }))
        await dialog.waitFor({ state: 'detached' })
      },
    )
    await mailTo(site.smtp, right)
  })

  it('enters a lead that phoned in, by keyboard', async () => {
    const page = await site.open(LIST, { staff: true })
    await row(page, 'Sam Lark').waitFor()
    await doJob(
      { name: 'Enter a lead that phoned in, by keyboard', before: 'impossible', page, most: { keys: 8, texts: 5 } },
      async (hand) => {
        await hand.press('c')
        await page.getByRole('dialog', { name: 'New lead' }).waitFor()
        for (const text of ['Phoned', 'In', '(512) 555-7654', 'phoned.in@visitors.example', '78702']) {
          await hand.type(text)
          await hand.press('Tab')
        }
        await hand.press('Space')
        await hand.press('Enter')
        await panel(page, 'Phoned In').waitFor()
      },
    )
    await mailTo(site.smtp, 'phoned.in@visitors.example')
  })

  it('deletes two leads and takes both back', async () => {
    await lead('Gone First')
    await lead('Gone Second')
    const page = await site.open(LIST, { staff: true })
    const names = () => site.db('leads').where({ first_name: 'Gone' }).orderBy('id').pluck('last_name')
    await row(page, 'Gone Second').waitFor()
    await doJob(
      { name: 'Delete two leads and take both back', before: 'only the last one came back', page, most: { clicks: 5 } },
      async (hand) => {
        for (const name of ['Gone Second', 'Gone First']) {
          await hand.click(row(page, name).getByRole('button', { name: /^More for/ }))
          await hand.click(page.getByRole('menuitem', { name: 'Delete' }))
          await row(page, name).waitFor({ state: 'detached' })
        }
        expect(await names()).toEqual([])
        await hand.click(page.locator('[data-sonner-toast][data-removed=false]').getByRole('button', { name: 'Undo' }))
        await row(page, 'Gone First').waitFor()
        await row(page, 'Gone Second').waitFor()
      },
    )
    expect(await names()).toEqual(['First', 'Second'])
    await row(page, 'Gone Second').focus()
    await doJob(
      { name: 'The same by keyboard, from the row', before: 'only the last one came back', page, most: { keys: 3 } },
      async (hand) => {
        await hand.press('#')
        await row(page, 'Gone Second').waitFor({ state: 'detached' })
        await isFocused(row(page, 'Gone First'))
        await hand.press('#')
        await row(page, 'Gone First').waitFor({ state: 'detached' })
        await hand.press('u')
        await row(page, 'Gone First').waitFor()
        await row(page, 'Gone Second').waitFor()
      },
    )
    expect(await names()).toEqual(['First', 'Second'])
  })

  it('exports what is filtered', async () => {
    await lead('Exported Mouse', { zip_code: '04401' })
    const page = await site.open(LIST, { staff: true })
    await row(page, 'Exported Mouse').waitFor()
    await page.getByRole('button', { name: 'Unmatched' }).click()
    const shown = await totalOf(page)
    await doJob(
      { name: 'Export what is filtered', before: '1 click, always as leads.csv', page, most: { clicks: 1 } },
      async (hand) => {
        const downloading = page.waitForEvent('download')
        await hand.click(page.getByRole('link', { name: 'Export Leads CSV' }))
        const download = await downloading
        expect(download.suggestedFilename()).toMatch(/^leads-unmatched-\d{4}-\d\d-\d\d\.csv$/)
        const lines = (await read(await download.createReadStream())).trimEnd().split('\r\n')
        expect(`Total: ${lines.length - 1} leads`).toBe(shown)
      },
    )
  })

  it('sees in one tab what happens in another', async () => {
    await lead('Live Mouse')
    const [first, second] = [await site.open(LIST, { staff: true }), await site.open(LIST, { staff: true })]
    await row(first, 'Live Mouse').waitFor()
    await row(second, 'Live Mouse').waitFor()
    await row(first, 'Live Mouse').focus()
    await first.keyboard.press('#')
    await doJob(
      { name: 'See in one tab what happens in another', before: 'nothing: 0.3 s', page: second, most: {} },
      async () => {
        await row(second, 'Live Mouse').waitFor({ state: 'detached' })
        await lead('Lively Mouse')
        await row(second, 'Lively Mouse').waitFor()
      },
    )
  })

  it('goes by keyboard from the selection to an act on it', async () => {
    await lead('Chosen One', { providerId: clinic.quill })
    await lead('Chosen Two', { providerId: clinic.quill })
    await settled()
    const page = await site.open(LIST, { staff: true })
    await row(page, 'Chosen Two').focus()
    const before = site.crm.events.length
    await doJob(
      { name: 'From a selected row to the bulk bar, and one press', before: '256 Tabs', page, most: { keys: 4 } },
      async (hand) => {
        await hand.press('x')
        await hand.press('Shift+J')
        await bar(page).getByText('2 leads selected').waitFor()
        await hand.press('b')
        const retry = bar(page).getByRole('button', { name: 'Retry CRM Sync' })
        expect(await retry.evaluate((button) => button === document.activeElement)).toBe(true)
        await hand.press('Enter')
        await page.getByText('Successfully retried CRM sync of 2 leads').waitFor()
      },
    )
    await waitFor('the CRM to be told twice', () => site.crm.events.length === before + 2)
  })

  it('goes to the overview and back, and to the next page', async () => {
    const page = await site.open(LIST, { staff: true })
    await page.getByRole('button', { name: 'Unmatched' }).click()
    const shown = await totalOf(page)
    await doJob(
      {
        name: 'Go to the overview and back with the filter',
        before: '2 clicks, the filter was gone',
        page,
        most: { clicks: 2 },
      },
      async (hand) => {
        await hand.click(page.getByRole('tab', { name: 'Overview' }))
        await page.getByText('Leads received').waitFor()
        await hand.click(page.getByRole('tab', { name: /^Leads/ }))
        await page.getByRole('button', { name: 'Unmatched', pressed: true }).waitFor()
      },
    )
    expect(await totalOf(page)).toBe(shown)
    await page.getByRole('button', { name: 'Unmatched' }).click()
    await page.getByText('Page 1 of 2').waitFor()
    await doJob(
      { name: 'Go to the next page', before: '1 click, and it opened at its bottom', page, most: { clicks: 1 } },
      async (hand) => {
        await hand.click(page.getByRole('button', { name: 'Next', exact: true }))
        await page.getByText('Page 2 of 2').waitFor()
        await row(page, 'Earlier Number').first().waitFor()
        expect(await page.evaluate(() => window.scrollY)).toBeLessThan(300)
      },
    )
  })

  it('filters by everything that is known, and sorts by the clinic', async () => {
    site.crm.answer({ status: 422 })
    await lead('Sourced Mouse', {
      providerId: clinic.moss,
      zip_code: '10001',
      attribution: {
        first: { utm_source: 'google', utm_campaign: 'spring' },
        last: { utm_source: 'google', utm_campaign: 'spring' },
      },
    } as Partial<NewLead>)
    await settled()
    site.crm.reset()
    const page = await site.open(LIST, { staff: true })
    const filters = page.getByRole('search')
    await row(page, 'Sourced Mouse').waitFor()
    const one = page.getByText('Total: 1 leads')
    const BY: [what: string, label: string, choice: string][] = [
      ['source', 'Source', 'google'],
      ['campaign', 'Campaign', 'spring'],
      ['state', 'State', 'NY'],
    ]
    for (const [what, label, choice] of BY) {
      await page.goto(LIST)
      await doJob({ name: `Filter by ${what}`, before: 'impossible', page, most: { clicks: 3 } }, async (hand) => {
        await hand.click(page.getByRole('button', { name: 'Filters' }))
        await filters.getByRole('option', { name: choice, exact: true }).waitFor({ state: 'attached' })
        await hand.choose(filters.getByLabel(label, { exact: true }), choice)
        await one.waitFor()
      })
    }
    await page.goto(LIST)
    await doJob({ name: 'Sort by clinic', before: 'impossible', page, most: { clicks: 1 } }, async (hand) => {
      await hand.click(page.getByRole('columnheader', { name: 'Provider' }).getByRole('button'))
      await page.getByRole('columnheader', { name: 'Provider' }).and(page.locator('[aria-sort=ascending]')).waitFor()
      await page.locator('tr[data-lead]').first().getByText('Mile High Wellness').waitFor()
    })
  })

  it('works through the list on a phone', async () => {
    const page = await site.open(LIST, {
      staff: true,
      context: { viewport: { width: 390, height: 844 }, hasTouch: true },
    })
    const first = page.locator('tr[data-lead]').first()
    await first.waitFor()
    const call = first.getByRole('link', { name: /^Call / })
    await doJob(
      {
        name: 'Call a person from the list on a phone',
        before: '1 tap, after a screen of scrolling',
        page,
        most: { clicks: 1 },
      },
      async (hand) => {
        await isInSight(call)
        expect(await call.getAttribute('href')).toMatch(/^tel:\+1\d{10}$/)
        await withoutDialing(call)
        await hand.click(call)
      },
    )
    const fifteenth = await page
      .locator('tr[data-lead]')
      .nth(14)
      .evaluate((node) => node.getBoundingClientRect().bottom)
    console.log(`Fifteen leads on a phone of 390 × 844: ${(fifteenth / 844).toFixed(1)} screens (before: 8)`)
    expect(fifteenth / 844).toBeLessThan(2.5)
  })
})

const row = (page: Page, name: string) => page.locator('tr[data-lead]').filter({ hasText: name })
const bar = (page: Page) => page.getByRole('region', { name: 'Chosen leads' })
const panel = (page: Page, name: string) => page.getByRole('complementary', { name })

/** The number of leads that match, once it is not that of the filter before. */
async function totalOf(page: Page): Promise<string | null> {
  await page.getByRole('button', { name: 'Unmatched', pressed: true }).waitFor()
  await page.locator('table[aria-busy=false]').waitFor()
  return page.getByText(/^Total: /).textContent()
}

async function isFocused(element: Locator): Promise<void> {
  await expect.poll(() => element.evaluate((node) => node === document.activeElement)).toBe(true)
}

async function read(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
