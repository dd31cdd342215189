import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { answer } from './api.ts'
import { rowOf, type StoredLeads, shownLeads, storeLeads } from './leads-page.ts'
import { emptyDashboard, openDashboard } from './page.tsx'
import { lead } from './samples.ts'

let stored: StoredLeads
beforeEach(() => {
  emptyDashboard()
  stored = storeLeads(lead(1), lead(2), lead(3))
})

/** What the last call asked for, without the page. */
function asked(): Record<string, unknown> {
  const { page, limit, ...query } = stored.calls.at(-1)?.query ?? {}
  return query
}

const button = (name: string) => screen.getByRole('button', { name })
const search = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search leads' })
const exportAddress = () => screen.getByRole('link', { name: 'Export Leads CSV' }).getAttribute('href')

describe('looking for leads', () => {
  it('searches after a pause in typing, and keeps the words in the address', async () => {
    const user = await openDashboard()
    await rowOf('Jordan Avery1')
    answerWith('zel', [lead(2)])
    await user.type(search(), 'zel')
    await waitFor(() => expect(shownLeads()).toEqual(['Jordan Avery2']))
    screen.getByText('Total: 1 leads')
    await screen.findByRole('tab', { name: 'Leads (3)' })
    await waitFor(() => expect(location.search).toBe('?q=zel'))
    expect(stored.calls.filter(({ query }) => query.q).map(({ query }) => query.q)).toEqual(['zel'])
  })

  it('says that nothing matches, and shows every lead again', async () => {
    answerWith('nobody', [])
    const user = await openDashboard('/admin?q=nobody')
    await screen.findByText('No leads match.')
    expect(screen.queryByText(/No leads yet/)).toBeNull()
    expect(search().value).toBe('nobody')
    await user.click(button('Clear all filters'))
    await waitFor(() => expect(shownLeads()).toHaveLength(3))
    expect(search().value).toBe('')
    await waitFor(() => expect(location.search).toBe(''))
  })

  it('shows what a link of another tab asks for, to be removed one by one', async () => {
    const user = await openDashboard('/admin?cause=unknown_mailbox&target=clinic&held=false')
    await rowOf('Jordan Avery1')
    await user.click(button('Failing: E-mail to the clinic: remove this filter'))
    await waitFor(() => expect(asked()).toEqual({ sort: '-created_at', cause: 'unknown_mailbox', held: false }))
    await user.click(button('The mailbox does not exist: remove this filter'))
    await user.click(button('Not held: remove this filter'))
    await waitFor(() => expect(location.search).toBe(''))
  })

  it.each([
    ['Unmatched', { unmatched: true }],
    ['Held', { held: true }],
    ['Failed', { failed: true }],
  ])('filters by outcome: %s', async (name, condition) => {
    const user = await openDashboard()
    await rowOf('Jordan Avery1')
    await user.click(button(name))
    await waitFor(() => expect(asked()).toEqual({ sort: '-created_at', ...condition }))
    expect(button(name).getAttribute('aria-pressed')).toBe('true')
    await waitFor(() => expect(location.search).toBe(`?${Object.keys(condition)}=true`))

    await user.click(button(name))
    await waitFor(() => expect(location.search).toBe(''))
    expect(button(name).getAttribute('aria-pressed')).toBe('false')
  })

  it('filters by status, provider and days, and exports the same leads', async () => {
    const user = await openDashboard()
    await rowOf('Jordan Avery1')
    await user.click(button('Filters'))
    const filters = within(document.querySelector('search') as HTMLElement)
    await user.selectOptions(filters.getByRole('combobox', { name: 'CRM Sync' }), 'Failed')
    await user.selectOptions(filters.getByRole('combobox', { name: 'E-mail' }), 'Pending')
    await user.selectOptions(filters.getByRole('combobox', { name: 'Provider' }), 'Dr. Test 1 - 78701')
    fireEvent.change(filters.getByLabelText('From'), { target: { value: '2026-03-04' } })
    fireEvent.change(filters.getByLabelText('To'), { target: { value: '2026-03-05' } })

    const conditions = { crm_sync_status: 'failed', email_status: 'pending', from: '2026-03-04', to: '2026-03-05' }
    await waitFor(() => expect(asked()).toEqual({ sort: '-created_at', ...conditions, provider_id: 1 }))
    await screen.findByRole('button', { name: 'Filters (5)' })
    expect(Object.fromEntries(new URL(String(exportAddress()), location.href).searchParams)).toEqual({
      sort: '-created_at',
      ...conditions,
      provider_id: '1',
    })

    await user.selectOptions(filters.getByRole('combobox', { name: 'CRM Sync' }), 'Any')
    await screen.findByRole('button', { name: 'Filters (4)' })
    await user.click(button('Clear all'))
    await screen.findByRole('button', { name: 'Filters' })
    await waitFor(() => expect(location.search).toBe(''))
  })

  it('filters by today, yesterday and the last days of the network, wherever the reader is', async () => {
    // Eleven in the evening of November 14.
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-15T09:00:00Z') })
    onTestFinished(() => void vi.useRealTimers())
    emptyDashboard({}, 'Pacific/Honolulu')
    stored = storeLeads(lead(1, { created_at: '2026-11-15T04:30:00.000Z' }))
    const user = await openDashboard()
    expect((await rowOf('Jordan Avery1')).textContent).toContain('Nov 14, 2026')
    await user.click(button('Filters'))
    screen.getByText('Days are in Hawaii-Aleutian Standard Time.')

    for (const [name, from, to] of [
      ['Today', '2026-11-14', '2026-11-14'],
      ['Yesterday', '2026-11-13', '2026-11-13'],
      ['7 days', '2026-11-08', '2026-11-14'],
      ['30 days', '2026-10-16', '2026-11-14'],
    ] as const) {
      await user.click(screen.getByRole('button', { name, pressed: false }))
      await screen.findByRole('button', { name, pressed: true })
      await waitFor(() => expect(asked()).toEqual({ sort: '-created_at', from, to }))
      await waitFor(() => expect(location.search).toBe(`?from=${from}&to=${to}`))
    }
    expect(screen.getByLabelText<HTMLInputElement>('From').value).toBe('2026-10-16')
    await user.click(screen.getByRole('button', { name: '30 days', pressed: true }))
    await waitFor(() => expect(location.search).toBe(''))
  })

  it('starts on page 1 after a new filter', async () => {
    stored.calls = answer('GET /api/leads', ({ query: { page } }) => ({ leads: [lead(page)], total: 41 }))
    const user = await openDashboard('/admin?page=2')
    await rowOf('Jordan Avery2')
    await user.click(button('Held'))
    await rowOf('Jordan Avery1')
    await waitFor(() => expect(location.search).toBe('?held=true'))
  })
})

it('sorts by column', async () => {
  const user = await openDashboard()
  await rowOf('Jordan Avery1')
  const order = (name: string) => screen.getByRole('columnheader', { name }).getAttribute('aria-sort')
  const press = (name: string) => user.click(within(screen.getByRole('columnheader', { name })).getByRole('button'))
  expect(['Contact', 'Zip Code', 'Date'].map(order)).toEqual(['none', 'none', 'descending'])

  await press('Contact')
  await waitFor(() => expect(asked()).toEqual({ sort: 'name' }))
  expect(['Contact', 'Zip Code', 'Date'].map(order)).toEqual(['ascending', 'none', 'none'])
  await press('Contact')
  await waitFor(() => expect(asked()).toEqual({ sort: '-name' }))
  expect(order('Contact')).toBe('descending')
  await press('Zip Code')
  await waitFor(() => expect(asked()).toEqual({ sort: 'zip_code' }))
  await waitFor(() => expect(location.search).toBe('?sort=zip_code'))
  expect(exportAddress()).toBe('/api/leads.csv?sort=zip_code')
  await press('Date')
  await waitFor(() => expect(order('Date')).toBe('descending'))
})

/** Answers a search for these words with these leads, and every other call with all. */
function answerWith(words: string, found: ReturnType<typeof lead>[]): void {
  stored.calls = answer('GET /api/leads', ({ query: { q } }) => {
    const leads = q === words ? found : stored.leads
    return { leads, total: leads.length }
  })
}
