import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SECOND } from '../../core/contract/time.ts'
import { answer, type CallName, heldAnswer, noAnswer, refusal } from './api.ts'
import { FakeEventSource } from './event-source.ts'
import { health } from './health-samples.ts'
import { overview } from './overview-samples.ts'
import { emptyDashboard, NO_APPLICATIONS, NO_ATTENTION, openDashboard } from './page.tsx'
import { staffAccount } from './samples.ts'

type Tab = { tab: string; call: CallName; full: object; failed?: string; shows: string | RegExp }

const STAFF = { staff: [staffAccount(1)], shared_password: { state: 'none', can_switch_off: false } }
const IDLE = { running: 0, last_seen_at: null, running_since: null }
const SILENT = { state: 'silent', note: 'No worker is running.', ...IDLE } as const

const row = (tab: string, call: CallName, full: object, shows: string | RegExp, failed?: string): Tab => ({
  ...{ tab, call, full, shows, failed },
})
const TABS: Tab[] = [
  row('leads', 'GET /api/leads', { leads: [], total: 0 }, /^No leads yet/, 'Failed to load leads'),
  row('leads&deleted=true', 'GET /api/deleted-leads', { leads: [], total: 0 }, 'No deleted leads.'),
  row('applications', 'GET /api/provider-applications', NO_APPLICATIONS, /^No applications yet/),
  row('activity', 'GET /api/audit-log', { lines: [], total: 0 }, 'No activity yet.', 'Failed to load the activity'),
  row('activity&log=access', 'GET /api/access-log', { lines: [], total: 0 }, 'No access yet.'),
  row('overview', 'GET /api/overview', overview(), 'Answered in time'),
  row('attention', 'GET /api/attention', NO_ATTENTION, 'Nothing needs attention.'),
  row('health', 'GET /api/integrations', health({ workers: SILENT }), 'No worker is running.'),
  row('providers', 'GET /api/network-pauses', { pauses: [], holidays: [] }, 'No pause is planned.'),
  row('staff', 'GET /api/staff', STAFF, staffAccount(1).name, 'Failed to load the accounts'),
]

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  emptyDashboard()
  for (const { call, full } of TABS) answer(call, full as never)
})
afterEach(() => {
  vi.useRealTimers()
})

it.each(TABS)(
  'a tab that could not load $call offers to try again, and stays as it is until there is an answer',
  async ({ tab, call, full, failed, shows }) => {
    answer(call, noAnswer)
    const user = await openDashboard(`/admin?tab=${tab}`)
    const alert = await screen.findByRole('alert')
    if (failed) within(alert).getByText(failed)
    const held = heldAnswer(full)
    answer(call, held.answer as never)
    await user.click(within(alert).getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(within(alert).getByRole('button').getAttribute('aria-busy')).toBe('true'))
    expect(screen.getByRole('alert')).toBe(alert)
    held.release()
    await screen.findByText(shows)
    expect(screen.queryByRole('alert')).toBeNull()
  },
)

it('a tab recovers when the event stream does, and keeps what it has when it fails again', async () => {
  const reconnect = async () => {
    FakeEventSource.loseAll()
    await vi.advanceTimersByTimeAsync(3 * SECOND)
    FakeEventSource.openAll()
  }
  answer('GET /api/audit-log', noAnswer)
  await openDashboard('/admin?tab=activity')
  await screen.findByRole('alert')
  answer('GET /api/audit-log', { lines: [], total: 0 })
  await reconnect()
  await screen.findByText('No activity yet.')
  expect(screen.queryByRole('alert')).toBeNull()
  answer('GET /api/audit-log', () => refusal(503, { error: 'Not now.', code: 'unavailable' }))
  await reconnect()
  within(await screen.findByRole('alert')).getByText(/Not now\./)
  screen.getByText('No activity yet.')
})
