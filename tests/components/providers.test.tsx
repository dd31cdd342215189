import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ProviderFigures } from '../../core/providers/contract/provider-record.ts'
import { NO_RULES, type ProviderRules, USUAL_HOURS } from '../../core/providers/contract/provider-rules.ts'
import { answer, refusal } from './api.ts'
import { storeProviders } from './leads-page.ts'
import { giveMapsASize, pins } from './maps.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { provider } from './samples.ts'

const TAB = '/admin?tab=providers'
const QUILL = provider(1, { name: 'Dr. Rosa Quill', practiceName: 'Quill Clinic', email: 'desk@quill.example' })
const GONE = provider(2, {
  name: 'Dr. Gone',
  status: 'f',
  address: '9 Pike Street',
  latitude: 39.74,
  longitude: -104.99,
})
beforeEach(() => emptyDashboard())

const list = () => screen.getByRole('region', { name: 'Providers List' })
const names = () => [...list().querySelectorAll('tr[data-provider]')].map((row) => row.querySelector('p')?.textContent)
const findRow = (name: string) => waitFor(() => within(within(list()).getByText(name).closest('tr') as HTMLElement))
const inAddress = (name: string) => new URLSearchParams(window.location.search).get(name)

describe('the list of providers', () => {
  const mails = (failed: number, of: number) => ({ state: of === 0 ? 'none' : 'ok', since: null, failed, of }) as const
  const figures = (id: number, overrides: Partial<ProviderFigures> = {}): ProviderFigures => ({
    ...{ id, place: { city: 'Austin', state: 'TX' }, leads: 0, last_lead_at: null, answer_time: null },
    ...{ reached: null, health: mails(0, 0), ...overrides },
  })

  it('says who each is, how many leads it has, how it answers, and leads to its phone, its site and its post', async () => {
    const links = { phone: '5125550142', website: 'quill.example', wordpress_id: 4711 }
    storeProviders({ ...QUILL, ...links, leadCount: 1 })
    const answered = {
      health: mails(0, 10),
      leads: 7,
      last_lead_at: new Date().toISOString(),
      answer_time: 2 * 3_600_000,
      reached: 0.425,
    }
    answer('GET /api/providers/figures', [figures(1, answered)])
    await openDashboard(TAB)
    const row = await findRow('Dr. Rosa Quill')
    for (const text of [
      'Active',
      'Quill Clinic',
      '1 lead',
      '(512) 555-0142',
      'Austin, TX',
      '7 in 30 days',
      '2 h',
      '43%',
    ])
      await row.findByText(text)
    await row.findByText('The last 10 emails were delivered')
    expect(row.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      ...['/admin?tab=providers&provider=1', 'tel:+15125550142', 'https://quill.example'],
      'https://clinics.example/wp/wp-admin/post.php?post=4711&action=edit',
    ])
  })

  it('shows the active ones, and the inactive ones when asked, which is in the address', async () => {
    storeProviders(QUILL, GONE)
    const user = await openDashboard(TAB)
    await screen.findByRole('tab', { name: 'Providers (2)', selected: true })
    await screen.findByRole('button', { name: 'Active (1)', pressed: true })
    expect(names()).toEqual(['Dr. Rosa Quill'])
    await user.click(screen.getByRole('button', { name: 'Inactive (1)', pressed: false }))
    ;(await findRow('Dr. Gone')).getByText('Inactive')
    expect(names()).toEqual(['Dr. Gone'])
    await waitFor(() => expect(window.location.search).toBe('?tab=providers&providers=inactive'))
  })

  it('shows twenty at a time, finds at each key, and has its page and its search in the address', async () => {
    storeProviders(GONE, ...Array.from({ length: 45 }, (_, index) => provider(index + 1)))
    const user = await openDashboard(`${TAB}&providers-page=2`)
    await screen.findByText('Page 2 of 3')
    expect([names().length, names()[0]]).toEqual([20, 'Dr. Test 21'])
    await user.click(within(list()).getByRole('button', { name: 'Next' }))
    await screen.findByText('Page 3 of 3')
    await waitFor(() => expect(inAddress('providers-page')).toBe('3'))
    const search = screen.getByRole('searchbox', { name: 'Search providers' })
    await user.type(search, 'clinic9@')
    await screen.findByText('Page 1 of 1')
    expect(names()).toEqual(['Dr. Test 9'])
    await waitFor(() =>
      expect([inAddress('providers-page'), inAddress('providers-search')]).toEqual([null, 'clinic9@']),
    )
    await user.clear(search)
    await user.type(search, 'gone')
    await screen.findByText('No active provider has “gone” in its name, practice, zip or email. 1 inactive one does.')
  })

  it('is sorted by a column, highest first, with those without a value at its end; the order is in the address', async () => {
    storeProviders(provider(1), provider(2, { leadCount: 9 }), provider(3))
    answer('GET /api/providers/figures', [
      figures(1, { answer_time: 3_600_000, leads: 2, health: mails(0, 10) }),
      figures(2, { leads: 9 }),
      figures(3, { answer_time: 7_200_000, leads: 5, health: mails(9, 10) }),
    ])
    const user = await openDashboard(TAB)
    await (await findRow('Dr. Test 2')).findByText('9 in 30 days')
    for (const [column, order] of [
      [/^Leads/, [2, 3, 1]],
      [/^Emails/, [3, 1, 2]],
      [/^Response/, [3, 1, 2]],
      [/^Response/, [1, 3, 2]],
    ] as const) {
      await user.click(within(list()).getByRole('button', { name: column }))
      expect(names()).toEqual(order.map((id) => `Dr. Test ${id}`))
    }
    const head = within(list()).getByRole('columnheader', { name: /^Response/ })
    expect(head.getAttribute('aria-sort')).toBe('ascending')
    await waitFor(() => expect(inAddress('providers-sort')).toBe('response'))
  })

  it('that cannot be loaded does not take the other one away, and is tried again when asked', async () => {
    answer('GET /api/providers', ({ query }) =>
      query.status === 'active' ? [QUILL] : refusal(503, { error: 'Not now.', code: 'internal' }),
    )
    const user = await openDashboard(TAB)
    const alert = within(await screen.findByRole('alert'))
    alert.getByText('Inactive providers: 503: Not now.')
    await findRow('Dr. Rosa Quill')
    await user.click(screen.getByRole('button', { name: 'Inactive (…)' }))
    await screen.findByText('These providers could not be loaded.')
    storeProviders(QUILL, GONE)
    await user.click(alert.getByRole('button', { name: 'Try again' }))
    await findRow('Dr. Gone')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it.each(['manager', 'viewer'] as const)('has a sync and a table of all for managers only: %s', async (role) => {
    emptyDashboard({ role })
    storeProviders(QUILL)
    await openDashboard(TAB)
    await findRow('Dr. Rosa Quill')
    const isManager = role === 'manager'
    expect(screen.queryByRole('button', { name: /^sync providers|dry run/i }) !== null).toBe(isManager)
    const csv = screen.queryByRole('link', { name: 'Export Providers CSV' })
    expect(csv?.getAttribute('href')).toBe(isManager ? '/api/providers.csv' : undefined)
  })

  it('has a map of each that has a place, active or not, and says how many have none', async () => {
    giveMapsASize()
    onTestFinished(() => void vi.restoreAllMocks())
    storeProviders(QUILL, GONE, provider(3, { latitude: null, longitude: null }))
    const user = await openDashboard(TAB)
    await user.click(await screen.findByRole('button', { name: 'Show map', expanded: false }))
    await screen.findByAltText('Dr. Rosa Quill')
    expect(pins()).toHaveLength(2)
    screen.getByText('1 provider has no coordinates and is not on the map.')
    await user.click(screen.getByAltText('Dr. Gone'))
    const popup = await waitFor(() => within(document.querySelector('.leaflet-popup') as HTMLElement))
    for (const text of ['Dr. Gone', '9 Pike Street', 'Inactive']) await popup.findByText(text)
  })
})

describe('the rules of a provider', () => {
  const rules = (own: Partial<ProviderRules> = {}) => ({
    ...{ rules: { ...NO_RULES, ...own }, used: { day: 10, week: 12, month: 40 }, updated_at: null, updated_by: null },
  })

  async function openRules() {
    storeProviders({ ...QUILL, obstacle: { reason: 'full', period: 'day', used: 10, cap: 10 } }, provider(3))
    const user = await openDashboard(TAB)
    await user.click(await screen.findByRole('button', { name: 'More for Dr. Rosa Quill' }))
    await user.click(await screen.findByRole('menuitem', { name: /ules\.\.\.$/ }))
    screen.getByText('10 of 10 today')
    const dialog = within(await screen.findByRole('dialog', { name: 'Rules of Quill Clinic' }))
    return { user, dialog, daily: await dialog.findByLabelText('A day (10 today)') }
  }

  it('send what was changed, and nothing else', async () => {
    answer('GET /api/providers/{id}/rules', rules({ daily_cap: 10, weekly_cap: 50 }))
    const changes = answer('PATCH /api/providers/{id}/rules', rules())
    const { user, dialog, daily } = await openRules()
    await user.clear(daily)
    await user.type(dialog.getByLabelText('A month (40 this month)'), '200')
    await user.click(dialog.getByLabelText('Friday'))
    dialog.getByText('You would be closed Friday to Sunday.')
    await user.type(dialog.getByLabelText(/^Excluded zip codes/), '78702, 78701')
    dialog.getByLabelText('Excluded zip codes (2 zip codes of 2,000)')
    await user.selectOptions(
      dialog.getByLabelText(/^Backup/),
      await dialog.findByRole('option', { name: /^Test Clinic 3 - / }),
    )
    await user.click(dialog.getByRole('button', { name: 'Save rules' }))
    await findToast('Rules changed')
    const caps = { daily_cap: null, monthly_cap: 200, backup_provider_id: 3 }
    const body = { ...caps, excluded_zips: ['78701', '78702'], hours: { ...USUAL_HOURS, 5: [] } }
    expect(changes.map((call) => call.body)).toEqual([body])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('show an error at its field, of the page and of the server', async () => {
    answer('GET /api/providers/{id}/rules', rules())
    answer('PATCH /api/providers/{id}/rules', refusal(422, { fields: { extra_zips: 'What the server says.' } }))
    const { user, dialog, daily } = await openRules()
    await user.type(daily, 'ten')
    fireEvent.change(dialog.getByLabelText('Monday until'), { target: { value: '08:00' } })
    await user.click(dialog.getByRole('button', { name: 'Save rules' }))
    await dialog.findByText('Write a whole number, or leave it empty')
    dialog.getByText('The closing time must be the later one')
    await user.clear(daily)
    fireEvent.change(dialog.getByLabelText('Monday until'), { target: { value: '17:00' } })
    await user.type(dialog.getByLabelText(/^Extra zip codes/), '00000')
    await user.click(dialog.getByRole('button', { name: 'Save rules' }))
    await dialog.findByText('What the server says.')
  })

  it('are only read by viewers', async () => {
    emptyDashboard({ role: 'viewer' })
    answer('GET /api/providers/{id}/rules', rules({ daily_cap: 10 }))
    const { dialog, daily } = await openRules()
    expect(daily).toHaveProperty('value', '10')
    expect(daily.closest('fieldset')).toHaveProperty('disabled', true)
    expect(dialog.queryByRole('button', { name: 'Save rules' })).toBeNull()
  })
})
