import { screen, waitFor, within } from '@testing-library/react'
import { type UserEvent, userEvent } from '@testing-library/user-event'
import { expect } from 'vitest'
import type { ZipReach } from '../../core/contract/places.ts'
import { answer, type MadeCall, refusal } from './api.ts'
import { micrositeProvider } from './samples.ts'

/** A visitor in Austin, Texas, in the names of the contract. */
export const VISITOR = {
  first_name: 'Jordan',
  last_name: 'Avery',
  email: 'jordan@visitors.example',
  phone: '(512) 555-0101',
  zip_code: '78702',
  acceptance_consent: true,
}

/**
 * The form of the page, not the start of it at the top of the home page. Looking for its parts within it is much faster
 * than on the whole page.
 */
export function form() {
  const element = document.querySelector<HTMLFormElement>('main #provider-form form')
  if (!element) throw new Error('The page has no form.')
  return within(element)
}

/** A field by its label, as it is written or, for the zip code, in capitals. */
export function field(label: string): HTMLInputElement {
  return form().getByLabelText(label === 'Zip Code' ? /^zip code$/i : label)
}

export function checkbox(): HTMLInputElement {
  return form().getByRole('checkbox')
}

export function button(name: string): HTMLButtonElement {
  return form().getByRole('button', { name })
}

/** Puts a text in place of what a field holds. */
export async function fill(user: UserEvent, label: string, text: string): Promise<void> {
  await user.clear(field(label))
  if (text) await user.paste(text)
}

/** Clicks twice as a hand does: a browser has time for something else between them. */
export const clickTwice = (element: HTMLElement) => userEvent.setup().dblClick(element)

/** Fills in the fields about the person, and ticks the consent. */
export async function fillInPerson(user: UserEvent): Promise<void> {
  await waitFor(() => field('First Name'))
  await fill(user, 'First Name', VISITOR.first_name)
  await fill(user, 'Last Name', VISITOR.last_name)
  await fill(user, 'Email', VISITOR.email)
  await fill(user, 'Phone', VISITOR.phone)
  if (!checkbox().checked) await user.click(checkbox())
}

/** What a screen reader says is wrong with a field; empty while the field counts as valid. */
export function problemAt(input: HTMLElement): string {
  if (input.getAttribute('aria-invalid') !== 'true') return ''
  const described = (input.getAttribute('aria-describedby') ?? '').split(' ')
  return document.getElementById(described.find((id) => id.endsWith('-error')) ?? '')?.textContent ?? ''
}

export function focused(): string | undefined {
  const { name, id } = (document.activeElement ?? {}) as HTMLInputElement
  return name || id
}

/** Checks that a form still shows what `fillInPerson` has typed. */
export function hasKeptPerson(): void {
  const { first_name, last_name, email, phone } = VISITOR
  const kept = ['First Name', 'Last Name', 'Email', 'Phone'].map((label) => field(label).value)
  expect([...kept, checkbox().checked]).toEqual([first_name, last_name, email, phone, true])
}

/** Lets the API take leads for a clinic, and tell who that is. @returns the leads that were sent */
export function takeLeads(providerId = 1): MadeCall[] {
  answer('GET /api/providers/{providerId}', micrositeProvider(providerId))
  knowZipCodes()
  return answer('POST /api/leads', () => Response.json({ id: 5, providerId }, { status: 201 }))
}

type Known = Partial<ZipReach> & { except?: string[] }

/** Answers what zip codes come to: all are in Austin, Texas, a mile from a clinic, except unknown ones. */
export function knowZipCodes({ except = [], ...reach }: Known = {}): MadeCall[] {
  return answer('GET /api/zip-codes/{zip}/reach', ({ params: { zip } }) =>
    except.includes(zip)
      ? refusal(404, { code: 'not_found' })
      : Response.json({
          ...{ zip, city: 'Austin', state: 'TX', inReach: true, miles: 1, noneWithinMiles: null },
          clinicPlace: { city: 'Austin', state: 'TX', latitude: 30.27, longitude: -97.74 },
          ...reach,
        }),
  )
}

/** Waits for the thank-you page. */
export async function arrives(address = '/success?providerId=1'): Promise<void> {
  await waitFor(() => expect(window.location.pathname + window.location.search).toBe(address))
  await screen.findByText('Your Path to Natural Male Enhancement Has Begun!')
}

/** Waits for a step of a form in two steps. Looking for its heading by role is slow on a whole page. */
export async function stepIs(heading: string): Promise<void> {
  await waitFor(() => expect(document.querySelector('h1#step-heading, h2#step-heading')?.textContent).toBe(heading))
}
