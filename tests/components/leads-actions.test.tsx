import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Lead } from '../../core/contract/leads.ts'
import { answer, type CallName, refusal } from './api.ts'
import { chooseInRow, rowOf, storeLeads } from './leads-page.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { lead } from './samples.ts'

beforeEach(() => emptyDashboard())

type Action = {
  does: string
  call: CallName
  /** What makes the lead one that it can be done to. */
  given?: Partial<Lead>
  act(user: UserEvent, row: HTMLElement): Promise<void>
  done: string
  failed: string
}

const press = (name: string) => (user: UserEvent, row: HTMLElement) =>
  user.click(within(row).getByRole('button', { name }))

const ACTIONS: Action[] = [
  {
    does: 'resending the e-mail',
    call: 'POST /api/leads/{id}/retry-email',
    act: press('Resend Email'),
    done: 'Successfully retried email',
    failed: 'Failed to retry email',
  },
  {
    does: 'telling the CRM again',
    call: 'POST /api/leads/{id}/retry-sync',
    given: { crm_sync_status: 'failed' },
    act: press('Retry CRM Sync'),
    done: 'Successfully retried CRM sync',
    failed: 'Failed to retry CRM sync',
  },
  {
    does: 'releasing',
    call: 'POST /api/leads/{id}/release',
    given: { held_reason: 'too_fast' },
    act: press('Release'),
    done: 'Lead released',
    failed: 'Failed to release lead',
  },
  {
    does: 'deleting',
    call: 'DELETE /api/leads/{id}',
    act: (user, row) => chooseInRow(user, row, 'Delete'),
    done: 'Lead deleted successfully',
    failed: 'Failed to delete lead',
  },
]

describe.each(ACTIONS)('$does', ({ call, given, act, done, failed }) => {
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

  it('shows the HTTP status when the answer is not the API’s own, and can be retried', async () => {
    storeLeads(lead(7, given))
    answer(call, () => new Response('<h1>Not now</h1>', { status: 503, statusText: 'Service Unavailable' }))
    const user = await openDashboard()
    const row = await rowOf('Jordan Avery7')
    await act(user, row)
    await findToast(failed, failed === 'Failed to delete lead' ? `${failed}: Service Unavailable` : '503: ')
    await waitFor(() => expect(row.querySelector('[aria-busy], select:disabled')).toBeNull())
  })
})

it('shows the current state of a lead that was already released', async () => {
  const stored = storeLeads(lead(7, { held_reason: 'too_fast' }))
  answer('POST /api/leads/{id}/release', () => {
    stored.leads = [lead(7)]
    return refusal(409, { error: 'This lead is not held. There is nothing to release.', code: 'conflict' })
  })
  const user = await openDashboard()
  const row = within(await rowOf('Jordan Avery7'))
  row.getByText(/^The form was sent within two seconds of opening the page/)
  await user.click(row.getByRole('button', { name: 'Release' }))
  await findToast('Failed to release lead', '409: This lead is not held. There is nothing to release.')
  await waitFor(() => expect(row.queryByText('Held')).toBeNull())
})

describe('releasing a lead whose person has sent another request', () => {
  const other = { id: 9, created_at: '2026-11-22T15:00:00.000Z', provider_id: 2, provider_name: 'Dr. Rosa Quill' }

  async function pressRelease() {
    storeLeads(lead(7, { held_reason: 'too_fast' }))
    const samePerson = [{ ...other, held_reason: null }]
    answer('GET /api/leads/{id}/candidates', { candidates: [], radiusMiles: 100, samePerson })
    const made = answer('POST /api/leads/{id}/release', { success: true })
    const user = await openDashboard()
    await press('Release')(user, await rowOf('Jordan Avery7'))
    return { user, made, dialog: within(await screen.findByRole('dialog', { name: 'Release this lead?' })) }
  }

  it('says so first, and releases it once that is confirmed', async () => {
    const { user, made, dialog } = await pressRelease()
    dialog.getByText('The same person sent request #9 on Nov 22, 2026, which Dr. Rosa Quill has.')
    expect(made).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Release anyway' }))
    await findToast('Success', 'Lead released')
    expect(made.map(({ params }) => params)).toEqual([{ id: 7 }])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('releases nothing when it is canceled, or when it cannot be known', async () => {
    const { user, made, dialog } = await pressRelease()
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    answer('GET /api/leads/{id}/candidates', () => refusal(503, { error: 'Not now.', code: 'unavailable' }))
    await press('Release')(user, await rowOf('Jordan Avery7'))
    await findToast('Failed to release lead', '503: Not now.')
    expect(made).toEqual([])
  })
})

it('a lead whose consent is not proved is released only with the way in which it was given', async () => {
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
