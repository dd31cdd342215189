import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { SyncRun, SyncStatus } from '../../core/contract/sync.ts'
import { answer } from './api.ts'
import { emptyDashboard, openDashboard } from './page.tsx'
import { massDeactivation, runningSync } from './sync-page.ts'
import { syncRun, syncStatus } from './sync-samples.ts'

const TAB = '/admin?tab=providers'
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

function store(runs: SyncRun[], status: Partial<SyncStatus> = {}) {
  answer('GET /api/sync-runs', { runs, total: runs.length, status: syncStatus(status) })
}

beforeEach(() => emptyDashboard())

describe('the drawer of the sync', () => {
  it.each<[string, SyncRun[], Partial<SyncStatus>]>([
    ['Sync · last 12 minutes ago', [syncRun(7)], { last_success_at: ago(12) }],
    [
      'Sync · failed, last 12 minutes ago',
      [syncRun(8, { state: 'failed', error: 'No answer.' })],
      { last_success_at: ago(12) },
    ],
    [
      'Sync · waits for approval, last 3 hours ago',
      [massDeactivation(8)],
      { last_success_at: ago(180), needs_approval: 8 },
    ],
    ['Sync · overdue, last 3 hours ago', [syncRun(7)], { last_success_at: ago(180), is_overdue: true }],
    ['Sync · never', [], { last_success_at: null }],
    ['Sync · no WordPress', [], { is_configured: false }],
  ])('is opened by a button that says how the sync stands: %s', async (words, runs, status) => {
    store(runs, status)
    await openDashboard(TAB)
    await screen.findByRole('button', { name: words })
  })

  it('says how far a run is', async () => {
    store([runningSync(7)], { current: runningSync(7) })
    answer('GET /api/sync-runs/{id}', runningSync(7))
    await openDashboard(TAB)
    await screen.findByRole('button', { name: 'Sync · page 3 of 12' })
  })

  it('has the state and the runs, is in the address, and gives the focus back', async () => {
    store([syncRun(7)], { last_success_at: ago(12) })
    const user = await openDashboard(TAB)
    const button = await screen.findByRole('button', { name: /^Sync · last/ })
    expect(screen.queryByRole('region', { name: 'Sync Runs' })).toBeNull()
    await user.click(button)
    const drawer = within(await screen.findByRole('dialog', { name: 'Sync with WordPress' }))
    drawer.getByRole('region', { name: 'Provider Sync' })
    drawer.getByRole('columnheader', { name: 'Reactivated' })
    expect(location.search).toContain('syncs=true')
    await user.click(drawer.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(location.search).not.toContain('syncs')
    expect(document.activeElement).toBe(button)
  })
})
