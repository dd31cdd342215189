import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { SyncRun } from '../../core/contract/sync.ts'
import { answer, noAnswer } from './api.ts'
import { FakeEventSource } from './event-source.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { isSyncing, know, massDeactivation, runningSync, syncButton, syncRunDetails } from './sync-page.ts'
import { syncRun } from './sync-samples.ts'

const DONE = { counts: { seen: 30, created: 2 } }
const SUCCESS = ['Successfully synced providers', '30 posts seen, 2 created.']
const gatewayTimeout = () => new Response('<h1>Gateway Time-out</h1>', { status: 504 })

beforeEach(() => {
  emptyDashboard()
  know(syncRun(7))
})

/** The server has this run, and tells open dashboards of it. */
function tell(run: SyncRun) {
  const calls = know(run)
  FakeEventSource.announce({ syncs: [run.id] })
  return calls
}

describe('a sync that takes longer than the call', () => {
  it('is followed to its end by events', async () => {
    know(runningSync(8))
    answer('POST /api/sync', () => stillRunning(8))
    const user = await openDashboard()
    await user.click(await screen.findByRole('button', { name: 'Sync Providers' }))
    await isSyncing()
    const { details } = tell(runningSync(8, { pages_done: 4 }))
    await waitFor(() => expect(details.length).toBeGreaterThan(0))
    await isSyncing()
    tell(syncRunDetails(8, DONE))
    await findToast(...SUCCESS)
    syncButton()
  })

  it('says why it failed', async () => {
    know(runningSync(8))
    answer('POST /api/sync', () => stillRunning(8))
    const user = await openDashboard()
    await user.click(syncButton())
    await isSyncing()
    tell(syncRunDetails(8, { state: 'failed', error: 'WordPress is away.' }))
    await findToast('Failed to sync providers', 'WordPress is away.')
  })

  it('asks at its end when it needs approval', async () => {
    know(runningSync(8))
    answer('POST /api/sync', () => stillRunning(8))
    const user = await openDashboard()
    await user.click(syncButton())
    await isSyncing()
    tell(massDeactivation(8))
    await screen.findByText('A sync would deactivate 12 providers at once.')
    expect(document.querySelector('[data-sonner-toast]')).toBeNull()
  })

  it('is read again after the event stream was lost', async () => {
    know(runningSync(8))
    answer('POST /api/sync', () => stillRunning(8))
    const user = await openDashboard()
    await user.click(syncButton())
    await isSyncing()
    know(syncRunDetails(8, DONE))
    FakeEventSource.announce({ all: true })
    await findToast(...SUCCESS)
  })

  it('does not begin for the run of somebody else', async () => {
    const { details } = know(runningSync(8))
    await openDashboard()
    await waitFor(() => expect(details).toHaveLength(1))
    const { lists } = tell(syncRunDetails(8, DONE))
    await waitFor(() => expect(lists.length).toBeGreaterThan(0))
    syncButton()
    expect(document.querySelector('[data-sonner-toast]')).toBeNull()
  })

  it.each([
    ['gets no answer', noAnswer],
    ['is given up by a proxy', gatewayTimeout],
  ])('is said to go on when the call %s', async (_how, givenUp) => {
    answer('POST /api/sync', givenUp)
    const user = await openDashboard()
    await user.click(syncButton())
    await findToast('Failed to sync providers', 'If the sync has started, it continues in the background.')
    syncButton()
  })
})

/** What the server answers when a run takes longer than a call may. */
function stillRunning(id: number): Response {
  const error = 'The sync is still running. It continues in the background.'
  return Response.json({ success: false, error, run: runningSync(id) }, { status: 202 })
}
