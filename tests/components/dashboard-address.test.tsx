import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SECOND } from '../../core/time.ts'
import { answer, noAnswer } from './api.ts'
import { FakeEventSource } from './event-source.ts'
import { chooseForAll, rowOf, type StoredLeads, shownLeads, storeLeads } from './leads-page.ts'
import { emptyDashboard, openDashboard } from './page.tsx'
import { lead, leadDetails } from './samples.ts'

let stored: StoredLeads
beforeEach(() => {
  emptyDashboard()
  stored = storeLeads(...Array.from({ length: 41 }, (_, n) => lead(n + 1)))
  answer('GET /api/overview', noAnswer)
  answer('GET /api/audit-log', { lines: [], total: 0 })
  answer('GET /api/deleted-leads', { leads: [], total: 0, days: 30 })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const tab = (name: string | RegExp) => screen.findByRole('tab', { name })

describe('the filters of a tab', () => {
  it('come back with the tab, and leave the other tabs alone', async () => {
    const user = await openDashboard('/admin?q=Avery&failed=true&sort=name')
    await rowOf('Jordan Avery1')
    await user.click(await tab('Overview'))
    await waitFor(() => expect(location.search).toBe('?tab=overview'))
    await user.click(await tab('Activity'))
    await user.click(await tab(/^Leads/))
    await waitFor(() => expect(location.search).toBe('?q=Avery&failed=true&sort=name'))
    expect(screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search leads' }).value).toBe('Avery')
    await user.click(await tab('Overview'))
    history.back()
    await waitFor(() => expect(location.search).toBe('?q=Avery&failed=true&sort=name'))
  })

  it('come back from the deleted leads', async () => {
    const user = await openDashboard('/admin?failed=true')
    await rowOf('Jordan Avery1')
    await chooseForAll(user, 'Deleted')
    await user.click(await screen.findByRole('button', { name: 'Back to leads' }))
    await rowOf('Jordan Avery1')
    await waitFor(() => expect(location.search).toBe('?failed=true'))
  })

  it('stay when a lead is opened by the command menu', async () => {
    answer('GET /api/leads/{id}', leadDetails(7))
    answer('GET /api/leads/{id}/jobs', { jobs: [] })
    const user = await openDashboard('/admin?failed=true')
    await rowOf('Jordan Avery1')
    await user.click(await tab('Activity'))
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await screen.findByRole('combobox', { name: 'Command menu' }), 'Avery7')
    await user.click(await screen.findByRole('option', { name: /Jordan Avery7/ }))
    await waitFor(() => expect(location.search).toBe('?failed=true&tab=leads&lead=7'))
  })

  it('are changed one after the other, however quickly', async () => {
    const user = await openDashboard()
    await rowOf('Jordan Avery1')
    await Promise.all(['Failed', 'Held'].map((name) => user.click(screen.getByRole('button', { name }))))
    await waitFor(() => expect(location.search).toBe('?failed=true&held=true'))
  })
})

describe('the next page', () => {
  it('is shown from its top, where the keyboard goes on', async () => {
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView')
    const user = await openDashboard()
    await rowOf('Jordan Avery1')
    await user.click(within(screen.getByRole('navigation', { name: 'Pages of leads' })).getByText('Next'))
    await waitFor(() => expect(shownLeads()).toEqual(['Jordan Avery41']))
    const table = screen.getByRole('table')
    expect(scrolled.mock.contexts).toContain(table.parentElement)
    expect(document.activeElement).toBe(table)
  })
})

describe('a list that cannot be loaded', () => {
  it('offers to try again', async () => {
    answer('GET /api/leads', noAnswer)
    const user = await openDashboard()
    const alert = within((await screen.findByText('Failed to load leads')).closest('[role=alert]') as HTMLElement)
    answer('GET /api/leads', { leads: [lead(1)], total: 1 })
    await user.click(alert.getByRole('button', { name: 'Try again' }))
    await rowOf('Jordan Avery1')
    expect(screen.queryByText('Failed to load leads')).toBeNull()
  })
})

describe('a connection that is lost', () => {
  it('is told after some seconds, until it is back', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    await openDashboard()
    await rowOf('Jordan Avery1')
    FakeEventSource.openAll()
    FakeEventSource.loseAll()
    expect(screen.queryByText(/Reconnecting/)).toBeNull()
    vi.advanceTimersByTime(6 * SECOND)
    await screen.findByText(/^The connection to the server was lost\./)
    FakeEventSource.openAll()
    await waitFor(() => expect(screen.queryByText(/Reconnecting/)).toBeNull())
    expect(stored.calls.length).toBeGreaterThan(0)
  })

  it('is told at once where the browser is offline', async () => {
    await openDashboard()
    await rowOf('Jordan Avery1')
    window.dispatchEvent(new Event('offline'))
    await screen.findByText('You are offline. What you see may be out of date.')
    window.dispatchEvent(new Event('online'))
    await waitFor(() => expect(screen.queryByText(/You are offline/)).toBeNull())
  })
})
