import { screen, waitFor, within } from '@testing-library/react'
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
    await user.keyboard('e')
    await findToast('Successfully retried email')
    await user.keyboard('r')
    await findToast('Successfully retried CRM sync')
    expect([...emails, ...syncs].map(({ params }) => params)).toEqual([{ id: 2 }, { id: 2 }])

    await user.keyboard('m')
    await screen.findByRole('dialog', { name: 'Change clinic' })
    await user.keyboard('{Escape}')
    const deletions = answer('DELETE /api/leads/{id}', { success: true })
    await user.keyboard('#')
    await findToast('Lead deleted successfully')
    expect(deletions.map(({ params }) => params)).toEqual([{ id: 2 }])
  })

  it('send nothing of a lead that is held', async () => {
    storeLeads(lead(1, { held_reason: 'too_fast' }))
    const syncs = answer('POST /api/leads/{id}/retry-sync', { success: true })
    const user = await openDashboard()
    await rowOf('Jordan Avery1')
    await user.keyboard('jr')
    expect(syncs).toEqual([])
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
    await user.keyboard('r')
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
