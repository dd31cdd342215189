import { render, screen, waitFor } from '@testing-library/react'
import { type UserEvent, userEvent } from '@testing-library/user-event'
import { BrowserRouter } from 'react-router-dom'
import { vi } from 'vitest'
import type { Attention } from '../../core/conditions/contract/conditions.ts'
import type { PageData } from '../../core/contract/page.ts'
import type { Person, Session } from '../../core/staff/contract/session.ts'
import { App } from '../../web/app.tsx'
import { TABS } from '../../web/dashboard/tabs.tsx'
import { AppRoutes } from '../../web/routes.tsx'
import { answer } from './api.ts'
import { settings } from './samples.ts'
import { syncStatus } from './sync-samples.ts'

export const MAIN_SITE: PageData = {
  mainDomain: 'localhost',
  timeZone: 'America/New_York',
  mapTiles: { url: 'https://tiles.example/{z}/{x}/{y}.png', attribution: '' },
  hostProvider: null,
}

/** Somebody who came in with the shared password. */
const STAFF: Person = { id: null, name: 'staff', email: null, role: 'manager' }

/** The server's answer about who is signed in: nobody, unless somebody is given. No account exists yet. */
export function session(staff?: Person, timeZone = 'America/New_York'): Session {
  return {
    ...{ authenticated: staff !== undefined, access: 'password', staff, time_zone: timeZone },
    ...{ ways: { account: false, shared: true, single_sign_on: null }, identity_confirmed: true },
  }
}

/** Opens a page of the site as the browser draws it, without a server's HTML. */
export function openPage(path: string, data: Partial<PageData> = {}): UserEvent {
  window.history.replaceState(null, '', path)
  const user = userEvent.setup({ delay: null })
  render(
    <App data={{ ...MAIN_SITE, ...data }}>
      <BrowserRouter>
        <AppRoutes />
      </BrowserRouter>
    </App>,
  )
  return user
}

/** Opens the dashboard and waits until it stands. Call `emptyDashboard` first, then `answer` what is not empty. */
export async function openDashboard(path = '/admin'): Promise<UserEvent> {
  // On a busy machine its modules take longer to load than a test waits for an element.
  await Promise.all([import('../../web/dashboard/dashboard.tsx'), loadTabs()])
  const user = openPage(path)
  // An address may open a dialog, which hides the rest from assistive technology.
  await screen.findByRole('heading', { name: 'Admin Dashboard', hidden: true })
  return user
}

const loadTabs = () => Promise.all(Object.values(TABS).map(({ Panel }) => Panel.load()))

/** Opens the account menu and chooses something in it. */
export async function chooseInMenu(user: UserEvent, name: string): Promise<void> {
  await user.click(await screen.findByRole('button', { name: /^Account of / }))
  await user.click(await screen.findByRole('menuitem', { name }))
}

export const NO_VALUES = {
  counts: { all: 0, failed: 0, unmatched: 0, held: 0, not_reached: 0, late: 0, due: 0 },
  ...{ states: [], sources: [], campaigns: [], staff: [], tags: [] },
}

export const NO_APPLICATIONS = {
  ...{ applications: [], total: 0 },
  counts: { new: 0, contacted: 0, approved: 0, training: 0, certified: 0, declined: 0 },
}

export const NO_ATTENTION: Attention = {
  ...{ lines: [], counts: {}, total: 0, aside: 0 },
  ...{ quiet_since: null, notices: [], pauses: [], is_red: false },
}

/** Answers what the dashboard asks at its start: a manager is signed in, unless told otherwise, and nothing is stored. */
export function emptyDashboard(person: Partial<Person> = {}, timeZone?: string): void {
  answer('GET /api/session', session({ ...STAFF, ...person }, timeZone))
  answer('GET /api/leads', { leads: [], total: 0 })
  answer('GET /api/leads/filter-values', NO_VALUES)
  answer('GET /api/leads/{id}/candidates', { candidates: [], radiusMiles: 100, samePerson: [], next: null })
  answer('POST /api/leads/{id}/viewing', { success: true })
  answer('GET /api/providers', [])
  answer('GET /api/providers/figures', [])
  answer('GET /api/provider-applications', NO_APPLICATIONS)
  answer('GET /api/attention', NO_ATTENTION)
  answer('GET /api/bulk', { running: [] })
  answer('GET /api/settings', settings())
  answer('GET /api/staff', { staff: [], shared_password: { state: 'on', can_switch_off: false } })
  answer('GET /api/opt-outs', { recent: [] })
  answer('GET /api/sync-runs', { runs: [], total: 0, status: syncStatus() })
  answer('GET /api/network-pauses', { pauses: [], holidays: [] })
}

/** Takes every image for one that has come: a DOM without a network loads none. Until `vi.restoreAllMocks()`. */
export function loadImages(): void {
  vi.spyOn(HTMLImageElement.prototype, 'naturalWidth', 'get').mockReturnValue(192)
}

export async function findToast(...words: string[]): Promise<HTMLElement> {
  return waitFor(() => {
    const toasts = [...document.querySelectorAll<HTMLElement>('[data-sonner-toast][data-removed="false"]')]
    const toast = toasts.find(({ textContent }) => words.every((text) => textContent?.includes(text)))
    if (!toast) throw new Error(`No toast says ${words.join(' and ')}, but: ${toasts.map((each) => each.textContent)}`)
    return toast
  })
}

export function rowsOf(table: HTMLElement): string[][] {
  return [...table.querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].map((cell) => cell.textContent?.trim() ?? ''),
  )
}
