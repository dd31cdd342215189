import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Overview } from '../../core/contract/overview.ts'
import { SECOND } from '../../core/time.ts'
import { answer, type CallName, heldAnswer, noAnswer, refusal } from './api.ts'
import { FakeEventSource } from './event-source.ts'
import { emptyDashboard, openDashboard } from './page.tsx'
import { staffAccount } from './samples.ts'

type Tab = { tab: string; call: CallName; empty: Parameters<typeof answer>[1]; failed: string; shows: string | RegExp }

const NONE = { success: 0, pending: 0, failed: 0 }
const NEVER = { count: 0, p50: null, p95: null }
const OVERVIEW: Overview = {
  from: '2026-11-01',
  to: '2026-11-01',
  totals: { received: 0, matched: 0, unmatched: 0, held: 0, matchedShare: null },
  days: [],
  deliveries: { email: NONE, crm: NONE },
  timeToDelivery: { email: NEVER, crm: NEVER },
  failures: [],
  coverage: { zips: [], totalZips: 0 },
}

const TABS: Tab[] = [
  {
    tab: 'applications',
    call: 'GET /api/provider-applications',
    empty: {
      applications: [],
      total: 0,
      counts: { new: 0, contacted: 0, approved: 0, training: 0, certified: 0, declined: 0 },
    },
    failed: 'Failed to load applications',
    shows: /No applications yet/,
  },
  {
    tab: 'activity',
    call: 'GET /api/audit-log',
    empty: { lines: [], total: 0 },
    failed: 'Failed to load the activity',
    shows: 'No activity yet.',
  },
  {
    tab: 'overview',
    call: 'GET /api/overview',
    empty: OVERVIEW,
    failed: 'Failed to load the overview',
    shows: /No leads in this period/,
  },
  {
    tab: 'staff',
    call: 'GET /api/staff',
    empty: { staff: [staffAccount(1)], shared_password: { state: 'none', can_switch_off: false } },
    failed: 'Failed to load the accounts',
    shows: staffAccount(1).name,
  },
  {
    tab: 'staff',
    call: 'GET /api/sessions',
    empty: { sessions: [] },
    failed: 'Failed to load sessions',
    shows: 'No one is signed in.',
  },
  {
    tab: 'leads&deleted=true',
    call: 'GET /api/deleted-leads',
    empty: { leads: [], total: 0 },
    failed: 'Failed to load deleted leads',
    shows: 'No deleted leads.',
  },
]

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  emptyDashboard()
  for (const { call, empty } of TABS) answer(call, empty)
})
afterEach(() => {
  vi.useRealTimers()
})

describe.each(TABS)('a tab that could not load: $call', ({ tab, call, empty, failed, shows }) => {
  it('offers to try again, and stays as it is until there is an answer', async () => {
    answer(call, noAnswer)
    const user = await openDashboard(`/admin?tab=${tab}`)
    const alert = await screen.findByRole('alert')
    within(alert).getByText(failed)

    const held = heldAnswer(empty as object)
    answer(call, held.answer)
    await user.click(within(alert).getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(within(alert).getByRole('button').getAttribute('aria-busy')).toBe('true'))
    expect(screen.getByRole('alert')).toBe(alert)

    held.release()
    await screen.findByText(shows)
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('recovers when the event stream does, and keeps what it has when it fails again', async () => {
    answer(call, noAnswer)
    await openDashboard(`/admin?tab=${tab}`)
    await screen.findByRole('alert')

    answer(call, empty)
    await reconnect()
    await screen.findByText(shows)
    expect(screen.queryByRole('alert')).toBeNull()

    answer(call, () => refusal(503, { error: 'Not now.', code: 'unavailable' }))
    await reconnect()
    within(await screen.findByRole('alert')).getByText(/Not now\./)
    screen.getByText(shows)
  })
})

/** Loses the event stream, and opens it again. */
async function reconnect(): Promise<void> {
  FakeEventSource.loseAll()
  await vi.advanceTimersByTimeAsync(3 * SECOND)
  FakeEventSource.openAll()
}
