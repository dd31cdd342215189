import { cleanup, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { answer, noAnswer } from './api.ts'
import { storeLeads, storeProviders } from './leads-page.ts'
import { emptyDashboard, openDashboard, session } from './page.tsx'
import { application, applicationDetails, lead, leadDetails, provider, providerRecord } from './samples.ts'
import { syncRun } from './sync-samples.ts'

beforeEach(() => emptyDashboard())

/** What the menu offers, without the keys beside it. */
const options = () =>
  within(screen.getByRole('dialog'))
    .queryAllByRole('option')
    .map((option) => option.firstElementChild?.textContent)
const headings = () =>
  [...screen.getByRole('dialog').querySelectorAll('[cmdk-group-heading]')].map(({ textContent }) => textContent)
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

const TABS = ['Leads', 'Needs attention', 'Providers', 'Applications', 'Overview', 'Health', 'Activity']
const SHOWN = [
  ...['All leads', 'Failed leads', 'Unmatched leads', 'Held leads', 'Leads with a due next action'],
  ...['Deleted leads', 'Runs of the sync'],
]
const HELP = ['Keyboard shortcuts', 'Sign out']

describe('the command menu', () => {
  it('offers what a manager may do', async () => {
    await openMenu()
    expect(options()).toEqual([
      'Leads',
      'Needs attention',
      'Providers',
      'Applications',
      'Overview',
      'Health',
      'Activity',
      'Alerts',
      'Staff',
      'Privacy',
      'Setup',
      ...SHOWN,
      'New lead',
      'Sync Providers',
      'Export Leads CSV',
      'Export Providers CSV',
      'Export Applications CSV',
      ...HELP,
    ])
    expect(headings()).toEqual(['Go to', 'Show', 'Do', 'Help'])
  })

  it('offers agents and viewers what they may do', async () => {
    emptyDashboard({ role: 'agent', id: 3, name: 'Ada Park' })
    const user = await openMenu()
    expect(options()).toEqual([...TABS, ...SHOWN.toSpliced(5, 0, 'My leads'), 'New lead', ...HELP])
    await user.keyboard('{Escape}')
    cleanup()
    emptyDashboard({ role: 'viewer' })
    await openMenu()
    expect(options()).toEqual([...TABS, ...SHOWN, ...HELP])
  })

  it('finds leads on the server, and opens the one that is chosen', async () => {
    storeLeads(lead(7))
    answer('GET /api/leads/{id}', leadDetails(7))
    answer('GET /api/leads/{id}/jobs', { jobs: [] })
    const user = await openMenu()
    const searches = answer('GET /api/leads', { leads: [lead(7)], total: 1 })
    await user.type(await input(), '512 555 0007')
    const option = await screen.findByRole('option', { name: /^Jordan Avery7/ })
    within(option).getByText('Austin, TX · (512) 555-0007 · visitor7@visitors.example')
    expect(searches.map(({ query }) => query.q)).toEqual(['512 555 0007'])
    await user.click(option)
    await screen.findByRole('complementary', { name: 'Jordan Avery7' })
    await waitFor(() => expect(location.search).toBe('?tab=leads&lead=7'))
  })

  it('selects a lead that comes later than the clinics, as it stands first', async () => {
    storeLeads(lead(7, { first_name: 'Amara', last_name: 'Vale' }))
    storeProviders(provider(4, { name: 'Dr. Osei', practiceName: 'Amara Urology' }))
    const user = await openMenu()
    await user.type(await input(), 'amara')
    const selected = () => screen.getAllByRole('option', { selected: true }).map((option) => option.textContent)
    await waitFor(() => expect(selected()).toEqual([expect.stringContaining('Amara Vale')]))
    await user.keyboard('{ArrowDown}')
    await waitFor(() => expect(selected()).toEqual([expect.stringContaining('Amara Urology')]))
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
    await screen.findByText('The server is not responding.')
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

describe('a search', () => {
  it('finds clinics by name and zip code, and opens the record', async () => {
    storeProviders(provider(4, { name: 'Dr. Quill', practiceName: 'Mile High Urology', zipCode: '80202' }))
    answer('GET /api/providers/{providerId}/record', providerRecord(4))
    const user = await openMenu()
    await user.type(await input(), 'quill 80202')
    await user.click(await screen.findByRole('option', { name: 'Mile High Urology Dr. Quill · 80202' }))
    await waitFor(() => expect(location.search).toBe('?tab=providers&provider=4'))
  })

  it('finds applications on the server', async () => {
    const user = await openMenu()
    const found = answer('GET /api/provider-applications', ({ query }) => ({
      applications: query.q ? [application(5, { practice_name: 'Northside Urology', name: 'Ana Flores' })] : [],
      total: 1,
      counts: { new: 1, contacted: 0, approved: 0, training: 0, certified: 0, declined: 0 },
    }))
    answer('GET /api/provider-applications/{id}', applicationDetails(5))
    answer('GET /api/provider-applications/{id}/jobs', { jobs: [] })
    await user.type(await input(), 'ana flores')
    await user.click(await screen.findByRole('option', { name: /^Northside Urology Application · Ana Flores/ }))
    await waitFor(() => expect(location.search).toBe('?tab=applications&application=5'))
    expect(found[0]?.query).toMatchObject({ q: 'ana flores', limit: 8 })
  })

  it.each([
    ['retry', 'Overview'],
    ['failed', 'Failed leads'],
    ['invite', 'Staff'],
    ['help', 'Keyboard shortcuts'],
    ['phone', 'New lead'],
    ['erase', 'Privacy'],
  ])('finds by %s: %s', async (typed, label) => {
    const user = await openMenu()
    await user.type(await input(), typed)
    await waitFor(() => expect(options()).toContain(label))
  })
})
