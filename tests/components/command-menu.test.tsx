import { cleanup, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { answer } from './api.ts'
import { storeLeads, storeProviders } from './leads-page.ts'
import { emptyDashboard, openDashboard } from './page.tsx'
import { lead, leadDetails, provider, providerRecord } from './samples.ts'

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

const TABS = ['Leads', 'Providers', 'Applications', 'Overview', 'Needs attention']
const SETTINGS = ['Health', 'Alerts', 'Staff', 'Privacy', 'Activity', 'Setup']
const SHOWN = [
  ...['All leads', 'Failed leads', 'Unmatched leads', 'Held leads', 'Leads with a due next action'],
  ...['Deleted leads', 'Runs of the sync'],
]
const HELP = ['Help', 'Keyboard shortcuts', 'Sign out']

describe('the command menu', () => {
  it('offers what a manager may do', async () => {
    await openMenu()
    expect(options()).toEqual([
      ...[...TABS, ...SETTINGS, ...SHOWN, 'New lead', 'Sync Providers'],
      ...['Export Leads CSV', 'Export Providers CSV', 'Export Applications CSV', ...HELP],
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
    expect(options()).toEqual([...TABS, 'Health', 'Activity', ...SHOWN, ...HELP])
  })

  it('answers a question with the page of help, whose words lead to where each thing is', async () => {
    const user = await openMenu()
    await choose(user, 'Help')
    await screen.findByRole('heading', { name: 'Ten words of the dashboard' })
    expect(screen.getAllByRole('term').map(({ textContent }) => textContent)).toHaveLength(10)
    await user.click(screen.getByRole('button', { name: 'Search and commands' }))
    await user.type(await input(), 'how do I pass on a lead')
    await waitFor(() => expect(options()).toEqual(['Help']))
    await user.keyboard('{Escape}')
    await user.click(screen.getByRole('link', { name: 'Held: Held leads' }))
    await waitFor(() => expect(location.search).toBe('?tab=leads&held=true'))
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
})

it('a search finds clinics by name and zip code, and opens the record', async () => {
  storeProviders(provider(4, { name: 'Dr. Quill', practiceName: 'Mile High Urology', zipCode: '80202' }))
  answer('GET /api/providers/{providerId}/record', providerRecord(4))
  const user = await openMenu()
  await user.type(await input(), 'quill 80202')
  await user.click(await screen.findByRole('option', { name: 'Mile High Urology Dr. Quill · 80202' }))
  await waitFor(() => expect(location.search).toBe('?tab=providers&provider=4'))
})
