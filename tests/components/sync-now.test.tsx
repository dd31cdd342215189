import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { SyncRun } from '../../core/sync/contract/sync.ts'
import { answer, heldAnswer, type MadeCall, noAnswer } from './api.ts'
import { FakeEventSource } from './event-source.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { provider } from './samples.ts'
import { massDeactivation, runningSync, syncRun, syncRunDetails, syncStatus } from './sync-samples.ts'

const TAB = '/admin?tab=providers'
const DONE = { counts: { seen: 30, created: 2 } }
const SUCCESS = ['Success', 'Successfully synced providers', '30 posts seen, 2 created.']

beforeEach(() => {
  emptyDashboard()
  know(syncRun(7))
})

/**
 * Makes the server know this run, and an older one.
 * @returns the calls for the lists of runs and for the run alone, from then on
 */
function know(run: SyncRun): Record<'lists' | 'details', MadeCall[]> {
  const status = syncStatus({
    current: run.finished_at === null ? run : null,
    needs_approval: run.state === 'needs_approval' ? run.id : null,
  })
  return {
    lists: answer('GET /api/sync-runs', { runs: [run, syncRun(6)], total: 2, status }),
    details: answer('GET /api/sync-runs/{id}', { changes: [], skipped: [], ...run }),
  }
}

/** The server knows this run, and tells open dashboards of it. */
function tell(run: SyncRun) {
  const made = know(run)
  FakeEventSource.announce({ syncs: [run.id] })
  return made
}

const syncButton = () => screen.findByRole('button', { name: 'Sync Providers' })

async function isSyncing(): Promise<void> {
  expect(await screen.findByRole('button', { name: 'Syncing...' })).toHaveProperty('disabled', true)
}

const named = (name: string) =>
  answer('GET /api/providers', ({ query }) => (query.status === 'active' ? [provider(1, { name })] : []))

describe('the button that syncs', () => {
  it('says what the sync has done, shows the providers anew, and takes no second order meanwhile', async () => {
    const held = heldAnswer({ success: true, run: syncRun(8, DONE) })
    const orders = answer('POST /api/sync', held.answer)
    const user = await openDashboard(TAB)
    await user.click(await syncButton())
    await isSyncing()
    await user.click(screen.getByRole('button', { name: /^Sync ·/ }))
    expect(screen.getByRole('button', { name: 'Dry run' })).toHaveProperty('disabled', true)
    await user.keyboard('{Escape}')
    named('Dr. Synced')
    held.release()
    await findToast(...SUCCESS)
    await screen.findByText('Dr. Synced')
    await syncButton()
    expect(orders).toHaveLength(1)
  })

  it('says why the sync has failed, and shows the providers anew all the same', async () => {
    const run = syncRun(8, { state: 'failed', error: 'WordPress is away.' })
    answer('POST /api/sync', { success: false, error: 'x', run })
    const user = await openDashboard(TAB)
    await screen.findByText('There are no active providers.')
    named('Dr. Renamed')
    await user.click(await syncButton())
    await findToast('Failed to sync providers', 'WordPress is away.')
    await screen.findByText('Dr. Renamed')
  })

  it.each([
    ['gets no answer', noAnswer],
    ['is given up by a proxy', () => new Response('<h1>Gateway Time-out</h1>', { status: 504 })],
  ])('says that the sync may go on when the call %s', async (_how, givenUp) => {
    answer('POST /api/sync', givenUp)
    const user = await openDashboard(TAB)
    await user.click(await syncButton())
    await findToast('Failed to sync providers', 'If the sync has started, it continues in the background.')
    await syncButton()
  })

  it('follows a run that takes longer than the call to its end', async () => {
    know(runningSync(8))
    const error = 'The sync is still running. It continues in the background.'
    answer('POST /api/sync', () => Response.json({ success: false, error, run: runningSync(8) }, { status: 202 }))
    const user = await openDashboard(TAB)
    await user.click(await syncButton())
    await isSyncing()
    const { details } = tell(runningSync(8, { pages_done: 4 }))
    await waitFor(() => expect(details.length).toBeGreaterThan(0))
    await isSyncing()
    tell(syncRunDetails(8, DONE))
    await findToast(...SUCCESS.slice(1))
    await syncButton()
  })
})

describe('a run that somebody else has started', () => {
  const card = () => screen.getByRole('region', { name: 'Provider Sync' })
  const runs = () => screen.getByRole('region', { name: 'Sync Runs' })

  it('is followed from its start to its end, and read out as it goes on', async () => {
    await openDashboard(`${TAB}&syncs=true`)
    await within(card()).findByText(/^Last synced/)
    // What is read out is only heard of in a live region that was there before.
    const spoken = within(card()).getByRole('status')
    tell(runningSync(8, { started_by_name: 'Ada Park', pages_done: 0, pages_total: null }))
    await within(card()).findByText('Sync by Ada Park')
    await within(card()).findByText('Contacting WordPress')
    tell(runningSync(8))
    await within(card()).findByText('Page 3 of 12')
    await within(runs()).findByText('Page 3 of 12')
    expect([spoken.isConnected, spoken.textContent]).toEqual([true, 'Sync under way: 25%'])
    tell(syncRunDetails(8, { counts: { seen: 1150, created: 4 } }))
    await within(runs()).findByText('1,150 posts seen, 4 created.')
    await waitFor(() => expect(within(card()).queryByRole('progressbar')).toBeNull())
    expect(document.querySelector('[data-sonner-toast]')).toBeNull()
  })

  it('has the lists read when it starts and ends, and not at each of its beats', async () => {
    await openDashboard(`${TAB}&syncs=true`)
    await within(card()).findByText(/^Last synced/)
    let { lists } = tell(runningSync(8, { pages_done: 1 }))
    await within(runs()).findByText('Page 1 of 12')
    expect(lists.length).toBeGreaterThan(0)
    for (const pages_done of [2, 3]) {
      const beat = tell(runningSync(8, { pages_done }))
      await within(card()).findByText(`Page ${pages_done} of 12`)
      await within(runs()).findByText(`Page ${pages_done} of 12`)
      expect([beat.lists.length, beat.details.length]).toEqual([0, 1])
    }
    lists = tell(massDeactivation(8)).lists
    await within(runs()).findByText('Needs approval')
    expect(lists.length).toBeGreaterThan(0)
  })
})
