import { fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SECOND } from '../../core/contract/time.ts'
import { answer, noAnswer } from './api.ts'
import { FakeEventSource } from './event-source.ts'
import { isAsked, openLeads, rowOf, type StoredLeads, storeLeads } from './leads-page.ts'
import { emptyDashboard, NO_VALUES, openDashboard } from './page.tsx'
import { lead } from './samples.ts'

let stored: StoredLeads
beforeEach(() => {
  emptyDashboard()
  stored = storeLeads(lead(1))
})

const button = (name: string) => screen.getByRole('button', { name })
const addressIs = (search: string) => waitFor(() => expect(location.search).toBe(search))

describe('the filters of leads', () => {
  it('are chips with their numbers, which are pressed and let go', async () => {
    const counts = { all: 900, failed: 77, unmatched: 75, held: 17, not_reached: 1042, late: 1, due: 2, mine: 0 }
    answer('GET /api/leads/filter-values', { ...NO_VALUES, counts })
    const user = await openLeads()
    await waitFor(() => expect(button('Not delivered').textContent).toBe('Not delivered1,042'))
    const chips = ['Failed', 'Unmatched', 'Held', 'Late', 'Due today']
    expect(chips.map((name) => button(name).title)).toEqual(
      ['77', '75', '17', '1', '2'].map((n) => expect.stringMatching(`^${n} lead`)),
    )
    for (const [name, asked] of [
      ['Not delivered', { not_reached: true }],
      ['Due today', { due: true }],
      ['Unmatched', { unmatched: true }],
    ] as const) {
      await user.click(button(name))
      await isAsked(stored, asked)
      expect(button(name).getAttribute('aria-pressed')).toBe('true')
      await user.click(button(name))
      await addressIs('')
    }
    // However quickly.
    await Promise.all(['Failed', 'Held'].map((name) => userEvent.setup().click(button(name))))
    await addressIs('?failed=true&held=true')
  })

  it('offer what leads have, and more, from page 1 on, and the export has the same', async () => {
    const lists = { states: ['MD', 'TX'], sources: ['google'], campaigns: ['spring'], staff: [], tags: [] }
    answer('GET /api/leads/filter-values', { ...NO_VALUES, ...lists })
    const user = await openLeads('/admin?page=1')
    await user.click(button('Filters'))
    await screen.findByRole('option', { name: 'TX' })
    for (const [name, option] of [
      ['State', 'TX'],
      ['Source', 'Unknown'],
      ['Campaign', 'spring'],
      ['Outcome', 'None yet'],
      ['Person', 'Asked before'],
      ['CRM Sync', 'Failed'],
      ['Email', 'Pending'],
      ['Provider', 'Dr. Test 1 - 78701'],
    ] as const)
      await user.selectOptions(screen.getByRole('combobox', { name }), option)
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-03-04' } })
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-03-05' } })
    const days = { from: '2026-03-04', to: '2026-03-05' }
    const left = { campaign: 'spring', outcome: 'none', crm_sync_status: 'failed', email_status: 'pending', ...days }
    await isAsked(stored, { state: 'TX', source: 'none', repeat: true, provider_id: 1, ...left })
    await screen.findByRole('button', { name: 'Filters (10)' })
    for (const words of ['State: TX', 'Source: Unknown']) await user.click(button(`${words}: remove this filter`))
    for (const name of ['Person', 'Provider']) await user.selectOptions(screen.getByRole('combobox', { name }), 'Any')
    await isAsked(stored, left)
    const exported = String(screen.getByRole('link', { name: 'Export Leads CSV' }).getAttribute('href'))
    expect(Object.fromEntries(new URL(exported, location.href).searchParams)).toEqual({ sort: '-created_at', ...left })
    await user.click(button('Clear all'))
    await addressIs('')
  })

  it('offer the owner and the tag of a lead, and begin for an agent with her own and with what is due', async () => {
    emptyDashboard({ id: 3, name: 'Ada Park', role: 'agent' })
    stored = storeLeads(lead(1))
    const staff = [3, 12].map((id) => ({ id, name: id === 3 ? 'Ada Park' : 'Ben Ito' }))
    const counts = { all: 9, failed: 1, unmatched: 1, held: 0, not_reached: 0, late: 1, due: 2, mine: 4 }
    answer('GET /api/leads/filter-values', { ...NO_VALUES, counts, tags: ['vip', 'call back'], staff })
    const user = await openLeads()
    await waitFor(() => expect(button('Mine').textContent).toBe('Mine4'))
    const chips = screen.getAllByRole('button', { pressed: false }).map(({ textContent }) => textContent)
    expect(chips).toEqual(['Mine4', 'Due today2', 'Failed1', 'Unmatched1', 'Held0', 'Not delivered0', 'Late1'])
    await user.click(button('Filters'))
    const owner = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Owner' })
    expect([...owner.options].map(({ text }) => text)).toEqual(['Any', 'Nobody', 'Me', 'Ben Ito'])
    await user.click(button('Mine'))
    await user.selectOptions(screen.getByRole('combobox', { name: 'Tag' }), 'call back')
    await isAsked(stored, { owner: 3, tag: 'call back' })
    await user.selectOptions(owner, 'Nobody')
    await isAsked(stored, { owner: 'none', tag: 'call back' })
    await user.click(button('Owner: Nobody: remove this filter'))
    await addressIs('?tag=call+back')
  })

  it('come back with their tab, and leave the other tabs alone', async () => {
    answer('GET /api/overview', noAnswer)
    answer('GET /api/integrations', noAnswer)
    const own = '?q=Avery&failed=true&sort=name'
    const user = await openLeads(`/admin${own}`)
    const choose = async (name: string | RegExp) => user.click(await screen.findByRole('tab', { name }))
    await choose('Overview')
    await addressIs('?tab=overview')
    await choose('Settings')
    await addressIs('?tab=health')
    await choose(/^Leads/)
    await addressIs(own)
    expect(screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search leads' }).value).toBe('Avery')
    await choose('Overview')
    history.back()
    await addressIs(own)
  })
})

it('the colors follow the system until the viewer chooses, which this browser remembers', async () => {
  const scheme = () => document.documentElement.dataset.scheme
  emptyDashboard({ id: 1, name: 'Ada Park', email: 'ada@staff.example' })
  const user = await openDashboard()
  expect(scheme()).toBe('system')
  await user.click(await screen.findByRole('button', { name: /^Account of / }))
  await user.click(await screen.findByRole('menuitemradio', { name: 'Dark' }))
  await waitFor(() => expect(scheme()).toBe('dark'))
  expect(localStorage.getItem('dashboard-preferences')).toContain('"scheme":"dark"')
  await user.click(screen.getByRole('menuitemradio', { name: 'As the system' }))
  await waitFor(() => expect(scheme()).toBe('system'))
})

describe('a connection that is lost', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is told after some seconds, until it is back', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    await openLeads()
    FakeEventSource.openAll()
    FakeEventSource.loseAll()
    expect(screen.queryByText(/Reconnecting/)).toBeNull()
    vi.advanceTimersByTime(6 * SECOND)
    await screen.findByText(/^The connection to the server was lost\./)
    FakeEventSource.openAll()
    await waitFor(() => expect(screen.queryByText(/Reconnecting/)).toBeNull())
    await rowOf('Jordan Avery1')
  })

  it('is told at once where the browser is offline', async () => {
    await openLeads()
    window.dispatchEvent(new Event('offline'))
    await screen.findByText('You are offline. What you see may be out of date.')
    window.dispatchEvent(new Event('online'))
    await waitFor(() => expect(screen.queryByText(/You are offline/)).toBeNull())
  })
})
