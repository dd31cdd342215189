import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { answer, type CallName, heldAnswer, refusal } from './api.ts'
import {
  applicationRow,
  openApplications,
  type StoredApplications,
  statusFilter,
  storeApplications,
} from './applications-page.ts'
import { emptyDashboard, findToast } from './page.tsx'
import { application } from './samples.ts'

let stored: StoredApplications
beforeEach(() => {
  emptyDashboard()
})

describe('acting on an application', () => {
  const ACTIONS = [
    {
      does: 'Resend Email',
      call: 'POST /api/provider-applications/{id}/retry-email',
      done: 'Successfully retried email',
      failed: 'Failed to retry email',
    },
    {
      does: 'Release',
      call: 'POST /api/provider-applications/{id}/release',
      done: 'Application released',
      failed: 'Failed to release application',
    },
  ] as const satisfies { does: string; call: CallName; done: string; failed: string }[]

  it.each(ACTIONS)('says how it went: $does', async ({ does, call, done, failed }) => {
    const start = application(1, { held_reason: does === 'Release' ? 'honeypot' : null, email_status: 'pending' })
    stored = storeApplications(start)
    const calls = answer(call, () => {
      stored.applications = [application(1)]
      return { success: true }
    })
    const user = await openApplications()
    const row = await applicationRow(1)
    await user.click(row.getByRole('button', { name: does }))
    await findToast('Success', done)
    await row.findByText('Sent')
    expect(calls.map(({ params }) => params)).toEqual([{ id: 1 }])

    stored.applications = [start]
    await user.selectOptions(statusFilter(), 'New (1)')
    answer(call, () => refusal(404, { error: 'There is no such application.', code: 'not_found' }))
    await user.click(await (await applicationRow(1)).findByRole('button', { name: does }))
    await findToast(failed, '404: There is no such application.')
  })

  it('sets its status, and shows the new one meanwhile', async () => {
    stored = storeApplications(application(1))
    const held = heldAnswer(application(1, { status: 'approved' }))
    const calls = answer('PATCH /api/provider-applications/{id}', held.answer)
    const user = await openApplications()
    const select = (await applicationRow(1)).getByRole<HTMLSelectElement>('combobox', {
      name: 'Status of Calloway Clinic 1',
    })
    await user.selectOptions(select, 'Approved')
    expect(calls).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Save: Status of Calloway Clinic 1' }))
    await waitFor(() => expect([select.value, select.getAttribute('aria-busy')]).toEqual(['approved', 'true']))
    stored.applications = [application(1, { status: 'approved' })]
    held.release()
    await findToast('Success', 'Application status updated successfully')
    await waitFor(() => expect([select.value, select.getAttribute('aria-busy')]).toEqual(['approved', null]))
    expect(calls.map(({ params, body }) => ({ ...params, ...body }))).toEqual([{ id: 1, status: 'approved' }])
    await screen.findByText('Approved (1)')
  })

  it('says why its status could not be set, which can be saved again or cancelled', async () => {
    stored = storeApplications(application(1))
    answer('PATCH /api/provider-applications/{id}', () =>
      refusal(404, { error: 'There is no such application.', code: 'not_found' }),
    )
    const user = await openApplications()
    const select = (await applicationRow(1)).getByRole<HTMLSelectElement>('combobox')
    await user.selectOptions(select, 'Declined')
    await user.click(screen.getByRole('button', { name: /^Save/ }))
    await findToast('Failed to update application status', '404: There is no such application.')
    await waitFor(() => expect(select.getAttribute('aria-busy')).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(select.value).toBe('new')
  })

  it('deletes it, but asks first', async () => {
    stored = storeApplications(application(1))
    const calls = answer('DELETE /api/provider-applications/{id}', () => {
      stored.applications = []
      return { success: true }
    })
    const user = await openApplications()
    const row = await applicationRow(1)
    await user.click(row.getByRole('button', { name: 'Delete' }))
    const dialog = () => within(screen.getByRole('dialog', { name: 'Delete this application?' }))
    dialog().getByText(/^The application of Calloway Clinic 1, its notes and everything .* will be removed\./)
    await user.click(dialog().getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(calls).toEqual([])

    await user.click(row.getByRole('button', { name: 'Delete' }))
    await user.click(dialog().getByRole('button', { name: 'Delete application' }))
    await findToast('Success', 'Application deleted successfully')
    await screen.findByText(/^No applications yet/)
    expect(calls.map(({ params }) => params)).toEqual([{ id: 1 }])
  })
})
