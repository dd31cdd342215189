import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { SECOND } from '../../core/contract/time.ts'
import type { DeletedLead } from '../../core/leads/contract/lead-changes.ts'
import { UNDO_SECONDS } from '../../core/leads/contract/lead-changes.ts'
import type { Lead, ListedLead } from '../../core/leads/contract/leads.ts'
import { answer, type CallName, heldAnswer, type MadeCall, refusal } from './api.ts'
import { runningBulk } from './bulk.ts'
import { FakeEventSource } from './event-source.ts'
import { chooseInRow, openLeads, rowOf, shownLeads, storeLeads } from './leads-page.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { lead, leadDetails } from './samples.ts'

beforeEach(() => emptyDashboard())

const press = (name: string) => (user: UserEvent, row: HTMLElement) =>
  user.click(within(row).getByRole('button', { name }))
const ids = (calls: MadeCall[]) => calls.map(({ params }) => params.id)
const failed = (id: number, overrides: Partial<ListedLead> = {}) =>
  lead(id, { crm_sync_status: 'failed', ...overrides })
const toasts = () => document.querySelectorAll('[data-sonner-toast][data-removed="false"]')

const ACTS: [CallName, Partial<Lead>, act: (user: UserEvent, row: HTMLElement) => Promise<void>, string, string][] = [
  [
    ...(['POST /api/leads/{id}/retry-email', {}, press('Resend Email')] as const),
    ...(['Successfully retried email', 'Failed to retry email'] as const),
  ],
  [
    ...(['POST /api/leads/{id}/retry-sync', { crm_sync_status: 'failed' }, press('Retry CRM Sync')] as const),
    ...(['Successfully retried CRM sync', 'Failed to retry CRM sync'] as const),
  ],
  [
    ...(['POST /api/leads/{id}/release', { held_reason: 'too_fast' }, press('Release')] as const),
    ...(['Lead released', 'Failed to release lead'] as const),
  ],
  [
    ...([
      'DELETE /api/leads/{id}',
      {},
      (user: UserEvent, row: HTMLElement) => chooseInRow(user, row, 'Delete'),
    ] as const),
    ...(['Lead deleted successfully', 'Failed to delete lead'] as const),
  ],
]
it.each(ACTS)('%s says why it was refused, or reports success, and reads the leads again', async (...act) => {
  const [call, given, perform, done, failed] = act
  const stored = storeLeads(lead(7, given), lead(8), lead(9))
  answer(call, () => {
    stored.leads = [lead(7, given), lead(8)]
    return refusal(404, { error: 'There is no such lead. It may have been deleted.', code: 'not_found' })
  })
  const user = await openDashboard()
  await perform(user, await rowOf('Jordan Avery7'))
  await findToast(failed, '404: There is no such lead. It may have been deleted.')
  await screen.findByText('Total: 2 leads')
  const made = answer(call, () => {
    stored.leads = [lead(8)]
    return { success: true }
  })
  await perform(user, await rowOf('Jordan Avery7'))
  await findToast('Success', done)
  expect(ids(made)).toEqual([7])
  await screen.findByText('Total: 1 leads')
})

describe('releasing a lead', () => {
  it('whose person has sent another request says so first, and does nothing when that is canceled', async () => {
    storeLeads(lead(7, { held_reason: 'too_fast' }))
    const clinic = { provider_id: 2, provider_name: 'Dr. Rosa Quill', held_reason: null }
    const samePerson = [{ id: 9, created_at: '2026-11-22T15:00:00.000Z', ...clinic }]
    answer('GET /api/leads/{id}/candidates', { candidates: [], radiusMiles: 100, samePerson, next: null })
    const made = answer('POST /api/leads/{id}/release', { success: true })
    const user = await openDashboard()
    const open = async () => {
      await press('Release')(user, await rowOf('Jordan Avery7'))
      return within(await screen.findByRole('dialog', { name: 'Release this lead?' }))
    }
    const dialog = await open()
    dialog.getByText('The same person sent request #9 on Nov 22, 2026, which Dr. Rosa Quill has.')
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(made).toEqual([])
    await user.click((await open()).getByRole('button', { name: 'Release anyway' }))
    await findToast('Success', 'Lead released')
    expect(ids(made)).toEqual([7])
  })

  it('whose consent is not proved needs the way in which it was given', async () => {
    storeLeads(lead(7, { held_reason: 'other_site' }))
    const calls = answer('POST /api/leads/{id}/release', { success: true })
    const user = await openDashboard()
    await user.click(within(await rowOf('Jordan Avery7')).getByRole('button', { name: 'Release...' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'How was consent given?' }))
    const confirm = dialog.getByRole('button', { name: 'Release' })
    expect(confirm.hasAttribute('disabled')).toBe(true)
    await user.click(dialog.getByRole('radio', { name: 'I called, read this aloud, and the person agreed' }))
    await user.click(confirm)
    await waitFor(() => expect(calls).toMatchObject([{ body: { consent: 'read_aloud' } }]))
    await screen.findByRole('button', { name: /^Undo/ })
  })
})

describe('a retry', () => {
  it('says “Retrying...” until the attempt has ended, and keeps a row in its place that leaves the filter', async () => {
    const stored = storeLeads(failed(1), failed(2), failed(3))
    answer('GET /api/leads/{id}', () => leadDetails(2, { crm_sync_status: 'pending' }))
    const held = heldAnswer({ success: true })
    const calls = answer('POST /api/leads/{id}/retry-sync', held.answer)
    const user = await openDashboard('/admin?failed=true')
    const row = within(await rowOf('Jordan Avery2'))
    await user.click(row.getByRole('button', { name: 'Retry CRM Sync' }))
    await row.findByText('Retrying...')
    expect(calls[0]?.query.wait).toBeGreaterThan(0)
    stored.leads = [failed(1), failed(3)]
    FakeEventSource.announce({ leads: [2] })
    await screen.findByText('Total: 2 leads')
    expect(shownLeads()).toEqual(['Jordan Avery1', 'Jordan Avery2', 'Jordan Avery3'])
    expect(toasts()).toHaveLength(0)
    held.release()
    await findToast('Success')
    expect(toasts()).toHaveLength(1)
    await waitFor(() => expect(shownLeads()).toEqual(['Jordan Avery1', 'Jordan Avery3']))
  })

  const next_attempt_at = new Date().toISOString()
  const REFUSED = 'It answered 400. It said: “contact_type is required”'
  it.each([
    [{ success: false, error: REFUSED }, /Failed to retry CRM sync.*contact_type/],
    [
      { success: true, waiting: { error: 'The server is busy.', next_attempt_at } },
      /Trying again at \d{1,2}:\d\d [AP]M ET.*The server is busy\./,
    ],
    [
      { success: true, waiting: { error: null, next_attempt_at, is_paused: true } },
      /Waiting.*Sending is paused until \d{1,2}:\d\d [AP]M ET\./,
    ],
    [{ success: true, waiting: { error: null, next_attempt_at: null } }, /Still waiting.*Waiting for a worker\./],
  ])('says what became of it: %j', async (reply, words) => {
    storeLeads(failed(1))
    answer('POST /api/leads/{id}/retry-sync', reply)
    const user = await openDashboard()
    await press('Retry CRM Sync')(user, await rowOf('Jordan Avery1'))
    expect((await findToast()).textContent).toMatch(words)
    expect(toasts()).toHaveLength(1)
  })

  it('of many keeps its rows until it has ended, counts the outcomes, and names what was refused until it is closed', async () => {
    const stored = storeLeads(failed(1), failed(2), failed(3))
    const user = await openLeads('/admin?failed=true')
    const bulk = runningBulk('retry-sync', 3)
    const calls = answer('POST /api/leads/bulk', () => {
      stored.leads = [failed(2)]
      return { id: bulk.id }
    })
    await user.click(screen.getByRole('checkbox', { name: 'Select every lead on this page' }))
    const bar = within(screen.getByRole('region', { name: 'Chosen leads' }))
    await user.click(bar.getByRole('button', { name: 'Retry CRM Sync' }))
    expect(calls.map(({ body }) => body)).toEqual([{ action: 'retry-sync', ids: [1, 2, 3] }])
    FakeEventSource.announce({ leads: [1, 3] })
    await screen.findByText('Total: 1 leads')
    expect(shownLeads()).toEqual(['Jordan Avery1', 'Jordan Avery2', 'Jordan Avery3'])
    within(await rowOf('Jordan Avery1')).getByText('Retrying...')
    const failure = { position: 1, lead_id: 2, subject: null, name: 'Jordan Avery2', error: REFUSED }
    bulk.end({ succeeded: 1, failed: 1, waiting: 1, failures: [failure] })
    const report = within(await screen.findByRole('alert', { name: 'What failed' }))
    report.getByText('CRM sync of 3 leads: 1 delivered, 1 refused, 1 waiting')
    report.getByText('What is waiting is retried automatically.')
    expect(report.getByRole('listitem').textContent).toBe(`Jordan Avery2 ${REFUSED}`)
    expect(toasts()).toHaveLength(0)
    await waitFor(() => expect(shownLeads()).toEqual(['Jordan Avery2']))
    await user.click(report.getByRole('button', { name: 'Close report' }))
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

describe('a deletion', () => {
  beforeEach(() => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    return () => vi.useRealTimers()
  })

  /** Deletes the first of two leads. The restorations are answered with this. */
  async function openAndDelete(restored: () => unknown = () => ({ success: true })) {
    const stored = storeLeads(lead(1), lead(2))
    answer('DELETE /api/leads/{id}', () => {
      stored.leads = [lead(2)]
      return { success: true }
    })
    const restorations = answer('POST /api/leads/{id}/restore', () => {
      stored.leads = [lead(1), lead(2)]
      return restored() as { success: true }
    })
    const user = await openDashboard()
    await chooseInRow(user, await rowOf('Jordan Avery1'), 'Delete')
    const undo = await screen.findByRole('button', { name: 'Undo' })
    await waitFor(() => expect(shownLeads()).toEqual(['Jordan Avery2']))
    return { user, undo, restorations }
  }

  it.each(['the button', 'the key u, once'])('is taken back by %s', async (way) => {
    const { user, undo, restorations } = await openAndDelete()
    if (way === 'the button') await user.click(undo)
    else await user.keyboard('u')
    await findToast('Success', '1 lead restored successfully')
    await user.keyboard('u')
    await waitFor(() => expect(shownLeads()).toEqual(['Jordan Avery1', 'Jordan Avery2']))
    expect(ids(restorations)).toEqual([1])
  })

  it('can be taken back for ten seconds, which are counted down', async () => {
    const { user, undo, restorations } = await openAndDelete()
    await vi.advanceTimersByTimeAsync((UNDO_SECONDS - 2) * SECOND)
    await waitFor(() => expect(undo.textContent).toMatch(/^Undo[12]$/))
    await vi.advanceTimersByTimeAsync(2 * SECOND)
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull())
    await user.keyboard('u')
    expect(restorations).toEqual([])
  })

  it('says so when it cannot be taken back', async () => {
    const error = 'It is too late to restore this lead.'
    const { user, undo } = await openAndDelete(() => refusal(409, { error, code: 'conflict' }))
    await user.click(undo)
    await findToast('Failed to restore lead', `409: ${error}`)
  })
})

describe('the deleted leads', () => {
  const VIEW = '/admin?tab=leads&deleted=true'
  const store = () => {
    const times = { deleted_at: '2026-11-21T15:00:00.000Z', purged_at: '2026-12-21T15:00:00.000Z' }
    const leads: DeletedLead[] = [lead(7), lead(8)].map(
      ({ id, first_name, last_name, email, phone, zip_code, created_at }) => ({
        ...{ id, first_name, last_name, email, phone, zip_code, created_at, ...times },
      }),
    )
    answer('GET /api/deleted-leads', () => ({ leads, total: leads.length }))
    return ({ params }: MadeCall) => {
      leads.splice(0, leads.length, ...leads.filter(({ id }) => id !== params.id))
      return { success: true as const }
    }
  }
  const rowOfDeleted = async (id: number) =>
    within((await screen.findByText(`Jordan Avery${id}`)).closest('tr') as HTMLElement)

  it('are restored, or deleted permanently after a question', async () => {
    const remove = store()
    const restored = answer('POST /api/leads/{id}/restore', remove)
    const purged = answer('DELETE /api/deleted-leads/{id}', remove)
    const user = await openDashboard(VIEW)
    await user.click((await rowOfDeleted(7)).getByRole('button', { name: 'Restore Jordan Avery7' }))
    await findToast('Success', '1 lead restored successfully')
    await waitFor(() => expect(screen.queryByText('Jordan Avery7')).toBeNull())
    await user.click((await rowOfDeleted(8)).getByRole('button', { name: 'Delete permanently: Jordan Avery8' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Delete Jordan Avery8 permanently?' }))
    expect(purged).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Delete permanently' }))
    await findToast('Success', 'Lead permanently deleted')
    await screen.findByText('No deleted leads.')
    expect([ids(restored), ids(purged), screen.queryByRole('dialog')]).toEqual([[7], [8], null])
  })

  it('cannot be changed by viewers', async () => {
    emptyDashboard({ role: 'viewer' })
    store()
    await openDashboard(VIEW)
    expect((await rowOfDeleted(7)).queryAllByRole('button')).toEqual([])
  })
})
