import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { NewLead } from '../../core/contract/forms.ts'
import { STAFF_PASSWORD } from '../support/env.ts'
import type { ReceivedMail, TestSmtpServer } from '../support/smtp-server.ts'
import { waitFor } from '../support/wait.ts'
import type { BrowserSite } from './browser.ts'

type FieldLabel = 'First Name' | 'Last Name' | 'Email' | 'Phone' | 'Zip Code'

export function field(page: Page, label: FieldLabel): Locator {
  return page.getByLabel(label, { exact: true })
}

/** Fills in the second step of a form in two steps, consent included. */
export async function fillInPerson(page: Page, lead: NewLead): Promise<void> {
  await field(page, 'First Name').fill(lead.first_name)
  await field(page, 'Last Name').fill(lead.last_name)
  await field(page, 'Email').fill(lead.email)
  await field(page, 'Phone').fill(lead.phone)
  await page.getByRole('checkbox').check()
}

export async function fillIn(page: Page, lead: NewLead): Promise<void> {
  await field(page, 'Zip Code').fill(lead.zip_code)
  await fillInPerson(page, lead)
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

/** Presses a button of a lead's row, which shows while the pointer is in the row. */
export async function pressInRow(row: Locator, name: string | RegExp): Promise<void> {
  await row.hover()
  await row.getByRole('button', { name }).click()
}

export async function chooseInRow(row: Locator, name: string): Promise<void> {
  await row.getByRole('button', { name: /^More for / }).click()
  await row.page().getByRole('menuitem', { name, exact: true }).click()
}

/** The button that sends the lead form, whatever it says at the moment. */
export function submitButton(page: Page): Locator {
  return page.getByRole('form', { name: 'Lead form' }).getByRole('button')
}

/** Does what loads the script of a page's form, and waits until the form has it. Until then it is a plain one. */
export async function wake(page: Page): Promise<void> {
  const form = page.locator('#provider-form form[novalidate]')
  await touchUntil('the script of the form', page, () => form.isVisible())
}

/** Waits until React has taken an element over from the server's HTML: before that it does what HTML does by itself. */
export async function comesAlive(element: Locator): Promise<void> {
  await touchUntil(`${element} to come alive`, element.page(), () => isAlive(element))
}

export function isAlive(element: Locator): Promise<boolean> {
  return element.evaluate((node) => Object.keys(node).some((key) => key.startsWith('__reactProps')))
}

/** Moves the mouse again and again: a page whose script is not there yet does not see it. */
export async function touchUntil(what: string, page: Page, isSo: () => Promise<boolean>): Promise<void> {
  await waitFor(what, async () => {
    await page.mouse.move(3, 3)
    await page.mouse.move(5, 5)
    return isSo()
  })
}

/** Where an element is in the window, in CSS pixels. */
export function boxOf(element: Locator): Promise<{ top: number; bottom: number; width: number; height: number }> {
  return element.evaluate((node) => {
    const { top, bottom, width, height } = node.getBoundingClientRect()
    return { top, bottom, width, height }
  })
}

/** Waits until the whole element is below the header and in the window. */
export async function isInSight(element: Locator): Promise<void> {
  const header = element.page().getByRole('banner')
  const height = element.page().viewportSize()?.height ?? 0
  let where = ''
  await waitFor(`${element} to be in sight`, async () => {
    const [{ top, bottom }, above] = [await boxOf(element), await boxOf(header)]
    where = `from ${top} to ${bottom}, below a header down to ${above.bottom}, in a window of ${height}`
    return top >= above.bottom - 1 && bottom <= height
  }).catch((error: Error) => {
    throw new Error(`${error.message}: it is ${where}`)
  })
}

export async function signIn(page: Page, password = STAFF_PASSWORD): Promise<void> {
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Signs in with an account, in a prompt that asks for the shared password or for one. */
export async function signInAs(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Password').waitFor()
  const toAccount = page.getByRole('button', { name: 'Use my account instead' })
  if (await toAccount.count()) await toAccount.click()
  await page.getByLabel('Email').fill(email)
  await signIn(page, password)
}

/** Chooses something in the menu of whoever is signed in. */
export async function chooseInMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

export async function seesToast(page: Page, ...words: string[]): Promise<void> {
  let toast = page.locator('[data-sonner-toast][data-removed="false"]')
  for (const text of words) toast = toast.filter({ hasText: text })
  // The one before may still be on its way out.
  await toast.first().waitFor()
}

/** Keeps the browser from opening a program for a link to a telephone number. */
export async function withoutDialing(link: Locator): Promise<void> {
  await link.evaluate((node) => node.addEventListener('click', (event) => event.preventDefault()))
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

export function hasFocus(element: Locator): Promise<void> {
  return expect.poll(() => element.evaluate((node) => node === document.activeElement)).toBe(true)
}

/** Presses what downloads a file. @returns its name and its lines */
export async function download(button: Locator): Promise<{ name: string; lines: string[] }> {
  const [file] = await Promise.all([button.page().waitForEvent('download'), button.click()])
  const chunks: Buffer[] = []
  for await (const chunk of await file.createReadStream()) chunks.push(chunk)
  return { name: file.suggestedFilename(), lines: Buffer.concat(chunks).toString().trimEnd().split('\r\n') }
}

export const CALL = /\/api\/leads(\?|$)/

/** The one lead of this visitor, with the evidence of their consent. */
export async function leadOf({ db }: Pick<BrowserSite, 'db'>, { email }: Pick<NewLead, 'email'>) {
  const stored = await db('leads').where({ email }).select('*')
  expect(stored).toHaveLength(1)
  const consent = await db('consents').where('lead_id', stored[0]?.id).first()
  return { ...stored[0], consent }
}

/** The id and the name of what the keyboard is at. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { name, id } = document.activeElement as HTMLInputElement
    return name || id
  })
}

/** What a screen reader says is wrong with a field; empty while the field counts as valid. */
export function problemAt(input: Locator): Promise<string> {
  return input.evaluate((element) => {
    if (element.getAttribute('aria-invalid') !== 'true') return ''
    return document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent ?? ''
  })
}

/** What a page on another host than the main one makes the watcher say, which takes it for foreign. */
export function onHost(domain: string): RegExp {
  return new RegExp(`^foreign host: http://${domain}:`)
}

/** The script of a page or part, by the name of its source file: built files carry a hash behind it. */
export function chunk(name: string): RegExp {
  return new RegExp(`/assets/${name}-[\\w-]{8}\\.js$`)
}

export const AUSTIN = { latitude: 30.27, longitude: -97.74 }
export const DENVER = { latitude: 39.74, longitude: -104.99 }

export const TILES = /\/tiles\/\d+\/\d+\/\d+$/

/** What the browser's console says of calls that a test has made fail. */
export const BLOCKED = /ERR_FAILED|ERR_CONNECTION_REFUSED/

export function pins(page: Page): Locator {
  return page.locator('img.leaflet-marker-icon')
}

/** Pins, clusters and the visitor's own place. */
export function marks(page: Page): Locator {
  return page.locator('.leaflet-marker-icon')
}

/** The zooms of the tiles that a map has asked for and still shows. */
export function zooms(page: Page): Promise<number[]> {
  return page
    .locator('.leaflet-tile')
    .evaluateAll((tiles) => [
      ...new Set((tiles as HTMLImageElement[]).map(({ src }) => Number(/\/tiles\/(\d+)/.exec(src)?.[1]))),
    ])
}

export function hasOutlines(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const drawn = document.querySelector<HTMLCanvasElement>('.leaflet-outlines-pane canvas')
    if (!drawn) return false
    // A copy, because the canvas of the map is not made for frequent reading.
    const copy = new OffscreenCanvas(drawn.width, drawn.height).getContext('2d', { willReadFrequently: true })
    copy?.drawImage(drawn, 0, 0)
    return copy?.getImageData(0, 0, drawn.width, drawn.height).data.some((value) => value > 0) ?? false
  })
}

/** Brings the map of the page for clinics into sight, before which it is not loaded. */
export async function openNetwork(page: Page): Promise<Locator> {
  const network = page.locator('#provider-network')
  await network.scrollIntoViewIfNeeded()
  await network.locator('.leaflet-container').waitFor()
  return network
}
