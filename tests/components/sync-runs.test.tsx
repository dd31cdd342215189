import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { SyncRun, SyncRunDetails, SyncStatus } from '../../core/sync/contract/sync.ts'
import { answer } from './api.ts'
import { emptyDashboard, openDashboard } from './page.tsx'
import { massDeactivation, syncChange, syncRun, syncRunDetails, syncStatus } from './sync-samples.ts'

const TAB = '/admin?tab=providers'
const DRAWER = `${TAB}&syncs=true`
const FAILED = { state: 'failed', error: 'WordPress did not answer. Nothing was changed.' } as const
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const THREE_HOURS = { last_success_at: ago(180) }
/** The run by which Ada Park approved another one. */
const APPROVED = {
  ...({ id: 8, trigger: 'staff', started_by: 'ada@leadwell.example', started_by_name: 'Ada Park' } as const),
  created_at: '2026-11-20T15:05:18.000Z',
}
const card = () => screen.getByRole('region', { name: 'Provider Sync' })
const runs = () => screen.getByRole('region', { name: 'Sync Runs' })
const says = (text: string | RegExp) => waitFor(() => expect(card().textContent).toMatch(text))

beforeEach(() => emptyDashboard())
/** Makes the server know these runs, the newest first. */
function store(list: SyncRun[], status: Partial<SyncStatus> = {}) {
  return answer('GET /api/sync-runs', { runs: list, total: list.length, status: syncStatus(status) })
}

describe('the drawer of the sync', () => {
  it.each<[string, SyncRun[], Partial<SyncStatus>]>([
    ['Sync · last 12 minutes ago', [syncRun(7)], { last_success_at: ago(12) }],
    ['Sync · failed, last 12 minutes ago', [syncRun(8, FAILED)], { last_success_at: ago(12) }],
    ['Sync · waits for approval, last 3 hours ago', [massDeactivation(8)], { ...THREE_HOURS, needs_approval: 8 }],
    ['Sync · overdue, last 3 hours ago', [syncRun(7)], { ...THREE_HOURS, is_overdue: true }],
    ['Sync · never', [], { last_success_at: null }],
    ['Sync · no WordPress', [], { is_configured: false }],
  ])('is opened by a button that says how the sync stands: %s', async (words, list, status) => {
    store(list, status)
    await openDashboard(TAB)
    await screen.findByRole('button', { name: words })
  })

  it('is in the address, and gives the focus back', async () => {
    store([syncRun(7)])
    const user = await openDashboard(TAB)
    const button = await screen.findByRole('button', { name: /^Sync · last/ })
    await user.click(button)
    const drawer = within(await screen.findByRole('dialog', { name: 'Sync with WordPress' }))
    await waitFor(() => expect(location.search).toContain('syncs=true'))
    await user.click(drawer.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(location.search).not.toContain('syncs'))
    expect(document.activeElement).toBe(button)
  })

  it('says when the last sync was, when the next will be, and what it did', async () => {
    const next = { schedule: '0 3 * * *', next_at: '2030-01-01T03:00:00.000Z' }
    const trial = syncRun(8, { dry_run: true, counts: { seen: 2, created: 2 } })
    const last = syncRun(7, { counts: { seen: 120, created: 118, skipped: 2 } })
    store([trial, last], { last_success_at: ago(5), ...next })
    await openDashboard(DRAWER)
    await says(/Last synced 5 minutes ago\. The next sync is due Dec 31, 2029, 10:00:00 PM ET/)
    await within(runs()).findByText('120 posts seen, 118 created, 2 posts skipped.')
  })

  it('changes nothing for viewers', async () => {
    emptyDashboard({ role: 'viewer' })
    store([massDeactivation(7)])
    await openDashboard(DRAWER)
    await within(runs()).findByText('Needs approval')
    expect(screen.queryByRole('button', { name: /sync|dry run/i })).toBeNull()
  })
})

describe('the table of runs', () => {
  /** The cells of each run but for when it was, without the labels that they have on narrow screens. */
  const cells = () =>
    [...runs().querySelectorAll('tbody tr')].map((row) =>
      [...row.querySelectorAll('td')].slice(1).map((cell) => {
        const [, ...shown] = cell.childNodes
        return shown.map(({ textContent }) => textContent).join(' ')
      }),
    )

  it('says of each who has started it, what it did, and what became of the leads', async () => {
    const command = { trigger: 'command', started_by: 'command line', leads_queued: 2, leads_matched: 1 } as const
    store([
      syncRun(6, FAILED),
      syncRun(5, { dry_run: true, counts: { seen: 120, updated: 3 } }),
      syncRun(4, { ...command, counts: { seen: 1205, updated: 7, deactivated: 1, reactivated: 24 } }),
      syncRun(2, { started_by_name: 'Ada Park', counts: { seen: 120, created: 118, skipped: 2 } }),
    ])
    await openDashboard(DRAWER)
    const seen = '1,205 posts seen, 7 updated, 1 deactivated, 24 reactivated.'
    await waitFor(() =>
      expect(cells()).toEqual([
        ['Shared password', `Failed ${FAILED.error}`],
        ['Shared password', 'Dry run 120 posts seen, 3 to update.'],
        ['Command line', `Done ${seen}2 waiting leads checked again, 1 matched so far.`],
        ['Ada Park', 'Done 120 posts seen, 118 created, 2 posts skipped.'],
      ]),
    )
  })

  it('says of a run that needed approval who gave it, and leads to the run of it', async () => {
    store([syncRun(8, { approves: 7 }), massDeactivation(7, { approved: APPROVED, can_be_approved: false })])
    await openDashboard(DRAWER)
    const approval = await within(runs()).findByText(/^Approved by Ada Park at/)
    const link = within(approval).getByRole('link', { name: 'see run 8' })
    expect(link.getAttribute('href')).toBe('/admin?tab=providers&syncs=true&sync=8')
    expect(within(runs()).queryByText('Needs approval')).toBeNull()
  })

  it('opens a run, which is in the address until it is closed', async () => {
    store([syncRun(7)])
    answer('GET /api/sync-runs/{id}', syncRunDetails(7))
    const user = await openDashboard(DRAWER)
    await user.click(await within(runs()).findByRole('link', { name: /^Nov 20/ }))
    await screen.findByRole('dialog', { name: /^Sync of Nov 20, 2026/ })
    await waitFor(() => expect(window.location.search).toBe('?tab=providers&syncs=true&sync=7'))
    await user.click(await screen.findByRole('button', { name: 'Close' }))
    await screen.findByRole('dialog', { name: 'Sync with WordPress' })
    await waitFor(() => expect(window.location.search).toBe('?tab=providers&syncs=true'))
  })
})

describe('a run of the sync', () => {
  async function openRun(run: SyncRunDetails): Promise<HTMLElement> {
    answer('GET /api/sync-runs/{id}', run)
    await openDashboard(`${TAB}&sync=${run.id}`)
    return screen.findByRole('dialog', { name: run.dry_run ? /^Dry run of / : /^Sync of / })
  }
  const textsOf = (elements: HTMLElement[]) => elements.map(({ textContent }) => textContent)
  const headings = (dialog: HTMLElement) => textsOf(within(dialog).queryAllByRole('heading', { level: 3 }))
  const buttons = (dialog: HTMLElement) =>
    within(dialog)
      .getAllByRole('button')
      .map((button) => button.getAttribute('aria-label') ?? button.textContent)

  it('shows what it changed, post by post, and what it skipped and why', async () => {
    const fields = [{ field: 'accepts_financing', from: false, to: true }]
    const dialog = await openRun(
      syncRunDetails(7, {
        counts: { seen: 900, created: 600, updated: 1, deactivated: 2, skipped: 1, missing: 2, unreadable: 1 },
        ...{ leads_queued: 3, old_leads: 3, old_leads_before: '2026-10-24T15:00:00.000Z' },
        changes: [
          syncChange('deactivate', 1, { reason: 'inactive' }),
          syncChange('deactivate', 5, { reason: 'missing' }),
          syncChange('create', 3),
          syncChange('update', 4, { fields }),
        ],
        skipped: [{ wordpress_id: 4799, title: 'Dr. Nowhere', reason: 'It has no zip code.' }],
      }),
    )
    for (const text of [
      'Done. Started by: Shared password. 3 pages read in 4.2 s.',
      '3 waiting leads checked again, none matched so far.',
      '2 active providers are missing in WordPress. A provider missing from three complete syncs in a row is deactivated.',
      'WordPress counts 1 post that we may not read.',
      'Marked inactive in WordPress.',
      'It was missing from three complete syncs in a row.',
      'It has no zip code.',
      'And 599 more, which are not listed.',
      'Financing: from no → to yes',
      '3 requests from before Oct 24, 2026 are within reach of new providers: match by hand.',
    ])
      expect(dialog.textContent).toContain(text)
    const link = within(dialog).getByRole('link', { name: 'match by hand' })
    expect(link.getAttribute('href')).toBe('/admin?tab=leads&asked_by_sync=7')
    expect(headings(dialog)).toEqual(['Skipped (1)', 'Deactivated (2)', 'Created (600)', 'Updated (1)'])
    expect(buttons(dialog)).toEqual(['Close'])
  })

  it('that needs approval asks a manager, and says where the leads of deactivated providers would go', async () => {
    const leads = { leads: 118, zips: 64, elsewhere: 96, unmatched: 22, extra_miles: 34.4 }
    const dialog = await openRun(massDeactivation(7, { impact: { providers: 12, days: 30, ...leads } }))
    within(dialog).getByText('A sync would deactivate 12 providers at once.')
    await within(dialog).findByText(
      'These 12 took 118 leads from 64 zip codes in 30 days. Of such leads, 96 would go elsewhere (median +34 miles), and 22 would have no provider.',
    )
    expect(headings(dialog)).toEqual(['To be deactivated (12)'])
    expect(buttons(dialog)).toEqual(['Close', 'Approve: deactivate 12 providers', 'Cancel'])
  })

  it('that changes addresses says so first, and what an approval means', async () => {
    const fields = [{ field: 'email', from: 'desk@clinic.example', to: 'all@thief.example' }]
    const dialog = await openRun(
      massDeactivation(7, {
        approval_reasons: [
          { kind: 'email', count: 71 },
          { kind: 'create', count: 9 },
        ],
        counts: { seen: 71, updated: 71 },
        changes: [syncChange('update', 1, { fields })],
      }),
    )
    expect(within(dialog).getAllByRole('listitem')[0]?.textContent).toBe('change 71 email addresses')
    within(dialog).getByText(/An approval also confirms the new email addresses/)
    expect(dialog.textContent).toContain('from desk@clinic.example → to all@thief.example')
    expect(buttons(dialog)).toEqual(['Close', 'Approve: all of these changes', 'Cancel'])
  })

  it.each([
    ['tells viewers who can approve it', /, and a manager can approve it\.$/, { role: 'viewer' } as const, {}],
    ['cannot be approved after a later one was applied', /can no longer be approved/, {}, { can_be_approved: false }],
    ['was approved asks no more', /^Approved by Ada Park at /, {}, { approved: APPROVED, can_be_approved: false }],
  ])('that needs approval, and %s, has no button for it', async (_, words, person, run) => {
    emptyDashboard(person)
    const dialog = await openRun(massDeactivation(7, run))
    within(dialog).getByText(words)
    expect(buttons(dialog)).toEqual(['Close'])
  })
})
