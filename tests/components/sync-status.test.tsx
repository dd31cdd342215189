import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { SyncRun, SyncStatus } from '../../core/contract/sync.ts'
import { answer, heldAnswer, refusal } from './api.ts'
import { emptyDashboard, openDashboard } from './page.tsx'
import { settings } from './samples.ts'
import { massDeactivation } from './sync-page.ts'
import { syncRun, syncStatus } from './sync-samples.ts'

const TAB = '/admin?tab=providers&syncs=true'
const VIEWER = { id: 3, name: 'Ada Park', email: 'ada@leadwell.example', role: 'viewer' } as const
const FAILED = { state: 'failed', error: 'WordPress did not answer. Nothing was changed.' } as const
const TRIAL = syncRun(8, { dry_run: true, counts: { seen: 2, created: 2 } })

beforeEach(() => {
  emptyDashboard()
  answer('GET /api/settings', settings())
})

/** Makes the server know these runs, the newest first. */
function store(runs: SyncRun[], status: Partial<SyncStatus> = {}) {
  return answer('GET /api/sync-runs', { runs, total: runs.length, status: syncStatus(status) })
}

const card = () => screen.getByRole('region', { name: 'Provider Sync' })
const runs = () => screen.getByRole('region', { name: 'Sync Runs' })
const says = (text: string | RegExp) => waitFor(() => expect(card().textContent).toMatch(text))

describe('how the sync of providers stands', () => {
  it('is explained before the first time', async () => {
    store([], { last_success_at: null, schedule: '0 3 * * *', is_overdue: true })
    await openDashboard(TAB)
    await says(
      /never been synced\. Before the first sync, a dry run shows .* The schedule starts after the first sync\./,
    )
    within(card()).getByRole('button', { name: 'Dry run' })
    screen.getByText('No sync has succeeded yet. The schedule starts after the first one.')
    await within(runs()).findByText('No sync has run yet.')
  })

  it('is when it was, when it will be, and what it did', async () => {
    const minutesAgo = new Date(Date.now() - 5 * 60_000).toISOString()
    const next_at = '2030-01-01T03:00:00.000Z'
    const last = syncRun(7, { counts: { seen: 120, created: 118, skipped: 2 } })
    store([last], { last_success_at: minutesAgo, schedule: '0 3 * * *', next_at })
    await openDashboard(TAB)
    await says(/Last synced 5 minutes ago\. The next sync is due Dec 31, 2029, 10:00:00 PM ET/)
    await says('The last sync: 120 posts seen, 118 created, 2 posts skipped.')
    within(card()).getByRole('link', { name: 'See the run' })
  })

  it('is without a schedule where there is none', async () => {
    await openDashboard(TAB)
    await says('There is no schedule: it runs only on demand.')
  })

  it('is why the last one has failed', async () => {
    store([syncRun(8, FAILED), syncRun(7)])
    await openDashboard(TAB)
    await says('The last sync has failed. WordPress did not answer. Nothing was changed.')
    expect(card().textContent).toMatch(/Last successful sync: .* ago\./)
  })

  it('asks about leads that are too old to be matched by itself', async () => {
    store([syncRun(8, FAILED), syncRun(7, { old_leads: 1, old_leads_before: '2026-10-24T15:00:00.000Z' })])
    await openDashboard(TAB)
    await says('1 request from before Oct 24, 2026 is within reach of new clinics: match by hand.')
  })

  it('is what the last sync did, and not what a later dry run would do', async () => {
    store([TRIAL, syncRun(7, { counts: { seen: 5 } })])
    await openDashboard(TAB)
    await says('The last sync: 5 posts seen, nothing changed.')
  })

  it('is what the dry run would do before the first time', async () => {
    store([TRIAL], { last_success_at: null })
    await openDashboard(TAB)
    await says('The last dry run: 2 posts seen, 2 to create. See what would change')
  })

  it('is nothing where no WordPress is connected', async () => {
    store([], { is_configured: false, last_success_at: null })
    await openDashboard(TAB)
    await says('No WordPress site is connected, so the providers stay as they are.')
    expect(screen.queryByRole('button', { name: 'Dry run' })).toBeNull()
  })

  it('can be looked at by viewers, who change nothing', async () => {
    emptyDashboard(VIEWER)
    store([massDeactivation(7)])
    await openDashboard(TAB)
    await says('The last sync waits for approval.')
    expect(screen.queryByRole('button', { name: /sync|dry run/i })).toBeNull()
  })

  it('has its place while it is being loaded', async () => {
    const held = heldAnswer({ runs: [], total: 0, status: syncStatus({ last_success_at: null }) })
    answer('GET /api/sync-runs', held.answer)
    await openDashboard(TAB)
    expect(runs().querySelector('[aria-busy=true]')).not.toBeNull()
    held.release()
    await says('never been synced')
    await waitFor(() => expect(runs().querySelector('[aria-busy=true]')).toBeNull())
  })

  it('is loaded again when asked, where it could not be', async () => {
    answer('GET /api/sync-runs', () => refusal(503, { error: 'Not now.', code: 'unavailable' }))
    const user = await openDashboard(TAB)
    await says('Failed to load the sync status503: Not now.')
    await within(runs()).findByText('503: Not now.')
    store([], { last_success_at: null })
    await user.click(within(card()).getByRole('button', { name: 'Try again' }))
    await says('never been synced')
    await user.click(within(runs()).getByRole('button', { name: 'Try again' }))
    await within(runs()).findByText('No sync has run yet.')
  })
})

describe('on every tab', () => {
  it('it says that the providers may be out of date', async () => {
    store([syncRun(8, FAILED)], { last_success_at: '2020-05-05T12:00:00.000Z', is_overdue: true })
    const user = await openDashboard('/admin')
    await screen.findByText('The providers may be out of date')
    screen.getByText(
      /^The last successful sync was on May 5, 2020, .* and two scheduled syncs have been missed since then\.$/,
    )
    await user.click(screen.getByRole('link', { name: 'See the sync' }))
    await says('WordPress did not answer. Nothing was changed.')
    expect(screen.queryByRole('link', { name: 'See the sync' })).toBeNull()
  })

  it('it says that a sync waits for approval, and leads to what it would change', async () => {
    store([massDeactivation(7)], { needs_approval: 7 })
    answer('GET /api/sync-runs/{id}', massDeactivation(7))
    const user = await openDashboard('/admin')
    await screen.findByText('A sync waits for approval')
    await user.click(screen.getByRole('link', { name: 'See what it would change' }))
    await screen.findByRole('heading', { name: 'To be deactivated (12)' })
  })

  it('it says nothing where all is well', async () => {
    await openDashboard('/admin')
    await screen.findByRole('tab', { name: 'Providers (0)' })
    expect(screen.queryByText('The providers may be out of date')).toBeNull()
    expect(screen.queryByText('A sync waits for approval')).toBeNull()
  })
})
