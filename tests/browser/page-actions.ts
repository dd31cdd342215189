import type { Locator, Page } from 'playwright-core'
import type { NewLead } from '../../core/contract/leads.ts'
import { STAFF_PASSWORD } from '../support/env.ts'
import type { ReceivedMail, TestSmtpServer } from '../support/smtp-server.ts'
import { waitFor } from '../support/wait.ts'

export type FieldLabel = 'First Name' | 'Last Name' | 'Email' | 'Phone' | 'Zip Code'

export function field(page: Page, label: FieldLabel): Locator {
  return page.getByLabel(label, { exact: true })
}

/** Fills in the lead form, consent included. */
export async function fillIn(page: Page, lead: NewLead): Promise<void> {
  await field(page, 'First Name').fill(lead.first_name)
  await field(page, 'Last Name').fill(lead.last_name)
  await field(page, 'Email').fill(lead.email)
  await field(page, 'Phone').fill(lead.phone)
  await field(page, 'Zip Code').fill(lead.zip_code)
  await page.getByRole('checkbox').check()
}

/** What the lead form holds, in the names of the contract. */
export async function filledIn(page: Page) {
  return {
    first_name: await field(page, 'First Name').inputValue(),
    last_name: await field(page, 'Last Name').inputValue(),
    email: await field(page, 'Email').inputValue(),
    phone: await field(page, 'Phone').inputValue(),
    zip_code: await field(page, 'Zip Code').inputValue(),
    acceptance_consent: await page.getByRole('checkbox').isChecked(),
  }
}

/** The button that sends the lead form, whatever it says at the moment. */
export function submitButton(page: Page): Locator {
  return page.getByRole('form', { name: 'Lead form' }).getByRole('button')
}

export async function signIn(page: Page, password = STAFF_PASSWORD): Promise<void> {
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Waits until a toast says all of these words. */
export async function seesToast(page: Page, ...words: string[]): Promise<void> {
  let toast = page.locator('[data-sonner-toast][data-removed="false"]')
  for (const text of words) toast = toast.filter({ hasText: text })
  await toast.waitFor()
}

/** Makes the calls to an address wait until they are released. */
export async function holdCalls(
  page: Page,
  address: string | RegExp,
): Promise<{ release(): void; calls: () => number }> {
  let release = () => {}
  let calls = 0
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(address, async (route) => {
    calls += 1
    await released
    await route.continue()
  })
  return { release, calls: () => calls }
}

/** Waits for a mail to an address; the `count`th if there are several. */
export async function mailTo(smtp: TestSmtpServer, address: string, { count = 1 } = {}): Promise<ReceivedMail> {
  const received = () => smtp.mails.filter(({ recipients }) => recipients.includes(address))
  await waitFor(`mail ${count} to ${address}`, () => received().length >= count)
  return received()[count - 1] as ReceivedMail
}
