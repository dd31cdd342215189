import type { BrowserContext, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { NewLead } from '../../core/contract/lead-form.ts'
import { leadForm } from '../support/factories.ts'
import type { BrowserSite } from './browser.ts'
import { type FieldLabel, field } from './page-actions.ts'

export const CALL = /\/api\/leads(\?|$)/

/** Fills in the fields of a two-step form's second step, and ticks the consent. */
export async function fillInPerson(page: Page, lead: NewLead = leadForm()): Promise<void> {
  await field(page, 'First Name').fill(lead.first_name)
  await field(page, 'Last Name').fill(lead.last_name)
  await field(page, 'Email').fill(lead.email)
  await field(page, 'Phone').fill(lead.phone)
  await page.getByRole('checkbox').check()
}

/** The leads of this visitor, as they are stored. */
export function leadsOf({ db }: BrowserSite, { email }: Pick<NewLead, 'email'>) {
  return db('leads').where({ email }).select('*')
}

/** The one lead of this visitor, with the evidence of their consent. */
export async function leadOf(site: BrowserSite, lead: Pick<NewLead, 'email'>) {
  const stored = await leadsOf(site, lead)
  expect(stored).toHaveLength(1)
  const consent = await site.db('consents').where('lead_id', stored[0]?.id).first()
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

export function problemAtField(page: Page, label: FieldLabel): Promise<string> {
  return problemAt(field(page, label))
}

/** The address of a clinic's own site on this server. Browsers take every name under localhost for this machine. */
export function hostUrl(site: BrowserSite, domain: string, path = '/'): string {
  const url = new URL(path, site.url)
  url.hostname = domain
  return url.href
}

/** What a page on another host than the main one makes the watcher say, which takes it for foreign. */
export function onHost(domain: string): RegExp {
  return new RegExp(`^foreign host: http://${domain}:`)
}

/** The calls to our API that a page makes, from now on. */
export function apiCalls(context: BrowserContext): string[] {
  const calls: string[] = []
  context.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname}`)
  })
  return calls
}

/** The script of a page or part, by the name of its source file: built files carry a hash behind it. */
export function chunk(name: string): RegExp {
  return new RegExp(`/assets/${name}-[\\w-]{8}\\.js$`)
}
