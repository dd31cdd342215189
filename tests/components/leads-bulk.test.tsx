import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { MAX_IDS, MAX_LEADS } from '../../core/contract/bulk.ts'
import { answer, refusal } from './api.ts'
import { answerBulk, runningBulk } from './bulk.ts'
import { FakeEventSource } from './event-source.ts'
import { rowOf, storeLeads, storeProviders } from './leads-page.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { lead, provider } from './samples.ts'

beforeEach(() => emptyDashboard())

const box = (id: number) => screen.getByRole<HTMLInputElement>('checkbox', { name: `Choose Jordan Avery${id}` })
const everyBox = () => screen.getByRole('checkbox', { name: 'Select every lead on this page' })
const bar = () => within(screen.getByRole('region', { name: 'Chosen leads' }))
const hasBar = () => screen.queryByRole('region', { name: 'Chosen leads' }) !== null

/** Opens the dashboard with one page of leads 1, 2 and 3, of so many that match. */
async function openLeads({ total = 3, path = '/admin' } = {}) {
  storeLeads()
  answer('GET /api/leads', { leads: [lead(1), lead(2), lead(3)], total })
  const user = await openDashboard(path)
  await rowOf('Jordan Avery1')
  return user
}

describe('choosing leads', () => {
  it('works one by one, by range, and for the whole page', async () => {
    const user = await openLeads()
    await user.click(box(1))
    bar().getByText('1 lead selected')
    await user.keyboard('{Shift>}')
    await user.click(box(3))
    await user.keyboard('{/Shift}')
    bar().getByText('3 leads selected')
    expect(box(2).checked).toBe(true)

    await user.click(box(2))
    bar().getByText('2 leads selected')
    await user.click(bar().getByRole('button', { name: 'Select page' }))
    bar().getByText('3 leads selected')
    await user.click(bar().getByRole('button', { name: 'Clear selection' }))
    expect(hasBar()).toBe(false)
  })

  it('ends when the filter changes', async () => {
    const user = await openLeads()
    await user.click(box(1))
    await user.click(screen.getByRole('button', { name: 'Unmatched' }))
    await waitFor(() => expect(hasBar()).toBe(false))
    expect(box(1).checked).toBe(false)
  })

  it('offers all that match, on whatever page', async () => {
    const user = await openLeads({ total: 1200 })
    await user.click(everyBox())
    await user.click(bar().getByRole('button', { name: 'Select all 1,200 that match' }))
    bar().getByText('All 1,200 leads selected')
  })

  it('says that there are too many to choose all', async () => {
    const user = await openLeads({ total: MAX_LEADS + 1 })
    await user.click(everyBox())
    bar().getByText('To select all of them, look for 50,000 or fewer.')
    expect(bar().queryByRole('button', { name: /^Select all/ })).toBeNull()
  })
})

describe('doing the same to several leads', () => {
  it('starts a release without a question', async () => {
    const calls = answerBulk('POST /api/leads/bulk', { succeeded: 2 })
    const user = await openLeads()
    await user.click(box(1))
    await user.click(box(2))
    await user.click(bar().getByRole('button', { name: 'Release' }))
    await findToast('Success', '2 leads released')
    expect(calls.map(({ body }) => body)).toEqual([{ action: 'release', ids: [1, 2] }])
    await waitFor(() => expect(hasBar()).toBe(false))
  })

  it('matches them with a provider, once one is chosen', async () => {
    const calls = answerBulk('POST /api/leads/bulk', { succeeded: 3 })
    const user = await openLeads()
    storeProviders(provider(1))
    await user.click(everyBox())
    await user.click(bar().getByRole('button', { name: 'Match with provider...' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Match 3 leads with a provider' }))
    const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: 'Match 3 leads' })
    expect(confirm.disabled).toBe(true)
    await user.click(dialog.getByRole('option', { name: /^Dr\. Test 1 - 78701/ }))
    await user.click(dialog.getByRole('button', { name: 'Send 3 leads to Test Clinic 1' }))
    await findToast('Success', 'Provider of 3 leads updated successfully')
    expect(calls.map(({ body }) => body)).toEqual([{ action: 'assign-provider', ids: [1, 2, 3], providerId: 1 }])
  })

  it('asks before it deletes them', async () => {
    const user = await openLeads()
    await user.click(everyBox())
    await user.click(bar().getByRole('button', { name: 'Delete' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Delete 3 leads?' }))
    dialog.getByText(/You can undo this for 10 seconds\. Each of them can be restored under “Deleted”/)
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    bar().getByText('3 leads selected')
  })

  it('says what failed, and takes back the rest', async () => {
    const user = await openLeads()
    const error = 'There is no such lead. It may have been deleted.'
    answerBulk('POST /api/leads/bulk', {
      ...{ succeeded: 2, failed: 1 },
      failures: [{ lead_id: 2, name: 'Jordan Avery2', error }],
    })
    await user.click(everyBox())
    await user.click(bar().getByRole('button', { name: 'Delete' }))
    await user.click(screen.getByRole('button', { name: 'Delete 3 leads' }))
    await findToast('Success', '2 leads deleted successfully')
    const report = within(screen.getByRole('alert', { name: 'What failed' }))
    report.getByText('Failed to delete lead: 1 of 3 leads')
    report.getByText('There is no such lead. It may have been deleted.')
    expect(report.getByRole('link', { name: 'Jordan Avery2' }).getAttribute('href')).toBe('/admin?lead=2')

    const restorations = answerBulk('POST /api/leads/bulk', { succeeded: 2 })
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    await findToast('Success', '2 leads restored successfully')
    expect(restorations.map(({ body }) => body)).toEqual([{ action: 'restore', ids: [1, 3] }])
    await user.click(report.getByRole('button', { name: 'Close report' }))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('says how far it is, and that it was given up', async () => {
    const user = await openLeads()
    const bulk = runningBulk('retry-sync', 3)
    answer('POST /api/leads/bulk', { id: bulk.id })
    await user.click(everyBox())
    await user.click(bar().getByRole('button', { name: 'Retry CRM Sync' }))
    await screen.findByText('Retrying CRM sync: 0 of 3')
    bulk.proceed(2, 1)
    await screen.findByText('Retrying CRM sync: 2 of 3')
    screen.getByText(', 1 failed')
    expect(screen.getByRole('progressbar', { name: 'Retrying CRM sync' })).toBeTruthy()
    expect(bar().getByRole<HTMLButtonElement>('button', { name: 'Release' }).disabled).toBe(true)

    bulk.giveUp()
    await findToast('Failed to retry CRM sync', 'Some of it may have been done anyway')
    bar().getByText('3 leads selected')
  })

  it('reads how far it is after the live events were lost', async () => {
    const user = await openLeads()
    const bulk = runningBulk('release', 3)
    answer('POST /api/leads/bulk', { id: bulk.id })
    await user.click(everyBox())
    await user.click(bar().getByRole('button', { name: 'Release' }))
    await screen.findByText('Releasing: 0 of 3')
    answer('GET /api/bulk/{id}', {
      ...{ id: bulk.id, action: 'release', state: 'done', progress: { done: 3, total: 3, failed: 0 } },
      report: { succeeded: 3, failed: 0, waiting: 0, failures: [] },
    })
    FakeEventSource.announce({ all: true })
    await findToast('Success', '3 leads released')
  })
})

describe('doing the same to all leads that match', () => {
  it('asks, then sends the filter and the number of leads that were shown', async () => {
    const calls = answerBulk('POST /api/leads/bulk', { succeeded: 42 })
    const user = await openLeads({ total: 42, path: '/admin?q=Avery&held=true' })
    await user.click(everyBox())
    await user.click(bar().getByRole('button', { name: 'Select all 42 that match' }))
    await user.click(bar().getByRole('button', { name: 'Release' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Release 42 leads?' }))
    dialog.getByText('This applies to every lead that matches, on all pages.')
    await user.click(dialog.getByRole('button', { name: 'Release 42 leads' }))
    await findToast('Success', '42 leads released')
    expect(calls.map(({ body }) => body)).toEqual([
      { action: 'release', filter: { q: 'Avery', held: true }, expected: 42 },
    ])
  })

  it('says so when others have changed what matches', async () => {
    answer('POST /api/leads/bulk', () =>
      refusal(409, { error: '41 leads match now, not 42: please look again.', code: 'conflict' }),
    )
    const user = await openLeads({ total: 42 })
    await user.click(everyBox())
    await user.click(bar().getByRole('button', { name: 'Select all 42 that match' }))
    await user.click(bar().getByRole('button', { name: 'Retry CRM Sync' }))
    answer('GET /api/leads', { leads: [lead(1), lead(2), lead(3)], total: 41 })
    await user.click(screen.getByRole('button', { name: 'Retry CRM Sync of 42 leads' }))
    await findToast('Failed to retry CRM sync', '409: 41 leads match now, not 42')
    await screen.findByText('Total: 41 leads')
  })

  it('deletes so many by their ids that it can be taken back', async () => {
    const user = await openLeads({ total: 101 })
    const pages = answer('GET /api/leads', ({ query: { page, limit } }) => ({
      leads: limit === 100 ? [lead(page === 1 ? 1 : 101)] : [lead(1)],
      total: 101,
    }))
    const deletions = answerBulk('POST /api/leads/bulk', { succeeded: 2 })
    await user.click(everyBox())
    await user.click(bar().getByRole('button', { name: 'Select all 101 that match' }))
    await user.click(bar().getByRole('button', { name: 'Delete' }))
    await user.click(screen.getByRole('button', { name: 'Delete 101 leads' }))
    await screen.findByRole('button', { name: 'Undo' })
    expect(pages.filter(({ query }) => query.limit === 100).map(({ query }) => query.page)).toEqual([1, 2])
    expect(deletions.map(({ body }) => body)).toEqual([{ action: 'delete', ids: [1, 101] }])
  })

  it('offers no undo where they are too many, but says where they can be restored', async () => {
    const total = MAX_IDS + 1
    const deletions = answerBulk('POST /api/leads/bulk', { succeeded: total })
    const user = await openLeads({ total })
    await user.click(everyBox())
    await user.click(bar().getByRole('button', { name: 'Select all 1,001 that match' }))
    await user.click(bar().getByRole('button', { name: 'Delete' }))
    screen.getByText(/^Nothing more will be sent for them\. Each of them can be restored under “Deleted”/)
    await user.click(screen.getByRole('button', { name: 'Delete 1,001 leads' }))
    await findToast('Success', '1,001 leads deleted successfully')
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
    expect(deletions.map(({ body }) => body)).toEqual([{ action: 'delete', filter: {}, expected: total }])
  })

  it('says before it matches so many that it cannot be undone', async () => {
    const user = await openLeads({ total: MAX_IDS + 1 })
    storeProviders(provider(1))
    await user.click(everyBox())
    await user.click(bar().getByRole('button', { name: 'Select all 1,001 that match' }))
    await user.click(bar().getByRole('button', { name: 'Match with provider...' }))
    screen.getByText(/There are too many leads to undo this\.$/)
  })
})
