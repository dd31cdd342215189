import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { LEADS_PER_PAGE } from '../../core/leads/contract/leads.ts'
import { answer } from './api.ts'
import {
  chooseInRow,
  isAsked,
  openLeads,
  rowOf,
  type StoredLeads,
  shownLeads,
  storeLeads,
  storeProviders,
} from './leads-page.ts'
import { emptyDashboard, openDashboard } from './page.tsx'
import { lead, provider } from './samples.ts'

let stored: StoredLeads
beforeEach(() => {
  emptyDashboard()
  stored = storeLeads(lead(1), lead(2), lead(3))
})

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const exportAddress = () => screen.getByRole('link', { name: 'Export Leads CSV' }).getAttribute('href')

describe('the table of leads', () => {
  it('shows contact, zip code, provider with practice and distance, date and CRM status', async () => {
    storeLeads(
      lead(1, { created_at: '2026-03-05T18:00:00.000Z', match_distance_miles: 12.3 }),
      lead(2, { provider_id: 2, crm_sync_status: 'pending', match_distance_miles: 1500 }),
      lead(3, { provider_id: 9, crm_sync_status: 'failed' }),
      lead(4, { provider_id: null }),
    )
    storeProviders(provider(1), provider(2, { status: 'f', practiceName: null }))
    await openDashboard()
    const shows = async (id: number, ...texts: string[]) => {
      const row = within(await rowOf(`Jordan Avery${id}`))
      for (const text of texts) row.getByText(text)
    }
    await shows(1, 'visitor1@visitors.example', '(512) 555-0001', '78702', 'Dr. Test 1', 'Mar 5, 2026', 'Success')
    await shows(1, 'Test Clinic 1', '12 mi')
    await shows(2, 'Inactive', 'Pending')
    const far = within(await rowOf('Jordan Avery2')).getByTitle('Beyond the radius')
    expect(far.textContent).toBe('1,500 mi, beyond the radius')
    await shows(3, 'Provider #9', 'Failed')
    await shows(4, 'Unmatched')
    screen.getByText('Total: 4 leads')
  })

  it('shows a lead of which something cannot be read, and hides no other for it', async () => {
    const odd = { crm_sync_status: 'odd', email_status: 'odd', created_at: null, matched_at: 'odd', match_kind: 'odd' }
    const deliveries = { clinic: { status: 'odd', next_attempt_at: 'odd' } }
    const leads = [{ ...lead(1), ...odd }, { ...lead(2), deliveries }, lead(3)]
    answer('GET /api/leads', () => Response.json({ leads, total: 3 }))
    await openDashboard()
    within(await rowOf('Jordan Avery1')).getByText('Pending')
    within(await rowOf('Jordan Avery1')).getByText('-')
    within(await rowOf('Jordan Avery2')).getByText('Waiting')
    within(await rowOf('Jordan Avery3')).getByText('Success')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('tells apart how the CRM, the clinic and the visitor were reached, and what is tried again', async () => {
    const deliveries = {
      crm: { status: 'retrying', next_attempt_at: new Date().toISOString() },
      clinic: { status: 'failed', next_attempt_at: null },
      visitor: { status: 'success', next_attempt_at: null },
      previous_clinic: { status: 'pending', next_attempt_at: null },
    } as const
    storeLeads(lead(1, { crm_sync_status: 'pending', email_status: 'failed', deliveries }))
    await openDashboard()
    const row = within(await rowOf('Jordan Avery1'))
    row.getByText('Pending')
    row.getByText(/^Trying again at \d{1,2}:\d\d [AP]M ET$/)
    row.getByText('Not delivered')
    row.getByText('Previous provider: Waiting')
  })

  it('shows why a lead is held, and sends nothing until it is released', async () => {
    storeLeads(lead(1, { held_reason: 'honeypot', crm_sync_status: 'pending' }))
    await openDashboard()
    const row = within(await rowOf('Jordan Avery1'))
    const reason = row.getByText(/A field that people cannot see was filled in. Nothing is sent until you release/)
    for (const name of ['Resend Email', 'Retry CRM Sync']) {
      const retry = row.getByRole<HTMLButtonElement>('button', { name })
      expect([retry.disabled, retry.getAttribute('aria-describedby')]).toEqual([true, reason.id])
    }
  })

  it('is turned page by page from its top, where the keyboard goes on, and shows the last page there is', async () => {
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView')
    onTestFinished(() => scrolled.mockRestore())
    let total = LEADS_PER_PAGE + 1
    // One row stands for each page.
    answer('GET /api/leads', ({ query: { page } }) => ({
      leads: page <= Math.ceil(total / LEADS_PER_PAGE) ? [lead(page)] : [],
      total,
    }))
    answer('DELETE /api/leads/{id}', () => {
      total -= 1
      return { success: true }
    })
    const user = await openLeads()
    expect(button('Previous').disabled).toBe(true)
    await user.click(button('Next'))
    await screen.findByText('Page 2 of 2')
    const row = await rowOf('Jordan Avery2')
    const table = screen.getByRole('table')
    expect(scrolled.mock.contexts).toContain(table.parentElement)
    expect(document.activeElement).toBe(table)
    expect(button('Next').disabled).toBe(true)
    await chooseInRow(user, row, 'Delete')
    await screen.findByText('Page 1 of 1')
    await rowOf('Jordan Avery1')
  })

  it('is for viewers too, who can do nothing', async () => {
    emptyDashboard({ role: 'viewer' })
    storeLeads(lead(1, { held_reason: 'honeypot' }), lead(2, { provider_id: null }))
    await openDashboard()
    within(await rowOf('Jordan Avery1')).getByText(/Nothing is sent until a manager releases the lead/)
    for (const name of ['Delete', 'Resend Email', 'Retry CRM Sync', 'Release', 'Export Leads CSV', 'New lead'])
      expect(screen.queryByRole('button', { name }), name).toBeNull()
    expect(screen.queryByRole('link', { name: 'Export Leads CSV' })).toBeNull()
    const table = within(screen.getByRole('table'))
    expect([table.queryByRole('checkbox'), table.queryByRole('combobox')]).toEqual([null, null])
  })
})

describe('looking for leads', () => {
  it('searches after a pause in typing, keeps the words in the address, and says that nothing matches', async () => {
    stored.calls = answer('GET /api/leads', ({ query: { q } }) => {
      const leads = q === undefined ? stored.leads : stored.leads.filter(({ last_name }) => last_name.endsWith(q))
      return { leads, total: leads.length }
    })
    const user = await openLeads()
    const search = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search leads' })
    await user.type(search, 'ry2')
    await waitFor(() => expect(shownLeads()).toEqual(['Jordan Avery2']))
    screen.getByText('Total: 1 leads')
    await screen.findByRole('tab', { name: 'Leads (3)' })
    await waitFor(() => expect(location.search).toBe('?q=ry2'))
    expect(stored.calls.filter(({ query }) => query.q).map(({ query }) => query.q)).toEqual(['ry2'])
    await user.type(search, '7')
    await screen.findByText('No leads match.')
    await user.click(button('Clear all filters'))
    await waitFor(() => expect(shownLeads()).toHaveLength(3))
    await waitFor(() => expect([search.value, location.search]).toEqual(['', '']))
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
    screen.getByText('Dates are in Hawaii-Aleutian Standard Time.')
    for (const [name, from, to] of [
      ['Today', '2026-11-14', '2026-11-14'],
      ['Yesterday', '2026-11-13', '2026-11-13'],
      ['30 days', '2026-10-16', '2026-11-14'],
    ] as const) {
      await user.click(screen.getByRole('button', { name, pressed: false }))
      await screen.findByRole('button', { name, pressed: true })
      await isAsked(stored, { from, to })
      await waitFor(() => expect(location.search).toBe(`?from=${from}&to=${to}`))
    }
    await user.click(screen.getByRole('button', { name: '30 days', pressed: true }))
    await waitFor(() => expect(location.search).toBe(''))
  })

  it('sorts by column', async () => {
    const user = await openLeads()
    const order = (name: string) => screen.getByRole('columnheader', { name }).getAttribute('aria-sort')
    const press = (name: string) => user.click(within(screen.getByRole('columnheader', { name })).getByRole('button'))
    expect(['Contact', 'Zip Code', 'Date'].map(order)).toEqual(['none', 'none', 'descending'])
    for (const [name, sort, shown] of [
      ['Contact', 'name', 'ascending'],
      ['Contact', '-name', 'descending'],
      ['Outcome', 'outcome', 'ascending'],
      ['Zip Code', 'zip_code', 'ascending'],
    ] as const) {
      await press(name)
      await isAsked(stored, { sort })
      expect(order(name)).toBe(shown)
    }
    await waitFor(() => expect(location.search).toBe('?sort=zip_code'))
    expect(exportAddress()).toBe('/api/leads.csv?sort=zip_code')
    await press('Date')
    await waitFor(() => expect(order('Date')).toBe('descending'))
  })
})
