import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SECOND } from '../../core/contract/time.ts'
import { answer, heldAnswer } from './api.ts'
import { answerBulk } from './bulk.ts'
import { FakeEventSource } from './event-source.ts'
import { ago, health, MINUTE, sending } from './health-samples.ts'
import { openLeads, rowOf, type StoredLeads, shownLeads, storeLeads } from './leads-page.ts'
import { emptyDashboard, openDashboard } from './page.tsx'
import { job, lead, leadDetails } from './samples.ts'

beforeEach(() => emptyDashboard())

describe('retrying what failed', () => {
  async function openDialog() {
    answer('GET /api/integrations', health({ mail: sending({ failed: { total: 8, since: ago(MINUTE) } }) }))
    const user = await openDashboard('/admin?tab=health')
    await user.click(await screen.findByRole('button', { name: 'Retry these 8...' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Retry failed deliveries' }))
    return { user, dialog }
  }

  it('tries again what was counted, names what was refused, says why, and counts anew', async () => {
    let total = 8
    const counts = answer('GET /api/jobs/failed', () => ({ total }))
    const failures = [
      { name: 'Ana Flores', lead_id: 7, error: 'The lead is held.' },
      { lead_id: 8, error: 'It is gone.' },
      { subject: 'application:9', error: 'It was released.' },
      { subject: 'account:3', error: 'It was sent.' },
    ]
    const outcome = { succeeded: 1, failed: 4, waiting: 3, failures }
    const retries = answerBulk('POST /api/jobs/retry-failed', outcome, () => {
      total = 0
    })
    const { user, dialog } = await openDialog()
    await user.selectOptions(dialog.getByLabelText('Because'), 'Our credentials were rejected')
    await user.selectOptions(dialog.getByLabelText('Failed'), 'in the last 24 hours')
    await waitFor(() => expect(counts.at(-1)?.query).toMatchObject({ name: 'send-email', cause: 'credentials' }))
    expect(Math.round((Date.now() - Date.parse(String(counts.at(-1)?.query.since))) / MINUTE)).toBe(24 * 60)
    const asked = counts.at(-1)?.query
    await user.click(await dialog.findByRole('button', { name: 'Retry 8 deliveries' }))
    const report = within(await dialog.findByRole('alert', { name: 'What failed' }))
    report.getByText('1 delivered, 4 refused, 3 waiting')
    expect(report.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      ...['Ana Flores: The lead is held.', 'Lead #8: It is gone.'],
      ...['Application #9: It was released.', 'Account #3: It was sent.'],
    ])
    await dialog.findByText('Nothing is left to retry.')
    expect(retries.map(({ body }) => body)).toEqual([{ ...asked, expected: 8 }])
  })
})

describe('an open dashboard', () => {
  let stored: StoredLeads
  beforeEach(() => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    stored = storeLeads(lead(1), lead(2))
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('shows a new lead, and keeps what is chosen and what is open', async () => {
    answer('GET /api/leads/{id}', leadDetails(2))
    answer('GET /api/leads/{id}/jobs', { jobs: [] })
    const user = await openDashboard('/admin?lead=2')
    await screen.findByRole('complementary', { name: 'Jordan Avery2' })
    await user.click(within(await rowOf('Jordan Avery1')).getByRole('checkbox'))
    stored.leads = [lead(3), ...stored.leads]
    FakeEventSource.announce({ leads: [3] })
    await waitFor(() => expect(shownLeads()).toEqual(['Jordan Avery3', 'Jordan Avery1', 'Jordan Avery2']))
    await screen.findByRole('tab', { name: 'Leads (3)' })
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
    await openLeads()
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

  it('asks for nothing while the stream is away, less and less often for the stream, then for everything', async () => {
    await openLeads()
    FakeEventSource.loseAll()
    stored.leads = [lead(3)]
    const calls = stored.calls.length
    await vi.advanceTimersByTimeAsync(10 * SECOND)
    expect(stored.calls).toHaveLength(calls)
    // After 2, 4, 8 seconds.
    expect(FakeEventSource.all).toHaveLength(2)
    for (const connections of [3, 3, 4]) {
      FakeEventSource.loseAll()
      await vi.advanceTimersByTimeAsync(4 * SECOND)
      expect(FakeEventSource.all).toHaveLength(connections)
    }
    FakeEventSource.openAll()
    await rowOf('Jordan Avery3')
    await vi.advanceTimersByTimeAsync(60 * SECOND)
    expect(stored.calls).toHaveLength(calls + 1)
  })
})
