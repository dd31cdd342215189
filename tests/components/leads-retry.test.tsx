import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ListedLead } from '../../core/contract/leads.ts'
import { answer, type CallName, heldAnswer } from './api.ts'
import { answerBulk } from './bulk.ts'
import { FakeEventSource } from './event-source.ts'
import { rowOf, shownLeads, storeLeads } from './leads-page.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { lead, leadDetails } from './samples.ts'

beforeEach(() => emptyDashboard())

const failed = (id: number, overrides: Partial<ListedLead> = {}) =>
  lead(id, { crm_sync_status: 'failed', ...overrides })
const box = (id: number) => screen.getByRole('checkbox', { name: `Choose Jordan Avery${id}` })
const toasts = () => document.querySelectorAll('[data-sonner-toast][data-removed="false"]')

const RETRIES = [
  ['Retry CRM Sync', 'POST /api/leads/{id}/retry-sync', 'Successfully retried CRM sync', 'Failed to retry CRM sync'],
  ['Resend Email', 'POST /api/leads/{id}/retry-email', 'Successfully retried email', 'Failed to retry email'],
] satisfies [string, CallName, string, string][]

describe.each(RETRIES)('%s', (button, call, done, refused) => {
  it('says “Retrying...” until the attempt has ended, and only then that it succeeded', async () => {
    storeLeads(failed(1))
    const held = heldAnswer({ success: true })
    const calls = answer(call, held.answer)
    const user = await openDashboard()
    const row = within(await rowOf('Jordan Avery1'))
    await user.click(row.getByRole('button', { name: button }))
    await row.findByText('Retrying...')
    expect(toasts()).toHaveLength(0)
    expect(calls[0]?.query.wait).toBeGreaterThan(0)

    held.release()
    await findToast('Success', done)
    expect(toasts()).toHaveLength(1)
    await waitFor(() => expect(row.queryByText('Retrying...')).toBeNull())
  })

  it('says what the other side answered', async () => {
    storeLeads(failed(1))
    answer(call, { success: false, error: 'It answered 400. It said: “contact_type is required”' })
    const user = await openDashboard()
    await user.click(within(await rowOf('Jordan Avery1')).getByRole('button', { name: button }))
    await findToast(refused, 'contact_type is required')
    expect(toasts()).toHaveLength(1)
  })

  it('says when it is tried again, and why', async () => {
    storeLeads(failed(1))
    const waiting = { error: 'The server is busy.', next_attempt_at: new Date().toISOString() }
    answer(call, { success: true, waiting })
    const user = await openDashboard()
    await user.click(within(await rowOf('Jordan Avery1')).getByRole('button', { name: button }))
    const toast = await findToast('Trying again at', 'The server is busy.')
    expect(toast.textContent).toMatch(/Trying again at \d{1,2}:\d\d [AP]M ET/)
  })

  it('says that sending is paused, and until when', async () => {
    storeLeads(failed(1))
    const waiting = { error: null, next_attempt_at: new Date().toISOString(), is_paused: true }
    answer(call, { success: true, waiting })
    const user = await openDashboard()
    await user.click(within(await rowOf('Jordan Avery1')).getByRole('button', { name: button }))
    const toast = await findToast('Waiting', 'Sending is paused until')
    expect(toast.textContent).toMatch(/paused until \d{1,2}:\d\d [AP]M ET\./)
  })

  it('says that no worker has come to it', async () => {
    storeLeads(failed(1))
    answer(call, { success: true, waiting: { error: null, next_attempt_at: null } })
    const user = await openDashboard()
    await user.click(within(await rowOf('Jordan Avery1')).getByRole('button', { name: button }))
    await findToast('Still waiting', 'No worker has come to it yet.')
  })
})

describe('a row whose lead leaves the filter while it is retried', () => {
  it('stays in its place until the attempt has ended', async () => {
    const stored = storeLeads(failed(1), failed(2), failed(3))
    answer('GET /api/leads/{id}', () => leadDetails(2, { crm_sync_status: 'pending' }))
    const held = heldAnswer({ success: true })
    answer('POST /api/leads/{id}/retry-sync', held.answer)
    const user = await openDashboard('/admin?failed=true')
    const row = within(await rowOf('Jordan Avery2'))
    await user.click(row.getByRole('button', { name: 'Retry CRM Sync' }))

    stored.leads = [failed(1), failed(3)]
    FakeEventSource.announce({ leads: [2] })
    await screen.findByText('Total: 2 leads')
    expect(shownLeads()).toEqual(['Jordan Avery1', 'Jordan Avery2', 'Jordan Avery3'])
    row.getByText('Retrying...')

    held.release()
    await findToast('Success')
    await waitFor(() => expect(shownLeads()).toEqual(['Jordan Avery1', 'Jordan Avery3']))
  })
})

describe('retrying many', () => {
  it('counts the outcomes, names what was refused, and stays with its rows until it is closed', async () => {
    const stored = storeLeads(failed(1), failed(2), failed(3))
    answer('GET /api/leads/{id}', ({ params }) => leadDetails(params.id))
    const error = 'It answered 400. It said: “contact_type is required”'
    const calls = answerBulk(
      'POST /api/leads/bulk',
      { succeeded: 1, failed: 1, waiting: 1, failures: [{ lead_id: 2, name: 'Jordan Avery2', error }] },
      () => {
        stored.leads = [failed(2)]
      },
    )
    const user = await openDashboard('/admin?failed=true')
    await rowOf('Jordan Avery1')
    for (const id of [1, 2, 3]) await user.click(box(id))
    const bar = within(screen.getByRole('region', { name: 'Chosen leads' }))
    await user.click(bar.getByRole('button', { name: 'Retry CRM Sync' }))

    const report = within(await screen.findByRole('alert', { name: 'What failed' }))
    report.getByText('CRM sync of 3 leads: 1 delivered, 1 refused, 1 waiting')
    report.getByText('What is waiting is retried automatically.')
    expect(report.getByRole('listitem').textContent).toBe(
      'Jordan Avery2 It answered 400. It said: “contact_type is required”',
    )
    expect(calls.map(({ body }) => body)).toEqual([{ action: 'retry-sync', ids: [1, 2, 3] }])
    expect(toasts()).toHaveLength(0)
    await screen.findByText('Total: 1 leads')
    expect(shownLeads()).toEqual(['Jordan Avery1', 'Jordan Avery2', 'Jordan Avery3'])
    await waitFor(async () => within(await rowOf('Jordan Avery1')).getByText('Success'))

    await user.click(report.getByRole('button', { name: 'Close report' }))
    await waitFor(() => expect(shownLeads()).toEqual(['Jordan Avery2']))
  })

  it.each([
    ['Retry CRM Sync', 'Successfully retried CRM sync of 2 leads'],
    ['Resend Email', 'Successfully retried email of 2 leads'],
  ])('says that all of it was delivered: %s', async (button, words) => {
    storeLeads(lead(1), lead(2))
    answerBulk('POST /api/leads/bulk', { succeeded: 2 })
    const user = await openDashboard()
    await rowOf('Jordan Avery1')
    for (const id of [1, 2]) await user.click(box(id))
    await user.click(within(screen.getByRole('region', { name: 'Chosen leads' })).getByRole('button', { name: button }))
    within(await screen.findByRole('status', { name: 'Outcome' })).getByText(words)
  })
})
