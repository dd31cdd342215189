import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { answer, noAnswer } from './api.ts'
import { storeLeads } from './leads-page.ts'
import { emptyDashboard, openDashboard, session } from './page.tsx'
import { lead, leadDetails } from './samples.ts'
import { syncRun } from './sync-samples.ts'

beforeEach(() => emptyDashboard())

const options = () =>
  within(screen.getByRole('dialog'))
    .queryAllByRole('option')
    .map(({ textContent }) => textContent)
const input = () => screen.findByRole<HTMLInputElement>('combobox', { name: 'Command menu' })

async function openMenu(path?: string): Promise<UserEvent> {
  const user = await openDashboard(path)
  await screen.findByText(/^Total: /)
  await user.click(screen.getByRole('button', { name: 'Search and commands' }))
  await input()
  return user
}

/** Types into the open menu, and chooses what it offers by that name. */
async function choose(user: UserEvent, name: string): Promise<void> {
  await user.type(await input(), name)
  await user.click(await screen.findByRole('option', { name }))
}

describe('the command menu', () => {
  it('offers what a manager may do', async () => {
    await openMenu()
    expect(options()).toEqual([
      'Leads (0)',
      'Providers (0)',
      'Applications (0)',
      'Overview',
      'Health',
      'Activity',
      'Alerts',
      'Staff',
      'Privacy',
      'Needs attention',
      'Setup',
      'Sync Providers',
      'Export Leads CSV',
      'Export Providers CSV',
      'Export Applications CSV',
      'Sign out',
    ])
  })

  it('hides from viewers what they may not do', async () => {
    emptyDashboard({ role: 'viewer' })
    await openMenu()
    expect(options()).toEqual([
      'Leads (0)',
      'Providers (0)',
      'Applications (0)',
      'Overview',
      'Health',
      'Activity',
      'Needs attention',
      'Sign out',
    ])
  })

  it('finds leads on the server, and opens the one that is chosen', async () => {
    storeLeads(lead(7))
    answer('GET /api/leads/{id}', leadDetails(7))
    answer('GET /api/leads/{id}/jobs', { jobs: [] })
    const user = await openMenu()
    const searches = answer('GET /api/leads', { leads: [lead(7)], total: 1 })
    await user.type(await input(), '512 555 0007')
    const option = await screen.findByRole('option', { name: /^Jordan Avery7/ })
    within(option).getByText('visitor7@visitors.example · (512) 555-0007 · 78702')
    expect(searches.map(({ query }) => query.q)).toEqual(['512 555 0007'])
    await user.click(option)
    await screen.findByRole('complementary', { name: 'Jordan Avery7' })
    await waitFor(() => expect(location.search).toBe('?tab=leads&lead=7'))
  })

  it('says that there are no results', async () => {
    const user = await openMenu()
    await user.type(await input(), 'nobody of this name')
    await screen.findByText('No results for “nobody of this name”')
  })

  it('says that it cannot search', async () => {
    const user = await openMenu()
    answer('GET /api/leads', noAnswer)
    await user.type(await input(), 'somebody')
    await screen.findByText('Leads cannot be searched right now: the server is not responding.')
  })

  it('offers recent commands first, and once', async () => {
    answer('GET /api/audit-log', { lines: [], total: 0 })
    const user = await openMenu()
    await choose(user, 'Activity')
    await screen.findByRole('tab', { name: 'Activity', selected: true })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.keyboard('{Control>}k{/Control}')
    await input()
    screen.getByText('Recent')
    expect(options()[0]).toBe('Activity')
    expect(options().filter((option) => option === 'Activity')).toHaveLength(1)
  })

  it('syncs the providers', async () => {
    const syncs = answer('POST /api/sync', { success: true, run: syncRun(1) })
    const user = await openMenu()
    await choose(user, 'Sync Providers')
    await waitFor(() => expect(syncs).toHaveLength(1))
  })

  it('exports the leads that the list shows, and every lead where none is shown', async () => {
    storeLeads(lead(7))
    const downloads: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      downloads.push(this.getAttribute('href') ?? '')
    })
    const user = await openMenu('/admin?q=avery&sort=name')
    const link = screen.getByRole('link', { name: 'Export Leads CSV', hidden: true }).getAttribute('href')
    await user.type(await input(), 'Export Leads CSV')
    await user.click(await screen.findByRole('option', { name: 'Export Leads CSV as filtered' }))
    await waitFor(() => expect(downloads).toEqual([link]))
    expect(link).toBe('/api/leads.csv?sort=name&q=avery')

    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(screen.getByRole('tab', { name: /^Applications/ }))
    await user.click(screen.getByRole('button', { name: 'Search and commands' }))
    await choose(user, 'Export Leads CSV')
    await waitFor(() => expect(downloads.at(-1)).toBe('/api/leads.csv?sort=-created_at'))
    vi.restoreAllMocks()
  })

  it('signs out', async () => {
    answer('DELETE /api/session', session())
    const user = await openMenu()
    await choose(user, 'Sign out')
    await screen.findByText('Enter the password to continue.')
  })
})
