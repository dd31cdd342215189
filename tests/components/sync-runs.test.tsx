import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { SyncRun, SyncRunDetails } from '../../core/contract/sync.ts'
import { answer, refusal } from './api.ts'
import { emptyDashboard, openDashboard } from './page.tsx'
import { settings, syncRun, syncStatus } from './samples.ts'
import { massDeactivation, runningSync, syncChange, syncRunDetails } from './sync-page.ts'

const TAB = '/admin?tab=providers'
const VIEWER = { id: 3, name: 'Ada Park', email: 'ada@velmora.example', role: 'viewer' } as const

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
    expect(approval.textContent).toMatch(/ at Nov 20, 2026, \d+:05:18 [AP]M, see that run$/)
    expect(cells()[1]?.[1]).toContain('Approved')
    const link = within(approval).getByRole('link', { name: 'see that run' })
    expect(link.getAttribute('href')).toBe('/admin?tab=providers&sync=8')
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
    expect(window.location.search).toBe('?tab=providers&syncs-page=2')
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
    expect(window.location.search).toBe('?tab=providers&sync=7')
    await user.click(await screen.findByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(window.location.search).toBe('?tab=providers')
  })
})

describe('a run of the sync', () => {
  it('shows what it changed, post by post, and what it skipped and why', async () => {
    const fields = [
      { field: 'phone', from: '(512) 555-0100', to: '(512) 555-0142' },
      { field: 'accepts_financing', from: false, to: true },
    ]
    const dialog = await openRun(
      syncRunDetails(7, {
        counts: {
          seen: 900,
          created: 600,
          updated: 1,
          deactivated: 2,
          reactivated: 1,
          skipped: 1,
          missing: 2,
          unreadable: 1,
        },
        leads_queued: 3,
        changes: [
          syncChange('deactivate', 1, { reason: 'inactive' }),
          syncChange('deactivate', 5, { reason: 'missing' }),
          syncChange('reactivate', 2),
          syncChange('create', 3),
          syncChange('update', 4, { fields }),
        ],
        skipped: [{ wordpress_id: 4799, title: 'Dr. Nowhere', reason: 'It has no zip code.' }],
      }),
    )
    for (const text of [
      'Done. Started by: Shared password. 3 pages read in 4.2 s.',
      '3 waiting leads looked at again, none matched so far.',
      '2 active providers are missing in WordPress. Whoever is missing in three complete syncs in a row is deactivated.',
      'WordPress counts 1 post that it does not let us read.',
      'Its post says that it is not active.',
      'It was missing in three complete syncs in a row.',
      'It has no zip code.',
      'And 599 more, which are not listed.',
      'Phone: from (512) 555-0100 → to (512) 555-0142',
      'Financing: from no → to yes',
    ])
      expect(dialog.textContent).toContain(text)
    expect(headings(dialog)).toEqual([
      'Skipped (1)',
      'Deactivated (2)',
      'Reactivated (1)',
      'Created (600)',
      'Updated (1)',
    ])
    expect(buttons(dialog)).toEqual(['Close'])
  })

  it('says why it has failed', async () => {
    const dialog = await openRun(syncRunDetails(7, { state: 'failed', error: 'WordPress did not answer.' }))
    expect(within(dialog).getByRole('alert').textContent).toBe('It has failedWordPress did not answer.')
    expect(headings(dialog)).toEqual([])
  })

  it('says how far it is while it is under way', async () => {
    const dialog = await openRun(runningSync(7))
    within(dialog).getByText('Page 3 of 12')
    expect(within(dialog).getByRole('progressbar').getAttribute('value')).toBe('3')
  })

  it('says that its deactivations were approved', async () => {
    const dialog = await openRun(syncRunDetails(8, { approves: 7, is_mass_deactivation: true }))
    expect(dialog.textContent).toContain('The deactivations were approved.')
    expect(buttons(dialog)).toEqual(['Close'])
  })

  it('says that there is no such one', async () => {
    answer('GET /api/sync-runs/{id}', () => refusal(404, { error: 'There is no such sync.', code: 'not_found' }))
    await openDashboard(`${TAB}&sync=4711`)
    await within(await screen.findByRole('dialog')).findByText('404: There is no such sync.')
  })

  it('that was dry shows what would change, and offers to do it', async () => {
    const changes = [syncChange('create', 1), syncChange('create', 2)]
    const dialog = await openRun(syncRunDetails(7, { dry_run: true, counts: { seen: 2, created: 2 }, changes }))
    expect(headings(dialog)).toEqual(['To be created (2)'])
    expect(buttons(dialog)).toEqual(['Close', 'Sync now', 'Leave it'])
  })

  it('that needs approval asks a manager for it, and can be left', async () => {
    const dialog = await openRun(massDeactivation(7))
    within(dialog).getByText('A sync would deactivate 12 providers at once.')
    expect(headings(dialog)).toEqual(['To be deactivated (12)'])
    expect(buttons(dialog)).toEqual(['Close', 'Approve: deactivate 12 providers', 'Leave it'])
  })

  it('that needs approval tells viewers who can approve it', async () => {
    emptyDashboard(VIEWER)
    const dialog = await openRun(massDeactivation(7))
    within(dialog).getByText(/, and a manager can approve it\.$/)
    expect(buttons(dialog)).toEqual(['Close'])
  })

  it('that was approved says by whom, and asks no more', async () => {
    const dialog = await openRun(massDeactivation(7, { approved: APPROVED, can_be_approved: false }))
    const words = within(dialog).getByText(/^Approved by Ada Park at /)
    expect(words.textContent).toMatch(/, see that run\. This run itself has changed nothing\.$/)
    expect(within(dialog).queryByText(/no longer be approved/)).toBeNull()
    expect(buttons(dialog)).toEqual(['Close'])
  })

  it('asks for the leads that are too old to be matched by itself', async () => {
    const old = { old_leads: 3, old_leads_before: '2026-10-24T15:00:00.000Z' }
    const dialog = await openRun(syncRunDetails(7, old))
    expect(within(dialog).getByText(/within reach of new clinics/).textContent).toBe(
      '3 requests from before Oct 24, 2026 are within reach of new clinics: match by hand.',
    )
    const link = within(dialog).getByRole('link', { name: 'match by hand' })
    expect(link.getAttribute('href')).toBe('/admin?tab=leads&asked_by_sync=7')
  })

  it('cannot be approved after a later one was applied', async () => {
    const dialog = await openRun(massDeactivation(7, { can_be_approved: false }))
    within(dialog).getByText(/It can no longer be approved/)
    expect(buttons(dialog)).toEqual(['Close'])
  })

  it('that was dry can be approved like one that needs it', async () => {
    const dialog = await openRun(massDeactivation(7, { dry_run: true, state: 'done', error: null }))
    within(dialog).getByText('A sync would deactivate 12 providers at once.')
    expect(buttons(dialog)).toEqual(['Close', 'Approve: deactivate 12 providers', 'Leave it'])
  })
})

const APPROVED = {
  id: 8,
  trigger: 'staff',
  started_by: 'ada@velmora.example',
  started_by_name: 'Ada Park',
  created_at: '2026-11-20T15:05:18.000Z',
} as const

/** Makes the server know these runs, the newest first. */
function list(runs: SyncRun[]): void {
  answer('GET /api/sync-runs', { runs, total: runs.length, status: syncStatus() })
}

/** Opens the address of a run. */
async function openRun(run: SyncRunDetails): Promise<HTMLElement> {
  answer('GET /api/sync-runs/{id}', run)
  await openDashboard(`${TAB}&sync=${run.id}`)
  return screen.findByRole('dialog', { name: run.dry_run ? /^Dry run of / : /^Sync of / })
}

const headings = (dialog: HTMLElement) =>
  within(dialog)
    .queryAllByRole('heading', { level: 3 })
    .map(({ textContent }) => textContent)

const buttons = (dialog: HTMLElement) =>
  within(dialog)
    .getAllByRole('button')
    .map(({ textContent }) => textContent)
