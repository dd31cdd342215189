import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { MAX_LEADS } from '../../core/staff/contract/bulk.ts'
import { answer } from './api.ts'
import { answerBulk, runningBulk } from './bulk.ts'
import { rowOf, storeLeads, storeProviders } from './leads-page.ts'
import { emptyDashboard, findToast, NO_VALUES, openDashboard } from './page.tsx'
import { lead, provider } from './samples.ts'

beforeEach(() => emptyDashboard())

const box = (id: number) => screen.getByRole<HTMLInputElement>('checkbox', { name: `Choose Jordan Avery${id}` })
const everyBox = () => screen.getByRole('checkbox', { name: 'Select every lead on this page' })
const bar = () => within(screen.getByRole('region', { name: 'Chosen leads' }))
const hasBar = () => screen.queryByRole('region', { name: 'Chosen leads' }) !== null

/** Opens the dashboard with one page of leads 1, 2 and 3, of so many that match. */
async function openLeads({ total = 3, path = '/admin', held = false } = {}) {
  storeLeads()
  answer('GET /api/leads', { leads: [1, 2, 3].map((id) => lead(id, held ? { held_reason: 'too_fast' } : {})), total })
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

  it('says that there are too many to choose all', async () => {
    const user = await openLeads({ total: MAX_LEADS + 1 })
    await user.click(everyBox())
    bar().getByText('To select all, narrow the list to 50,000 or fewer.')
    expect(bar().queryByRole('button', { name: /^Select all/ })).toBeNull()
  })
})

describe('doing the same to several leads', () => {
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

  it('assigns them and tags them', async () => {
    const lists = { tags: ['vip'], staff: [{ id: 12, name: 'Ben Ito' }] }
    answer('GET /api/leads/filter-values', { ...NO_VALUES, ...lists })
    const calls = answerBulk('POST /api/leads/bulk', { succeeded: 3 })
    const user = await openLeads()
    await user.click(everyBox())
    await user.click(bar().getByRole('button', { name: 'Owner and tags...' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Owner and tags of 3 leads' }))
    const save = dialog.getByRole<HTMLButtonElement>('button', { name: 'Save for 3 leads' })
    expect(save.disabled).toBe(true)
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Owner' }), 'Ben Ito')
    await user.type(dialog.getByLabelText('Tag', { selector: 'input' }), 'call back!')
    dialog.getByText('A tag consists of letters, digits and spaces')
    await user.keyboard('{Backspace}')
    await user.click(save)
    await findToast('Success', '3 leads saved')
    const work = { owner_id: 12, add_tag: 'call back' }
    expect(calls.map(({ body }) => body)).toEqual([{ action: 'change-work', ids: [1, 2, 3], work }])
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
    expect(bar().getByRole<HTMLButtonElement>('button', { name: 'Delete' }).disabled).toBe(true)
    bulk.giveUp()
    await findToast('Failed to retry CRM sync', 'Some of it may have been done')
    bar().getByText('3 leads selected')
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
})

it('a bulk action that runs already is shown after a reload, with its report at the end', async () => {
  const bulk = runningBulk('retry-email', 40)
  await openLeads()
  await screen.findByText('Resending emails: 0 of 40')
  bulk.proceed(7)
  await screen.findByText('Resending emails: 7 of 40')
  bulk.end({ succeeded: 39, failed: 0, waiting: 1, failures: [] })
  const report = within(await screen.findByRole('status', { name: 'Outcome' }))
  report.getByText('Emails of 40 leads: 39 delivered, 0 refused, 1 waiting')
})

describe('the keys', () => {
  it('of a row act on the lead that has the focus, once, and are left to a text field', async () => {
    const emails = answer('POST /api/leads/{id}/retry-email', { success: true })
    const syncs = answer('POST /api/leads/{id}/retry-sync', { success: true })
    const user = await openLeads()
    await user.keyboard('jj')
    // As in the inbox and in mail programs, where it means "done".
    await user.keyboard('er')
    await user.keyboard('m')
    await screen.findByRole('dialog', { name: 'Change provider' })
    await user.keyboard('{Escape}')
    const deletions = answer('DELETE /api/leads/{id}', { success: true })
    const hold = () => fireEvent.keyDown(document.activeElement as Element, { key: '#', repeat: true })
    hold()
    await user.keyboard('#')
    await findToast('Lead deleted successfully')
    hold()
    expect(deletions.map(({ params }) => params)).toEqual([{ id: 2 }])
    await user.keyboard('/')
    await user.keyboard('r')
    expect(screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search leads' }).value).toBe('r')
    expect([...emails, ...syncs]).toEqual([])
  })

  it('of a selection extend it row by row, reach its bar, and act on all of it', async () => {
    const calls = answerBulk('POST /api/leads/bulk', { succeeded: 3 })
    const user = await openLeads()
    await user.keyboard('j{Shift>}JJ{/Shift}')
    await waitFor(() => bar().getByText('3 leads selected'))
    await user.keyboard('b')
    expect(screen.getByRole('region', { name: 'Chosen leads' }).contains(document.activeElement)).toBe(true)
    await user.keyboard('er')
    expect(calls).toEqual([])
    await user.click(bar().getByRole('button', { name: 'Retry CRM Sync' }))
    await waitFor(() => expect(calls).toMatchObject([{ body: { action: 'retry-sync', ids: [1, 2, 3] } }]))
    await user.keyboard('*')
    await waitFor(() => bar().getByText('3 leads selected'))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(hasBar()).toBe(false))
  })

  it.each(['manager', 'viewer'] as const)(
    'are listed in every tab for a %s, with those that they may use',
    async (role) => {
      emptyDashboard({ role })
      const user = await openDashboard('/admin?tab=applications')
      await user.keyboard('?')
      const keys = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
      for (const name of ['Leads', 'Providers', 'Applications', 'Overview', 'Needs attention', 'Health', 'Activity']) {
        const letter = keys.getAllByText(name).at(-1)?.nextElementSibling?.textContent
        expect(letter, name).toMatch(/^g[a-z]$/)
      }
      const names = ['Snooze', 'Staff']
      expect(names.filter((name) => keys.queryByText(name) !== null)).toEqual(role === 'manager' ? names : [])
    },
  )
})
