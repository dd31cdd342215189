import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { LEADS_PER_PAGE } from '../../core/contract/leads.ts'
import { answer } from './api.ts'
import { answerBulk } from './bulk.ts'
import { rowOf, shownLeads, storeLeads } from './leads-page.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { lead } from './samples.ts'

beforeEach(() => emptyDashboard())

const bar = () => within(screen.getByRole('region', { name: 'Chosen leads' }))

describe('the keys of a row', () => {
  it('act on the lead that has the focus', async () => {
    storeLeads(lead(1), lead(2))
    const emails = answer('POST /api/leads/{id}/retry-email', { success: true })
    const syncs = answer('POST /api/leads/{id}/retry-sync', { success: true })
    const user = await openDashboard()
    await rowOf('Jordan Avery1')
    await user.keyboard('jj')
    // As in the inbox and in mail programs, where it means "done".
    await user.keyboard('er')
    await user.keyboard('m')
    await screen.findByRole('dialog', { name: 'Change clinic' })
    await user.keyboard('{Escape}')
    const deletions = answer('DELETE /api/leads/{id}', { success: true })
    await user.keyboard('#')
    await findToast('Lead deleted successfully')
    expect(deletions.map(({ params }) => params)).toEqual([{ id: 2 }])
    expect([...emails, ...syncs]).toEqual([])
  })

  it('act once, however long they are held, but go on moving', async () => {
    storeLeads(lead(1), lead(2), lead(3))
    const deletions = answer('DELETE /api/leads/{id}', { success: true })
    const user = await openDashboard()
    await rowOf('Jordan Avery1')
    await user.keyboard('j')
    const hold = (key: string) => fireEvent.keyDown(document.activeElement as Element, { key, repeat: true })
    hold('j')
    expect(document.activeElement?.textContent).toContain('Jordan Avery2')
    hold('#')
    await user.keyboard('#')
    await findToast('Lead deleted successfully')
    hold('#')
    expect(deletions.map(({ params }) => params)).toEqual([{ id: 2 }])
  })

  it('are left to a text field', async () => {
    storeLeads(lead(1))
    const syncs = answer('POST /api/leads/{id}/retry-sync', { success: true })
    const user = await openDashboard()
    await rowOf('Jordan Avery1')
    await user.keyboard('j/')
    await user.keyboard('r')
    expect(screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search leads' }).value).toBe('r')
    expect(syncs).toEqual([])
  })

  it('turn the pages', async () => {
    storeLeads(...Array.from({ length: LEADS_PER_PAGE + 1 }, (_, index) => lead(index + 1)))
    const user = await openDashboard()
    await rowOf('Jordan Avery1')
    await user.keyboard(']')
    await waitFor(() => expect(shownLeads()).toEqual([`Jordan Avery${LEADS_PER_PAGE + 1}`]))
    await user.keyboard(']')
    await user.keyboard('[[')
    await waitFor(() => expect(shownLeads()).toHaveLength(LEADS_PER_PAGE))
  })
})

describe('the keys of a selection', () => {
  it('extend it row by row, reach its bar, and act on all of it', async () => {
    storeLeads(lead(1), lead(2), lead(3))
    const calls = answerBulk('POST /api/leads/bulk', { succeeded: 3 })
    const user = await openDashboard()
    await rowOf('Jordan Avery1')
    await user.keyboard('j{Shift>}JJ{/Shift}')
    await waitFor(() => bar().getByText('3 leads selected'))
    await user.keyboard('b')
    expect(screen.getByRole('region', { name: 'Chosen leads' }).contains(document.activeElement)).toBe(true)
    await user.keyboard('er')
    expect(calls).toEqual([])
    await user.click(bar().getByRole('button', { name: 'Retry CRM Sync' }))
    await waitFor(() => expect(calls).toHaveLength(1))
    expect(calls[0]?.body).toMatchObject({ action: 'retry-sync', ids: [1, 2, 3] })
  })

  it('choose the page, and let it go', async () => {
    storeLeads(lead(1), lead(2))
    const user = await openDashboard()
    await rowOf('Jordan Avery1')
    await user.keyboard('*')
    await waitFor(() => bar().getByText('2 leads selected'))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Chosen leads' })).toBeNull())
  })

  it('stand before the table in the order of the focus', async () => {
    storeLeads(lead(1))
    const user = await openDashboard()
    await rowOf('Jordan Avery1')
    await user.keyboard('jx')
    const region = await screen.findByRole('region', { name: 'Chosen leads' })
    const order = region.compareDocumentPosition(screen.getByRole('table'))
    expect(order & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0)
  })
})

it('go to the tabs by g and a letter', async () => {
  const user = await openDashboard()
  await screen.findByText(/No leads yet/)
  await user.keyboard('gp')
  await waitFor(() => expect(location.search).toBe('?tab=providers'))
  await user.keyboard('gl')
  await waitFor(() => expect(location.search).not.toContain('tab=providers'))
})

describe('the list of keys', () => {
  const listed = async () => within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))

  it('opens in every tab, and names every tab with its letter', async () => {
    const user = await openDashboard('/admin?tab=applications')
    await user.keyboard('?')
    const keys = await listed()
    const tabs = screen
      .getAllByRole('tab', { hidden: true })
      .map(({ textContent }) => textContent?.replace(/ \(.*/, ''))
    for (const name of tabs) {
      const letter = keys.getAllByText(name ?? '').at(-1)?.nextElementSibling?.textContent
      expect(letter, name).toMatch(/^g[a-z]$/)
    }
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('has only what the viewer may do', async () => {
    emptyDashboard({ role: 'viewer' })
    const user = await openDashboard()
    await user.keyboard('?')
    const keys = await listed()
    keys.getByText('Next lead')
    expect(keys.queryByText('Retry CRM Sync')).toBeNull()
    expect(keys.queryByText('Snooze')).toBeNull()
    expect(keys.queryByText('Staff')).toBeNull()
  })
})
