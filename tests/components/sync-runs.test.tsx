import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { SyncRun } from '../../core/contract/sync.ts'
import { answer } from './api.ts'
import { emptyDashboard, openDashboard } from './page.tsx'
import { settings } from './samples.ts'
import { APPROVED, massDeactivation, syncRunDetails } from './sync-page.ts'
import { syncRun, syncStatus } from './sync-samples.ts'

const TAB = '/admin?tab=providers&syncs=true'

beforeEach(() => {
  emptyDashboard()
  answer('GET /api/settings', settings())
})

describe('the table of runs', () => {
  const table = () => screen.getByRole('region', { name: 'Sync Runs' })

  /** The cells of each run but for when it was, without the labels that they have on narrow screens. */
  function cells(): (string | undefined)[][] {
    return [...table().querySelectorAll('tbody tr')].map((row) =>
      [...row.querySelectorAll('td')].slice(1).map((cell) =>
        [...cell.childNodes]
          .slice(1)
          .map(({ textContent }) => textContent)
          .join(' '),
      ),
    )
  }

  it('says of each who has started it, what it did, and what became of the leads', async () => {
    const failed = { state: 'failed', error: 'WordPress answered page 7 of 12 with 500.' } as const
    list([
      syncRun(6, failed),
      syncRun(5, { dry_run: true, counts: { seen: 120, updated: 3 } }),
      syncRun(4, {
        trigger: 'command',
        started_by: 'command line',
        counts: { seen: 1205, updated: 7, deactivated: 1, reactivated: 24 },
        leads_queued: 2,
        leads_matched: 1,
      }),
      syncRun(3, { trigger: 'schedule', started_by: null, counts: { seen: 120 } }),
      syncRun(2, { started_by_name: 'Ada Park', counts: { seen: 120, created: 118, skipped: 2 } }),
    ])
    await openDashboard(TAB)
    await waitFor(() =>
      expect(cells()).toEqual([
        ['Shared password', 'Failed WordPress answered page 7 of 12 with 500.', '-', '-', '-', '-', '-', '-', '-'],
        ['Shared password', 'Dry run', '120', '0', '3', '0', '0', '0', '-'],
        ['Command line', 'Done', '1,205', '0', '7', '1', '24', '0', '1 of 2'],
        ['Schedule', 'Done', '120', '0', '0', '0', '0', '0', '0'],
        ['Ada Park', 'Done', '120', '118', '0', '0', '0', '2', '0'],
      ]),
    )
  })

  it('says of a run that needed approval who gave it, and leads to the run of it', async () => {
    list([syncRun(8, { approves: 7 }), massDeactivation(7, { approved: APPROVED, can_be_approved: false })])
    await openDashboard(TAB)
    const approval = await within(table()).findByText(/^Approved by Ada Park at/)
    expect(approval.textContent).toMatch(/ at Nov 20, 2026, \d+:05:18 [AP]M ET, see run 8$/)
    expect(cells()[1]?.[1]).toContain('Approved')
    const link = within(approval).getByRole('link', { name: 'see run 8' })
    expect(link.getAttribute('href')).toBe('/admin?tab=providers&syncs=true&sync=8')
    expect(within(table()).queryByText('Needs approval')).toBeNull()
  })

  it('does not ask for approval where others were applied since', async () => {
    list([syncRun(8), massDeactivation(7, { can_be_approved: false })])
    await openDashboard(TAB)
    await within(table()).findByText('Not applied')
  })

  it('has pages, and which one is shown is in the address', async () => {
    const asked = answer('GET /api/sync-runs', ({ query }) => ({
      runs: [syncRun(query.page, { counts: { seen: query.page } })],
      total: 12,
      status: syncStatus(),
    }))
    const user = await openDashboard(TAB)
    await within(table()).findByText('Total: 12 runs')
    await user.click(within(table()).getByRole('button', { name: 'Next' }))
    await waitFor(() => expect(cells().map(([, , seen]) => seen)).toEqual(['2']))
    await waitFor(() => expect(window.location.search).toBe('?tab=providers&syncs=true&syncs-page=2'))
    expect(asked.at(-1)?.query).toEqual({ page: 2, limit: 10 })
  })

  it('shows the page that its address asks for', async () => {
    answer('GET /api/sync-runs', { runs: [syncRun(1)], total: 12, status: syncStatus() })
    await openDashboard(`${TAB}&syncs-page=2`)
    await within(table()).findByText('Page 2 of 2')
  })

  it('opens a run, which is in the address until it is closed', async () => {
    list([syncRun(7)])
    answer('GET /api/sync-runs/{id}', syncRunDetails(7))
    const user = await openDashboard(TAB)
    await user.click(await within(table()).findByRole('link'))
    await screen.findByRole('dialog', { name: /^Sync of Nov 20, 2026/ })
    await waitFor(() => expect(window.location.search).toBe('?tab=providers&syncs=true&sync=7'))
    await user.click(await screen.findByRole('button', { name: 'Close' }))
    await screen.findByRole('dialog', { name: 'Sync with WordPress' })
    expect(screen.queryByRole('dialog', { name: /^Sync of/ })).toBeNull()
    await waitFor(() => expect(window.location.search).toBe('?tab=providers&syncs=true'))
  })
})

/** Makes the server know these runs, the newest first. */
function list(runs: SyncRun[]): void {
  answer('GET /api/sync-runs', { runs, total: runs.length, status: syncStatus() })
}
