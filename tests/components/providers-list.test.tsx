import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ProviderFigures } from '../../core/contract/provider-record.ts'
import type { StaffProvider } from '../../core/contract/providers.ts'
import { answer, heldAnswer, noAnswer, refusal } from './api.ts'
import { emptyDashboard, openDashboard } from './page.tsx'
import { lead, provider, settings } from './samples.ts'

const TAB = '/admin?tab=providers'

const QUILL = provider(1, { name: 'Dr. Rosa Quill', practiceName: 'Quill Clinic', email: 'desk@quill.example' })
const GONE = provider(2, { name: 'Dr. Gone', status: 'f' })

beforeEach(() => {
  emptyDashboard()
  answer('GET /api/settings', settings())
})

describe('the row of a provider', () => {
  it('says who it is and how many leads it has, and leads to its phone, its site and its post', async () => {
    store(provider(1, { ...QUILL, phone: '5125550142', website: 'quill.example', wordpress_id: 4711, leadCount: 1 }))
    await openDashboard(TAB)
    const row = within(await findRow('Dr. Rosa Quill'))
    for (const text of ['Active', 'Quill Clinic', '1 lead', '(512) 555-0142']) row.getByText(text)
    await row.findByRole('link', { name: 'Edit Dr. Rosa Quill in WordPress' })
    expect(row.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/admin?tab=providers&provider=1',
      'tel:+15125550142',
      'https://quill.example',
      'https://clinics.example/wp/wp-admin/post.php?post=4711&action=edit',
    ])
  })

  it('has an address or a zip in place of a practice, and no links to what is not known', async () => {
    const bare = { practiceName: null, phone: null, website: null, wordpress_id: null }
    store(
      provider(1, { ...bare, name: 'Dr. Bare', address: '7 Elm Street' }),
      provider(2, { ...bare, name: 'Dr. Barest', address: null, zipCode: '60601' }),
    )
    await openDashboard(TAB)
    const row = within(await findRow('Dr. Bare'))
    row.getByText('7 Elm Street')
    row.getByText('0 leads')
    expect(row.queryAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Dr. Bare'])
    within(await findRow('Dr. Barest')).getByText('60601')
  })

  it('has no link to a WordPress that is not connected', async () => {
    answer('GET /api/settings', settings({ wordpress_url: null }))
    store(provider(1, { name: 'Dr. Rosa Quill', wordpress_id: 4711 }))
    await openDashboard(TAB)
    await findRow('Dr. Rosa Quill')
    await screen.findByRole('region', { name: 'Map of all providers' })
    expect(screen.queryByRole('link', { name: /^Edit/ })).toBeNull()
  })
})

describe('the list of providers', () => {
  it('shows the active ones, and the inactive ones when asked, which is in the address', async () => {
    store(QUILL, GONE)
    const user = await openDashboard(TAB)
    await screen.findByRole('tab', { name: 'Providers (2)', selected: true })
    await screen.findByRole('button', { name: 'Active (1)', pressed: true })
    expect(names()).toEqual(['Dr. Rosa Quill'])

    await user.click(screen.getByRole('button', { name: 'Inactive (1)', pressed: false }))
    within(await findRow('Dr. Gone')).getByText('Inactive')
    expect(names()).toEqual(['Dr. Gone'])
    await waitFor(() => expect(window.location.search).toBe('?tab=providers&providers=inactive'))
  })

  it('shows those that its address asks for', async () => {
    store(QUILL, GONE)
    await openDashboard(`${TAB}&providers=inactive`)
    await screen.findByRole('button', { name: 'Inactive (1)', pressed: true })
    expect(names()).toEqual(['Dr. Gone'])
  })

  it('says that there are none', async () => {
    const user = await openDashboard(TAB)
    await screen.findByText('There are no active providers.')
    await user.click(screen.getByRole('button', { name: 'Inactive (0)' }))
    await screen.findByText('There are no inactive providers.')
  })

  it('shows twenty at a time, and its page is in the address', async () => {
    const ids = Array.from({ length: 45 }, (_, index) => index + 1)
    store(...ids.map((id) => provider(id)))
    const user = await openDashboard(`${TAB}&providers-page=2`)
    await screen.findByText('Page 2 of 3')
    expect([names().length, names()[0]]).toEqual([20, 'Dr. Test 21'])
    await user.click(within(list()).getByRole('button', { name: 'Next' }))
    await screen.findByText('Page 3 of 3')
    expect(names()).toEqual([41, 42, 43, 44, 45].map((id) => `Dr. Test ${id}`))
    await waitFor(() => expect(new URLSearchParams(window.location.search).get('providers-page')).toBe('3'))

    await user.type(screen.getByRole('searchbox', { name: 'Search providers' }), 'clinic9@')
    await screen.findByText('Page 1 of 1')
    expect(names()).toEqual(['Dr. Test 9'])
    await waitFor(() => expect(new URLSearchParams(window.location.search).get('providers-page')).toBeNull())
  })

  it('shows what is to come while it is being loaded', async () => {
    const held = heldAnswer([QUILL])
    answer('GET /api/providers', held.answer)
    await openDashboard(TAB)
    screen.getByRole('tab', { name: 'Providers (…)' })
    screen.getByText('Loading map...')
    expect(list().querySelector('[aria-busy=true]')).not.toBeNull()
    held.release()
    await waitFor(() => expect(names()).toContain('Dr. Rosa Quill'))
    expect(list().querySelector('[aria-busy=true]')).toBeNull()
  })
})

describe('the table of providers', () => {
  const NOW = Date.now()
  const figures = (id: number, overrides: Partial<ProviderFigures> = {}): ProviderFigures => ({
    ...{
      id,
      place: { city: 'Austin', state: 'TX' },
      leads: 0,
      last_lead_at: null,
      answer_time: null,
      reached: null,
      undelivered: null,
    },
    ...overrides,
  })

  it('shows the place, the leads of 30 days, the health of the address, and how the clinic answers', async () => {
    store(QUILL)
    answer('GET /api/providers/figures', [
      figures(1, { leads: 7, last_lead_at: new Date(NOW).toISOString(), answer_time: 2 * 3_600_000, reached: 0.425 }),
    ])
    answer('GET /api/providers/health', [{ id: 1, state: 'ok', since: null, failed: 0, of: 10 }])
    await openDashboard(TAB)
    const row = within(await findRow('Dr. Rosa Quill'))
    for (const text of ['Austin, TX', '7 in 30 days', '2 h', '43%', 'The last 10 e-mails were delivered'])
      await row.findByText(text)
    expect(
      within(list())
        .getAllByRole('columnheader')
        .map(({ textContent }) => textContent?.replace(/\W+$/, '')),
    ).toEqual([...['Provider', 'Place', 'Leads', 'Last lead', 'E-mails', 'Response', 'Reached', 'Links']])
  })

  it('is sorted by a column, highest first, with those without a value at its end; the order is in the address', async () => {
    store(provider(1), provider(2), provider(3))
    answer('GET /api/providers/figures', [
      figures(1, { answer_time: 3_600_000, leads: 2, undelivered: 0 }),
      figures(2, { leads: 9 }),
      figures(3, { answer_time: 7_200_000, leads: 5, undelivered: 0.9 }),
    ])
    const user = await openDashboard(TAB)
    await within(await findRow('Dr. Test 2')).findByText('9 in 30 days')
    await user.click(within(list()).getByRole('button', { name: /^Leads/ }))
    expect(names()).toEqual(['Dr. Test 2', 'Dr. Test 3', 'Dr. Test 1'])
    expect(
      within(list())
        .getByRole('columnheader', { name: /^Leads/ })
        .getAttribute('aria-sort'),
    ).toBe('descending')
    await user.click(within(list()).getByRole('button', { name: /^E-mails/ }))
    expect(names()).toEqual(['Dr. Test 3', 'Dr. Test 1', 'Dr. Test 2'])
    const response = () => within(list()).getByRole('button', { name: /^Response/ })
    await user.click(response())
    expect(names()).toEqual(['Dr. Test 3', 'Dr. Test 1', 'Dr. Test 2'])
    await user.click(response())
    expect(names()).toEqual(['Dr. Test 1', 'Dr. Test 3', 'Dr. Test 2'])
    await waitFor(() => expect(new URLSearchParams(location.search).get('providers-sort')).toBe('response'))
  })
})

describe('the search', () => {
  it('finds at each key, and is in the address', async () => {
    store(QUILL, provider(3))
    const user = await openDashboard(TAB)
    await waitFor(() => expect(names()).toHaveLength(2))
    await user.type(screen.getByRole('searchbox', { name: 'Search providers' }), 'ros')
    await waitFor(() => expect(names()).toEqual(['Dr. Rosa Quill']))
    await waitFor(() => expect(new URLSearchParams(window.location.search).get('providers-search')).toBe('ros'))
  })

  it('says that it finds others among the inactive ones', async () => {
    store(QUILL, GONE)
    const user = await openDashboard(`${TAB}&providers-search=gone`)
    await screen.findByText('No active provider has “gone” in its name, practice, zip or e-mail. 1 inactive one does.')
    expect(screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search providers' }).value).toBe('gone')
    await user.click(screen.getByRole('button', { name: 'Inactive (1)' }))
    await waitFor(() => expect(names()).toEqual(['Dr. Gone']))
  })
})

describe('a list that cannot be loaded', () => {
  it('does not take the other one away, and is tried again when asked', async () => {
    answer('GET /api/providers', ({ query }) =>
      query.status === 'active' ? [QUILL] : refusal(503, { error: 'Not now.', code: 'internal' }),
    )
    const user = await openDashboard(TAB)
    const alert = within(await screen.findByRole('alert'))
    alert.getByText('Failed to load providers')
    alert.getByText('Inactive providers: 503: Not now.')
    await findRow('Dr. Rosa Quill')
    screen.getByRole('tab', { name: 'Providers (…)' })
    await user.click(screen.getByRole('button', { name: 'Inactive (…)' }))
    await screen.findByText('These providers could not be loaded.')

    store(QUILL, GONE)
    await user.click(alert.getByRole('button', { name: 'Try again' }))
    await findRow('Dr. Gone')
    await screen.findByRole('tab', { name: 'Providers (2)' })
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('is named where the server does not answer', async () => {
    answer('GET /api/providers', ({ query }) => (query.status === 'active' ? noAnswer() : [GONE]))
    await openDashboard(`${TAB}&providers=inactive`)
    await findRow('Dr. Gone')
    await screen.findByText('Active providers: the server is not responding.')
  })

  it('is told among the leads, whose providers have a number for a name', async () => {
    answer('GET /api/providers', ({ query }) => (query.status === 'active' ? [QUILL] : refusal(500)))
    answer('GET /api/leads', { leads: [lead(7, { provider_id: 1 }), lead(8, { provider_id: 2 })], total: 2 })
    await openDashboard('/admin')
    const rowOfLead = async (name: string) => within((await screen.findByText(name)).closest('tr') as HTMLElement)
    within(await screen.findByRole('alert')).getByText('Failed to load providers')
    ;(await rowOfLead('Jordan Avery7')).getByText('Dr. Rosa Quill')
    ;(await rowOfLead('Jordan Avery8')).getByText('Provider #2')
  })

  it('does not stand for the settings, which fail by themselves', async () => {
    answer('GET /api/settings', () => refusal(503, { error: 'Not now.', code: 'unavailable' }))
    const user = await openDashboard(TAB)
    const alert = within(await screen.findByRole('alert'))
    alert.getByText('Failed to load settings')
    alert.getByText('503: Not now. Links to WordPress and the streets of the map are missing.')
    answer('GET /api/settings', settings())
    await user.click(alert.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  })
})

describe('what can be done with all providers', () => {
  it('is for managers: a sync, and a table of them', async () => {
    await openDashboard(TAB)
    screen.getByRole('button', { name: 'Sync Providers' })
    const csv = screen.getByRole('link', { name: 'Export Providers CSV' })
    expect([csv.getAttribute('href'), csv.hasAttribute('download')]).toEqual(['/api/providers.csv', true])
  })

  it('is not for viewers, who look', async () => {
    emptyDashboard({ id: 3, name: 'Ada Park', email: 'ada@leadwell.example', role: 'viewer' })
    store(QUILL)
    await openDashboard(TAB)
    await findRow('Dr. Rosa Quill')
    expect(screen.queryByRole('button', { name: /^sync providers|dry run/i })).toBeNull()
    expect(screen.queryByRole('link', { name: 'Export Providers CSV' })).toBeNull()
  })
})

/** Makes the server know these. */
function store(...providers: StaffProvider[]): void {
  answer('GET /api/providers', ({ query }) =>
    providers.filter(({ status }) => (status === 't') === (query.status === 'active')),
  )
}

const list = () => screen.getByRole('region', { name: 'Providers List' })

/** The names in the list, in its order. */
function names(): (string | null | undefined)[] {
  return [...list().querySelectorAll('tr[data-provider]')].map((row) => row.querySelector('p')?.textContent)
}

function findRow(name: string): Promise<HTMLElement> {
  return waitFor(() => {
    const row = within(list()).getByText(name).closest('tr')
    if (!row) throw new Error(`No row has ${name}.`)
    return row
  })
}
