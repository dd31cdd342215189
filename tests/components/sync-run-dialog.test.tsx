import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { SyncRunDetails } from '../../core/contract/sync.ts'
import { answer, refusal } from './api.ts'
import { emptyDashboard, openDashboard } from './page.tsx'
import { APPROVED, massDeactivation, runningSync, syncChange, syncRunDetails } from './sync-page.ts'

const TAB = '/admin?tab=providers'
const VIEWER = { id: 3, name: 'Ada Park', email: 'ada@leadwell.example', role: 'viewer' } as const

beforeEach(() => emptyDashboard())

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
      '2 active providers are missing in WordPress. A provider missing from three complete syncs in a row is deactivated.',
      'WordPress counts 1 post that we are not allowed to read.',
      'Its post says that it is not active.',
      'It was missing from three complete syncs in a row.',
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
    expect(within(dialog).getByRole('alert').textContent).toBe('FailedWordPress did not answer.')
    expect(headings(dialog)).toEqual([])
  })

  it('says how far it is while it is under way', async () => {
    const dialog = await openRun(runningSync(7))
    within(dialog).getByText('Page 3 of 12')
    expect(within(dialog).getByRole('progressbar').getAttribute('value')).toBe('3')
  })

  it('says that its changes were approved', async () => {
    const dialog = await openRun(
      syncRunDetails(8, { approves: 7, approval_reasons: [{ kind: 'deactivate', count: 4 }] }),
    )
    expect(dialog.textContent).toContain('Its sensitive changes were approved: see run 7.')
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
    expect(buttons(dialog)).toEqual(['Close', 'Sync now', 'Cancel'])
  })

  it('that needs approval asks a manager for it, and can be left', async () => {
    const dialog = await openRun(massDeactivation(7))
    within(dialog).getByText('A sync would deactivate 12 providers at once.')
    expect(headings(dialog)).toEqual(['To be deactivated (12)'])
    expect(buttons(dialog)).toEqual(['Close', 'Approve: deactivate 12 providers', 'Cancel'])
  })

  it('says where the leads of deactivated providers would go', async () => {
    answer('GET /api/sync-runs/{id}/impact', {
      ...{ providers: 12, days: 30, leads: 118, zips: 64, elsewhere: 96, unmatched: 22, extra_miles: 34.4 },
    })
    const dialog = await openRun(massDeactivation(7))
    await within(dialog).findByText(
      'These 12 took 118 leads from 64 zip codes in 30 days. Of such leads, 96 would go elsewhere (median +34 miles), and 22 would have no clinic.',
    )
  })

  it('says so when that cannot be worked out', async () => {
    answer('GET /api/sync-runs/{id}/impact', () => refusal(500, { error: 'It is our fault.', code: 'internal' }))
    const dialog = await openRun(massDeactivation(7))
    await within(dialog).findByText(/^The effect on leads could not be worked out\. .*It is our fault/)
  })

  it('that changes addresses says so first, and what an approval means', async () => {
    const fields = [{ field: 'email', from: 'desk@clinic.example', to: 'all@thief.example' }]
    const dialog = await openRun(
      massDeactivation(7, {
        approval_reasons: [
          { kind: 'email', count: 71 },
          { kind: 'create', count: 9 },
        ],
        counts: { seen: 71, updated: 71, deactivated: 1 },
        changes: [syncChange('update', 1, { fields }), syncChange('deactivate', 2, { reason: 'inactive' })],
      }),
    )
    expect(within(dialog).getAllByRole('listitem')[0]?.textContent).toBe('change 71 e-mail addresses')
    within(dialog).getByText(/An approval also confirms the new e-mail addresses/)
    expect(headings(dialog)).toEqual(['To be updated (71)', 'To be deactivated (1)'])
    expect(dialog.textContent).toContain('from desk@clinic.example → to all@thief.example')
    expect(buttons(dialog)).toEqual(['Close', 'Approve: all of these changes', 'Cancel'])
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
    expect(words.textContent).toMatch(/, see run 8\. This run itself has changed nothing\.$/)
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
    within(dialog).getByText(/can no longer be approved/)
    expect(buttons(dialog)).toEqual(['Close'])
  })

  it('that was dry can be approved like one that needs it', async () => {
    const dialog = await openRun(massDeactivation(7, { dry_run: true, state: 'done', error: null }))
    within(dialog).getByText('A sync would deactivate 12 providers at once.')
    expect(buttons(dialog)).toEqual(['Close', 'Approve: deactivate 12 providers', 'Cancel'])
  })
})

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
