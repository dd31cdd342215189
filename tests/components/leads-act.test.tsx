import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { DeletedLead } from '../../core/leads/contract/lead-changes.ts'
import { UNDO_SECONDS } from '../../core/leads/contract/lead-changes.ts'
import type { Lead, ListedLead } from '../../core/leads/contract/leads.ts'
import { SECOND } from '../../core/time.ts'
import { answer, type CallName, heldAnswer, type MadeCall, refusal } from './api.ts'
import { answerBulk } from './bulk.ts'
import { FakeEventSource } from './event-source.ts'
import { chooseInRow, openLeads, rowOf, type StoredLeads, shownLeads, storeLeads } from './leads-page.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { lead, leadDetails } from './samples.ts'

beforeEach(() => emptyDashboard())

const press = (name: string) => (user: UserEvent, row: HTMLElement) =>
  user.click(within(row).getByRole('button', { name }))
const ids = (calls: MadeCall[]) => calls.map(({ params }) => params.id)
const failed = (id: number, overrides: Partial<ListedLead> = {}) =>
  lead(id, { crm_sync_status: 'failed', ...overrides })
const toasts = () => document.querySelectorAll('[data-sonner-toast][data-removed="false"]')

type Act = {
  does: string
  call: CallName
  /** What makes the lead one that it can be done to. */
  given?: Partial<Lead>
  act(user: UserEvent, row: HTMLElement): Promise<void>
  done: string
  failed: string
}
const ACTS: Act[] = [
  {
    ...{ does: 'resending the email', call: 'POST /api/leads/{id}/retry-email', act: press('Resend Email') },
    ...{ done: 'Successfully retried email', failed: 'Failed to retry email' },
  },
  {
    ...{ does: 'telling the CRM again', call: 'POST /api/leads/{id}/retry-sync', act: press('Retry CRM Sync') },
    ...{ given: { crm_sync_status: 'failed' }, done: 'Successfully retried CRM sync' },
    failed: 'Failed to retry CRM sync',
  },
  {
    ...{ does: 'releasing', call: 'POST /api/leads/{id}/release', act: press('Release') },
    ...{ given: { held_reason: 'too_fast' }, done: 'Lead released', failed: 'Failed to release lead' },
  },
  {
    ...{ does: 'deleting', call: 'DELETE /api/leads/{id}', act: (user, row) => chooseInRow(user, row, 'Delete') },
    ...{ done: 'Lead deleted successfully', failed: 'Failed to delete lead' },
  },
]
describe.each(ACTS)('$does', ({ call, given, act, done, failed }) => {
  it('calls the API, reports success, and reads the leads again', async () => {
    const stored = storeLeads(lead(7, given), lead(8))
    const made = answer(call, () => {
      stored.leads = [lead(8)]
      return { success: true }
    })
    const user = await openDashboard()
    await act(user, await rowOf('Jordan Avery7'))
    await findToast('Success', done)
    expect(made.map(({ params }) => params)).toEqual([{ id: 7 }])
    await screen.findByText('Total: 1 leads')
  })

  it('says why the API refuses, and shows the current state of the lead', async () => {
    const stored = storeLeads(lead(7, given))
    answer(call, () => {
      stored.leads = []
      return refusal(404, { error: 'There is no such lead. It may have been deleted.', code: 'not_found' })
    })
    const user = await openDashboard()
    await act(user, await rowOf('Jordan Avery7'))
    await findToast(failed, '404: There is no such lead. It may have been deleted.')
    await screen.findByText(/^No leads yet/)
  })
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

  const soon = new Date().toISOString()
  const REFUSED = 'It answered 400. It said: “contact_type is required”'
  it.each([
    ['what the other side answered', { success: false, error: REFUSED }, /Failed to retry CRM sync.*contact_type/],
    [
      'when it is tried again, and why',
      { success: true, waiting: { error: 'The server is busy.', next_attempt_at: soon } },
      /Trying again at \d{1,2}:\d\d [AP]M ET.*The server is busy\./,
    ],
    [
      'that sending is paused, and until when',
      { success: true, waiting: { error: null, next_attempt_at: soon, is_paused: true } },
      /Waiting.*Sending is paused until \d{1,2}:\d\d [AP]M ET\./,
    ],
    [
      'that no worker has come to it',
      { success: true, waiting: { error: null, next_attempt_at: null } },
      /Still waiting.*Waiting for a worker\./,
    ],
  ])('says %s', async (_, reply, words) => {
    storeLeads(failed(1))
    answer('POST /api/leads/{id}/retry-sync', reply)
    const user = await openDashboard()
    await press('Retry CRM Sync')(user, await rowOf('Jordan Avery1'))
    expect((await findToast()).textContent).toMatch(words)
    expect(toasts()).toHaveLength(1)
  })

  it('of many counts the outcomes, names what was refused, and stays with its rows until it is closed', async () => {
    const stored = storeLeads(failed(1), failed(2), failed(3))
    answer('GET /api/leads/{id}', ({ params }) => leadDetails(params.id))
    const failures = [{ lead_id: 2, name: 'Jordan Avery2', error: REFUSED }]
    const calls = answerBulk('POST /api/leads/bulk', { succeeded: 1, failed: 1, waiting: 1, failures }, () => {
      stored.leads = [failed(2)]
    })
    const user = await openLeads('/admin?failed=true')
    await user.click(screen.getByRole('checkbox', { name: 'Select every lead on this page' }))
    const bar = within(screen.getByRole('region', { name: 'Chosen leads' }))
    await user.click(bar.getByRole('button', { name: 'Retry CRM Sync' }))
    const report = within(await screen.findByRole('alert', { name: 'What failed' }))
    report.getByText('CRM sync of 3 leads: 1 delivered, 1 refused, 1 waiting')
    report.getByText('What is waiting is retried automatically.')
    expect(report.getByRole('listitem').textContent).toBe(`Jordan Avery2 ${REFUSED}`)
    expect(calls.map(({ body }) => body)).toEqual([{ action: 'retry-sync', ids: [1, 2, 3] }])
    expect(toasts()).toHaveLength(0)
    await screen.findByText('Total: 1 leads')
    expect(shownLeads()).toEqual(['Jordan Avery1', 'Jordan Avery2', 'Jordan Avery3'])
    await waitFor(async () => within(await rowOf('Jordan Avery1')).getByText('Success'))
    await user.click(report.getByRole('button', { name: 'Close report' }))
    await waitFor(() => expect(shownLeads()).toEqual(['Jordan Avery2']))
  })
})

describe('a deletion', () => {
  let stored: StoredLeads
  let restorations: MadeCall[]
  beforeEach(() => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    stored = storeLeads(lead(1), lead(2))
    answer('DELETE /api/leads/{id}', ({ params }) => {
      stored.leads = stored.leads.filter(({ id }) => id !== params.id)
      return { success: true }
    })
    restorations = answer('POST /api/leads/{id}/restore', ({ params }) => {
      stored.leads = [lead(params.id), ...stored.leads]
      return { success: true }
    })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  async function openAndDelete() {
    const user = await openDashboard()
    await chooseInRow(user, await rowOf('Jordan Avery1'), 'Delete')
    await screen.findByRole('button', { name: 'Undo' })
    await waitFor(() => expect(shownLeads()).toEqual(['Jordan Avery2']))
    return user
  }

  it.each(['the button', 'the key u, once'])('is taken back by %s', async (way) => {
    const user = await openAndDelete()
    if (way === 'the button') await user.click(screen.getByRole('button', { name: 'Undo' }))
    else await user.keyboard('u')
    await findToast('Success', '1 lead restored successfully')
    await user.keyboard('u')
    await waitFor(() => expect(shownLeads()).toEqual(['Jordan Avery1', 'Jordan Avery2']))
    expect(ids(restorations)).toEqual([1])
  })

  it('can be taken back for ten seconds, which are counted down', async () => {
    const user = await openAndDelete()
    const undo = screen.getByRole('button', { name: 'Undo' })
    await vi.advanceTimersByTimeAsync((UNDO_SECONDS - 2) * SECOND)
    await waitFor(() => expect(undo.textContent).toMatch(/^Undo[12]$/))
    await vi.advanceTimersByTimeAsync(2 * SECOND)
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull())
    await user.keyboard('u')
    expect(restorations).toEqual([])
  })

  it('says so when it cannot be taken back', async () => {
    const user = await openAndDelete()
    const error = 'It is too late to restore this lead.'
    answer('POST /api/leads/{id}/restore', () => refusal(409, { error, code: 'conflict' }))
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    await findToast('Failed to restore lead', `409: ${error}`)
  })
})

describe('the deleted leads', () => {
  const VIEW = '/admin?tab=leads&deleted=true'
  let deleted: DeletedLead[]
  beforeEach(() => {
    deleted = [deletedLead(7), deletedLead(8)]
    answer('GET /api/deleted-leads', () => ({ leads: deleted, total: deleted.length }))
  })

  function deletedLead(id: number): DeletedLead {
    const { first_name, last_name, email, phone, zip_code, created_at } = lead(id)
    const times = { deleted_at: '2026-11-21T15:00:00.000Z', purged_at: '2026-12-21T15:00:00.000Z' }
    return { id, first_name, last_name, email, phone, zip_code, created_at, ...times }
  }
  const deletedRow = async (name: string) => within((await screen.findByText(name)).closest('tr') as HTMLElement)
  const remove = ({ params }: MadeCall) => {
    deleted = deleted.filter(({ id }) => id !== params.id)
    return { success: true }
  }

  it('are restored', async () => {
    const restored = answer('POST /api/leads/{id}/restore', remove)
    const user = await openDashboard(VIEW)
    await user.click((await deletedRow('Jordan Avery7')).getByRole('button', { name: 'Restore Jordan Avery7' }))
    await findToast('Success', '1 lead restored successfully')
    await waitFor(() => expect(screen.queryByText('Jordan Avery7')).toBeNull())
    expect(ids(restored)).toEqual([7])
  })

  it('are deleted for good after a question', async () => {
    const purged = answer('DELETE /api/deleted-leads/{id}', remove)
    const user = await openDashboard(VIEW)
    const name = 'Delete permanently: Jordan Avery7'
    await user.click((await deletedRow('Jordan Avery7')).getByRole('button', { name }))
    const dialog = within(screen.getByRole('dialog', { name: 'Delete Jordan Avery7 permanently?' }))
    expect(purged).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Delete permanently' }))
    await findToast('Success', 'Lead permanently deleted')
    await waitFor(() => expect(screen.queryByText('Jordan Avery7')).toBeNull())
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('cannot be changed by viewers', async () => {
    emptyDashboard({ role: 'viewer' })
    answer('GET /api/deleted-leads', () => ({ leads: deleted, total: deleted.length }))
    await openDashboard(VIEW)
    expect((await deletedRow('Jordan Avery7')).queryAllByRole('button')).toEqual([])
  })
})
