import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SECOND } from '../../core/time.ts'
import { answer, heldAnswer } from './api.ts'
import { FakeEventSource } from './event-source.ts'
import { rowOf, type StoredLeads, shownLeads, storeLeads } from './leads-page.ts'
import { emptyDashboard, openDashboard } from './page.tsx'
import { job, lead, leadDetails } from './samples.ts'

let stored: StoredLeads
beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  emptyDashboard()
  stored = storeLeads(lead(1), lead(2))
})
afterEach(() => {
  vi.useRealTimers()
})

describe('an open dashboard', () => {
  it('shows a new lead, and keeps what is chosen and what is open', async () => {
    answer('GET /api/leads/{id}', leadDetails(2))
    answer('GET /api/leads/{id}/jobs', { jobs: [] })
    const user = await openDashboard('/admin?lead=2')
    await screen.findByRole('complementary', { name: 'Jordan Avery2' })
    await user.click(within(await rowOf('Jordan Avery1')).getByRole('checkbox'))

    stored.leads = [lead(3), ...stored.leads]
    FakeEventSource.announce({ leads: [3] })
    const row = await rowOf('Jordan Avery1')
    await waitFor(() => expect(shownLeads()).toEqual(['Jordan Avery3', 'Jordan Avery1', 'Jordan Avery2']))
    await screen.findByRole('tab', { name: 'Leads (3)' })
    expect(within(row).getByRole<HTMLInputElement>('checkbox').checked).toBe(true)
    screen.getByText('1 lead selected')
    screen.getByRole('complementary', { name: 'Jordan Avery2' })
  })

  it('shows what becomes of a delivery, in the row and beside the list', async () => {
    answer('GET /api/leads/{id}', leadDetails(1))
    answer('GET /api/leads/{id}/jobs', { jobs: [job({ state: 'waiting', attempts: 0, finished_at: null })] })
    stored.leads = [lead(1, { crm_sync_status: 'pending' })]
    await openDashboard('/admin?lead=1')
    const row = within(await rowOf('Jordan Avery1'))
    const panel = within(await screen.findByRole('complementary'))
    await panel.findByText('Waiting')
    row.getByText('Pending')

    stored.leads = [lead(1)]
    answer('GET /api/leads/{id}/jobs', { jobs: [job()] })
    FakeEventSource.announce({ jobs: [1] })
    await row.findByText('Success')
    await panel.findByText('Done')
  })

  it('does not start a call anew for each of many changes', async () => {
    await openDashboard()
    await rowOf('Jordan Avery1')
    const { answer: later, release } = heldAnswer({ leads: [lead(3)], total: 1 })
    const calls = answer('GET /api/leads', later)
    for (let id = 3; id < 8; id++) {
      FakeEventSource.announce({ leads: [id] })
      await vi.advanceTimersByTimeAsync(SECOND / 2)
    }
    expect(calls).toHaveLength(1)
    release()
    await rowOf('Jordan Avery3')
    await waitFor(() => expect(calls).toHaveLength(2))
  })

  it('asks for nothing while the stream is away, and for everything once it is back', async () => {
    await openDashboard()
    await rowOf('Jordan Avery1')
    FakeEventSource.loseAll()
    stored.leads = [lead(3)]
    const calls = stored.calls.length
    await vi.advanceTimersByTimeAsync(10 * SECOND)
    expect(stored.calls).toHaveLength(calls)

    // The connections that fail come less and less often: after 2, 4, 8 seconds.
    expect(FakeEventSource.all).toHaveLength(2)
    for (const [wait, connections] of [
      [4, 3],
      [4, 3],
      [4, 4],
    ] as const) {
      FakeEventSource.loseAll()
      await vi.advanceTimersByTimeAsync(wait * SECOND)
      expect(FakeEventSource.all).toHaveLength(connections)
    }
    FakeEventSource.openAll()
    await rowOf('Jordan Avery3')
    await vi.advanceTimersByTimeAsync(60 * SECOND)
    expect(stored.calls).toHaveLength(calls + 1)
  })

  it('can be refreshed while the stream is away', async () => {
    const user = await openDashboard()
    await rowOf('Jordan Avery1')
    FakeEventSource.loseAll()
    stored.leads = [lead(3)]
    await vi.advanceTimersByTimeAsync(6 * SECOND)
    await user.click(await screen.findByRole('button', { name: 'Refresh' }))
    await rowOf('Jordan Avery3')
  })

  it('stays live when the session goes on with another token, as after a change of the password', async () => {
    await openDashboard()
    await rowOf('Jordan Avery1')
    FakeEventSource.signOutAll()
    await vi.advanceTimersByTimeAsync(4 * SECOND)
    FakeEventSource.openAll()
    stored.leads = [lead(3)]
    FakeEventSource.announce({ leads: [3] })
    await rowOf('Jordan Avery3')
  })
})
