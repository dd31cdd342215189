import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { answer, heldAnswer, noAnswer, refusal } from './api.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { provider, settings } from './samples.ts'
import { isSyncing, know, massDeactivation, syncButton, syncChange, syncRunDetails } from './sync-page.ts'
import { syncRun } from './sync-samples.ts'

const TAB = '/admin?tab=providers'
const DONE = { counts: { seen: 30, created: 2 } }
const SUCCESS = ['Successfully synced providers', '30 posts seen, 2 created.']

beforeEach(() => {
  emptyDashboard()
  answer('GET /api/settings', settings())
  know(syncRun(7))
})

describe('the button that syncs', () => {
  it('says what the sync has done, shows the providers anew, and takes no second order meanwhile', async () => {
    const held = heldAnswer({ success: true, run: syncRun(8, DONE) })
    const orders = answer('POST /api/sync', held.answer)
    const user = await openDashboard(TAB)
    await user.click(syncButton())
    await isSyncing()
    await user.click(screen.getByRole('button', { name: /^Sync ·/ }))
    expect(screen.getByRole('button', { name: 'Dry run' })).toHaveProperty('disabled', true)
    await user.keyboard('{Escape}')
    answer('GET /api/providers', ({ query }) =>
      query.status === 'active' ? [provider(1, { name: 'Dr. Synced' })] : [],
    )
    held.release()
    await findToast('Success', ...SUCCESS)
    await screen.findByText('Dr. Synced')
    syncButton()
    expect(orders).toHaveLength(1)
  })

  it('says why the sync has failed, and shows the providers anew all the same', async () => {
    answer('POST /api/sync', {
      success: false,
      error: 'x',
      run: syncRun(8, { state: 'failed', error: 'WordPress is away.' }),
    })
    const user = await openDashboard(TAB)
    await screen.findByText('There are no active providers.')
    answer('GET /api/providers', ({ query }) =>
      query.status === 'active' ? [provider(1, { name: 'Dr. Renamed' })] : [],
    )
    await user.click(syncButton())
    await findToast('Failed to sync providers', 'WordPress is away.')
    await screen.findByText('Dr. Renamed')
  })

  it('says what the server says, also where that has a fault', async () => {
    answer('POST /api/sync', () => Response.json({ error: 'Boom' }, { status: 500 }))
    const user = await openDashboard()
    await user.click(syncButton())
    await findToast('Failed to sync providers', '500: Boom')
  })

  it.each([
    ['is refused', () => refusal(409, { error: 'WordPress is not configured.', code: 'conflict' })],
    ['says so without a run', () => Response.json({ success: false, error: 'WordPress is not configured.' })],
  ])('says why nothing was started where the call %s', async (_how, reply) => {
    answer('POST /api/sync', reply)
    const user = await openDashboard()
    await user.click(syncButton())
    await findToast('Failed to sync providers', 'WordPress is not configured.')
    syncButton()
  })

  it('says so when the call did not arrive', async () => {
    answer('POST /api/sync', noAnswer)
    const user = await openDashboard()
    await user.click(syncButton())
    await findToast('Failed to sync providers')
    syncButton()
  })
})

describe('a dry run', () => {
  const TRIAL = syncRunDetails(8, {
    dry_run: true,
    counts: { seen: 2, created: 2 },
    changes: [syncChange('create', 1), syncChange('create', 2)],
  })

  it('keeps everything else waiting, is shown, and can be done', async () => {
    const held = heldAnswer({ success: true, run: TRIAL })
    answer('POST /api/sync', held.answer)
    const user = await openDashboard(`${TAB}&syncs=true`)
    await user.click(await screen.findByRole('button', { name: 'Dry run' }))
    know(TRIAL)
    held.release()
    const dialog = await screen.findByRole('dialog', { name: /^Dry run of / })
    within(dialog).getByRole('heading', { name: 'To be created (2)' })

    const orders = answer('POST /api/sync', { success: true, run: syncRun(9, DONE) })
    await user.click(within(dialog).getByRole('button', { name: 'Sync now' }))
    await findToast('Success', ...SUCCESS)
    expect(screen.queryByRole('dialog', { name: /^Dry run of / })).toBeNull()
    expect(orders).toHaveLength(1)
  })

  it('says why it has failed', async () => {
    const failed = syncRun(8, { dry_run: true, state: 'failed', error: 'WordPress is away.' })
    answer('POST /api/sync', { success: false, error: 'x', run: failed })
    const user = await openDashboard(`${TAB}&syncs=true`)
    await user.click(await screen.findByRole('button', { name: 'Dry run' }))
    await findToast('The dry run has failed', 'WordPress is away.')
  })
})

describe('a sync that would deactivate many providers', () => {
  it('asks at once, and is done when it is approved', async () => {
    answer('POST /api/sync', { success: false, error: 'x', run: massDeactivation(8) })
    const user = await openDashboard()
    know(massDeactivation(8))
    await user.click(syncButton())
    const dialog = await screen.findByRole('dialog', { name: /^Sync of / })
    expect(document.querySelector('[data-sonner-toast]')).toBeNull()

    const run = syncRun(9, { approves: 8, counts: { seen: 38, deactivated: 12 } })
    const approvals = answer('POST /api/sync-runs/{id}/approve', { success: true, run })
    await user.click(await within(dialog).findByRole('button', { name: 'Approve: deactivate 12 providers' }))
    await findToast('Successfully synced providers', '38 posts seen, 12 deactivated.')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(approvals.map(({ params }) => params)).toEqual([{ id: 8 }])
  })

  it('is left as it is by whoever leaves it', async () => {
    answer('GET /api/sync-runs/{id}', massDeactivation(8))
    const user = await openDashboard(`${TAB}&sync=8`)
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    await waitFor(() => expect(window.location.search).toBe('?tab=providers'))
  })
})
