import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { SyncRunDetails } from '../../core/contract/sync.ts'
import { answer } from './api.ts'
import { FakeEventSource } from './event-source.ts'
import { emptyDashboard, openDashboard } from './page.tsx'
import { settings } from './samples.ts'
import { know, massDeactivation, runningSync, syncRunDetails } from './sync-page.ts'
import { syncRun } from './sync-samples.ts'

const TAB = '/admin?tab=providers&syncs=true'

beforeEach(() => {
  emptyDashboard()
  answer('GET /api/settings', settings())
  know(syncRun(7))
})

describe('a run that somebody else has started', () => {
  it('is followed from its start to its end', async () => {
    await openDashboard(TAB)
    await within(card()).findByText(/^The last sync:/)
    // What is read out is only heard of in a live region that was there before.
    const spoken = within(card()).getByRole('status')
    tell(runningSync(8, { started_by_name: 'Ada Park', pages_done: 0, pages_total: null }))
    await within(card()).findByText('Sync by Ada Park')
    await within(card()).findByText('Contacting WordPress')

    tell(runningSync(8, { started_by_name: 'Ada Park' }))
    await within(card()).findByText('Page 3 of 12')
    await within(runs()).findByText('Page 3 of 12')
    expect(within(card()).getByRole('progressbar').getAttribute('value')).toBe('3')
    expect(spoken.isConnected).toBe(true)
    expect(spoken.textContent).toBe('Sync under way: 25%')

    tell(syncRunDetails(8, { counts: { seen: 1150, created: 4 } }))
    await within(card()).findByText(/^The last sync: 1,150 posts seen, 4 created\./)
    await waitFor(() => expect(within(card()).queryByRole('progressbar')).toBeNull())
  })

  it('has the lists read when it starts and ends, and not at each of its beats', async () => {
    await openDashboard(TAB)
    await within(card()).findByText(/^The last sync:/)
    let { lists } = tell(runningSync(8, { pages_done: 1 }))
    await within(card()).findByText('Page 1 of 12')
    await within(runs()).findByText('Page 1 of 12')
    expect(lists.length).toBeGreaterThan(0)

    for (const pages_done of [2, 3, 4]) {
      const beat = tell(runningSync(8, { pages_done }))
      await within(card()).findByText(`Page ${pages_done} of 12`)
      await within(runs()).findByText(`Page ${pages_done} of 12`)
      expect([beat.lists.length, beat.details.length]).toEqual([0, 1])
    }

    lists = tell(massDeactivation(8)).lists
    await screen.findByText('A sync waits for approval')
    await within(runs()).findByText('Needs approval')
    expect(lists.length).toBeGreaterThan(0)
  })

  it('has the lists read on the other tabs as well, when it ends', async () => {
    await openDashboard('/admin')
    await screen.findByRole('tab', { name: 'Providers (0)' })
    const { details } = tell(runningSync(8))
    await waitFor(() => expect(details).toHaveLength(1))
    tell(massDeactivation(8))
    await screen.findByText('A sync waits for approval')
  })
})

/**
 * Has the server say that this has become of a run.
 * @returns what is read from then on
 */
function tell(run: SyncRunDetails) {
  const made = know(run)
  FakeEventSource.announce({ syncs: [run.id] })
  return made
}

const card = () => screen.getByRole('region', { name: 'Provider Sync' })
const runs = () => screen.getByRole('region', { name: 'Sync Runs' })
