import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { answer, noAnswer } from './api.ts'
import { answerBulk } from './bulk.ts'
import { rowOf, storeLeads, storeProviders } from './leads-page.ts'
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

const TABS = ['Leads (0)', 'Needs attention (0)', 'Providers (0)', 'Applications (0)', 'Overview', 'Health', 'Activity']
const SHOWN = [
  ...['All leads', 'Failed leads', 'Unmatched leads', 'Held leads', 'Leads whose clinic was not reached'],
  ...['Leads with a late answer', 'Leads with a due next action', 'Leads without an owner', 'Leads of today'],
  ...['Deleted leads', 'Runs of the sync', 'What was read', 'Queue pages'],
]
const ENDS = [
  ...['Dense rows', 'Light colors', 'Dark colors'],
  ...['My sessions', 'Sign out', 'Keyboard shortcuts', 'API description'],
]

describe('the command menu', () => {
  it('offers what a manager may do', async () => {
    await openMenu()
    expect(options()).toEqual([
      'Leads (0)',
      'Needs attention (0)',
      'Providers (0)',
      'Applications (0)',
      'Overview',
      'Health',
      'Activity',
      'Alerts',
      'Staff',
      'Privacy',
      'Setup',
      ...SHOWN,
      'New lead',
      'Enter a STOP...',
      'Sync Providers',
      'Dry run of the sync',
      'Retry what failed...',
      'Pause sending to the CRM...',
      'Pause sending to the mail server...',
      'Export Leads CSV',
      'Export Providers CSV',
      'Export Applications CSV',
      'Add an account',
      'Add an alert channel',
      'Pause the network',
      'Find a person’s data',
      ...ENDS,
    ])
    expect(headings()).toEqual(['Go to', 'Show', 'Do', 'Display', 'Account', 'Help'])
  })

  it('offers agents what they may do', async () => {
    emptyDashboard({ role: 'agent', id: 3, name: 'Ada Park' })
    await openMenu()
    expect(options()).toEqual([
      ...TABS,
      ...SHOWN.filter((label) => label !== 'What was read').toSpliced(7, 0, 'My leads'),
      'New lead',
      'Enter a STOP...',
      ...ENDS.toSpliced(3, 0, 'Change password', 'Two-step sign-in'),
    ])
  })

  it('hides from viewers what they may not do', async () => {
    emptyDashboard({ role: 'viewer' })
    await openMenu()
    expect(options()).toEqual([...TABS, ...SHOWN.filter((label) => label !== 'What was read'), ...ENDS])
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

describe('what is selected or open', () => {
  const press = (user: UserEvent, keys: string) => user.keyboard(keys)
  async function openByKey(user: UserEvent): Promise<void> {
    await press(user, '{Control>}k{/Control}')
    await input()
  }
  const chosen = () =>
    within(screen.getByRole('dialog'))
      .getAllByRole('option')
      .find((option) => option.getAttribute('aria-selected') === 'true')

  it('comes first: the selected leads, with the keys that do the same', async () => {
    storeLeads(lead(1), lead(2), lead(3))
    const bulks = answerBulk('POST /api/leads/bulk', { succeeded: 2 })
    const user = await openDashboard()
    await rowOf('Jordan Avery1')
    await press(user, 'jx')
    await press(user, 'jx')
    await openByKey(user)
    expect(headings().slice(0, 2)).toEqual(['2 leads selected', 'Jordan Avery2 (#2)'])
    expect(options().slice(0, 9)).toEqual([
      'Retry CRM Sync of 2 leads',
      'Resend Email of 2 leads',
      'Match 2 leads with a provider...',
      'Pass on 2 leads',
      'Record an outcome of 2 leads...',
      'Release 2 leads',
      'Delete 2 leads',
      'Select all 3 that match',
      'Clear selection',
    ])
    await press(user, 'retry')
    expect(chosen()?.textContent).toBe('Retry CRM Sync of 2 leads')
    await press(user, '{Enter}')
    await waitFor(() => expect(bulks.map(({ body }) => body)).toEqual([{ action: 'retry-sync', ids: [1, 2] }]))
  })

  it('asks as the buttons do', async () => {
    storeLeads(lead(1), lead(2))
    const user = await openDashboard()
    await rowOf('Jordan Avery1')
    await press(user, 'jxjx')
    await openByKey(user)
    await choose(user, 'Delete 2 leads')
    await screen.findByRole('dialog', { name: 'Delete 2 leads?' })
  })

  it('is the lead that has the focus, which keeps it', async () => {
    storeLeads(lead(1), lead(2))
    const syncs = answer('POST /api/leads/{id}/retry-sync', { success: true })
    const user = await openDashboard()
    const row = await rowOf('Jordan Avery2')
    await press(user, 'jj')
    await openByKey(user)
    expect(headings()[0]).toBe('Jordan Avery2 (#2)')
    expect(options().slice(0, 7)).toEqual([
      'Retry CRM Sync',
      'Resend Email',
      'Change clinic...',
      'Record an outcome...',
      'Edit...',
      'Open',
      'Select',
    ])
    await press(user, 'retry crm{Enter}')
    await waitFor(() => expect(syncs.map(({ params }) => params)).toEqual([{ id: 2 }]))
    await waitFor(() => expect(document.activeElement).toBe(row))

    // A click on the button of the menu takes the focus, and the row is meant all the same.
    await user.click(screen.getByRole('button', { name: 'Search and commands' }))
    await input()
    expect(headings()[0]).toBe('Jordan Avery2 (#2)')
  })

  it('is the open lead, with what its panel does', async () => {
    storeLeads(lead(1, { provider_id: null }), lead(2))
    answer('GET /api/leads/{id}', leadDetails(1, { provider_id: null }))
    answer('GET /api/leads/{id}/jobs', { jobs: [] })
    answer('GET /api/work-options', { staff: [], tags: [] })
    const user = await openDashboard('/admin?lead=1')
    await screen.findByRole('button', { name: 'Do not contact...' })
    await openByKey(user)
    expect(headings()[0]).toBe('Jordan Avery1 (#1)')
    for (const label of [
      'Match with provider...',
      'Close',
      'Write a note',
      'Add a tag',
      'Do not contact...',
      'Delete',
    ]) {
      expect(options()).toContain(label)
    }
    await choose(user, 'Write a note')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'New note' })))
    await press(user, '{Escape}')
  })

  it('offers viewers nothing but to open', async () => {
    emptyDashboard({ role: 'viewer' })
    storeLeads(lead(1))
    const user = await openDashboard()
    await rowOf('Jordan Avery1')
    await press(user, 'j')
    await openByKey(user)
    expect(options().slice(0, 2)).toEqual(['Open', 'Leads (1)'])
  })

  it('is an application or a clinic on their tabs', async () => {
    answer('GET /api/provider-applications', {
      applications: [application(5, { practice_name: 'Northside Urology' })],
      total: 1,
      counts: { new: 1, contacted: 0, approved: 0, training: 0, certified: 0, declined: 0 },
    })
    const emails = answer('POST /api/provider-applications/{id}/retry-email', { success: true })
    const user = await openDashboard('/admin?tab=applications')
    const details = await screen.findByRole('button', { name: 'Details' })
    details.focus()
    await openByKey(user)
    expect(headings()[0]).toBe('Northside Urology (#5)')
    expect(options().slice(0, 4)).toEqual(['Change the status', 'Resend Email', 'Details', 'Delete'])
    await choose(user, 'Resend Email')
    await waitFor(() => expect(emails).toHaveLength(1))
  })
})

describe('a search', () => {
  it('finds clinics by their city, and opens the record', async () => {
    storeProviders(provider(4, { name: 'Dr. Quill', practiceName: 'Mile High Urology', zipCode: '80202' }))
    const place = { city: 'Denver', state: 'CO' }
    answer('GET /api/providers/figures', [
      { id: 4, place, leads: 0, last_lead_at: null, answer_time: null, reached: null, undelivered: null },
    ])
    answer('GET /api/providers/{providerId}/record', providerRecord(4))
    const user = await openMenu()
    await user.type(await input(), 'denver')
    await user.click(await screen.findByRole('option', { name: 'Mile High Urology Dr. Quill · Denver, CO' }))
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

  it('says what could not be searched, and shows the rest', async () => {
    storeLeads(lead(7))
    const user = await openMenu()
    answer('GET /api/provider-applications', noAnswer)
    await user.type(await input(), 'jordan')
    await screen.findByRole('option', { name: /^Jordan Avery7/ })
    await screen.findByText('Applications cannot be searched right now: the server is not responding.')
  })

  it('finds saved views and shows them', async () => {
    const view = { id: 5, name: 'Texas', filter: { state: 'TX' }, sort: 'provider' as const }
    answer('GET /api/lead-views', {
      views: [{ ...view, is_shared: true, is_pinned: false, is_own: false, owner_name: 'Ada Park' }],
    })
    const user = await openMenu('/admin?failed=true')
    await choose(user, 'Texas View for all')
    await waitFor(() => expect(location.search).toBe('?tab=leads&state=TX&sort=provider'))
  })

  it.each([
    ['retry', 'Retry what failed...'],
    ['failed', 'Failed leads'],
    ['unmatched', 'Unmatched leads'],
    ['invite', 'Add an account'],
    ['help', 'Keyboard shortcuts'],
    ['dark', 'Dark colors'],
    ['columns', 'Hide the column Source'],
    ['deleted', 'Deleted leads'],
    ['opt-out', 'Enter a STOP...'],
    ['phone', 'New lead'],
    ['slack', 'Add an alert channel'],
    ['erase', 'Find a person’s data'],
  ])('finds by %s: %s', async (typed, label) => {
    const user = await openMenu()
    await user.type(await input(), typed)
    await waitFor(() => expect(options()).toContain(label))
  })
})

describe('the keys', () => {
  it('are listed on every tab, as far as they can be used there', async () => {
    answer('GET /api/audit-log', { lines: [], total: 0 })
    emptyDashboard({ role: 'viewer' })
    const user = await openDashboard('/admin?tab=activity')
    await screen.findByText('No activity yet.')
    await user.keyboard('?')
    const keys = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
    keys.getByText('Show these keys')
    expect(keys.queryByText('Enter a new lead')).toBeNull()
    const goTo = keys.getByRole('heading', { name: 'Go to' }).parentElement as HTMLElement
    expect([...goTo.querySelectorAll('dl > div')].map(({ textContent }) => textContent)).toEqual([
      ...['Leadsgl', 'Needs attentiongn', 'Providersgp', 'Applicationsga', 'Overviewgo', 'Healthgh', 'Activitygy'],
    ])
  })
})
