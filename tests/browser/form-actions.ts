import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { NewLead } from '../../core/contract/lead-form.ts'
import type { BrowserSite } from './browser.ts'

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
