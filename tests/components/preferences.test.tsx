import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { rowOf, storeLeads } from './leads-page.ts'
import { emptyDashboard, openDashboard } from './page.tsx'
import { lead } from './samples.ts'

const ACCOUNT = { id: 1, name: 'Ada Park', email: 'ada@staff.example' }
const scheme = () => document.documentElement.dataset.scheme

beforeEach(() => {
  emptyDashboard(ACCOUNT)
  storeLeads(lead(1))
})
afterEach(() => localStorage.clear())

describe('the colors of the dashboard', () => {
  it('follow the system until the viewer chooses, which this browser remembers', async () => {
    const user = await openDashboard()
    await rowOf('Jordan Avery1')
    expect(scheme()).toBe('system')
    await user.click(await screen.findByRole('button', { name: /^Account of / }))
    await user.click(await screen.findByRole('menuitemradio', { name: 'Dark' }))
    await waitFor(() => expect(scheme()).toBe('dark'))
    expect(localStorage.getItem('dashboard-preferences')).toContain('"scheme":"dark"')
    await user.click(screen.getByRole('menuitemradio', { name: 'As the system' }))
    await waitFor(() => expect(scheme()).toBe('system'))
  })
})

describe('the list of leads', () => {
  it('has dense rows where they are wanted', async () => {
    const user = await openDashboard()
    const row = await rowOf('Jordan Avery1')
    expect(row.closest('[data-density]')?.getAttribute('data-density')).toBe('comfortable')
    await user.click(screen.getByRole('button', { name: 'Display' }))
    await user.click(await screen.findByRole('menuitemradio', { name: 'Dense' }))
    await waitFor(() => expect(row.closest('[data-density]')?.getAttribute('data-density')).toBe('dense'))
  })

  it('sorts by any column', async () => {
    const stored = storeLeads(lead(1))
    const user = await openDashboard()
    await rowOf('Jordan Avery1')
    for (const [name, sort] of [
      ['Provider', 'provider'],
      ['CRM Sync', 'crm'],
      ['Clinic', 'clinic'],
      ['Outcome', 'outcome'],
      ['Source', 'source'],
    ]) {
      await user.click(screen.getByRole('button', { name }))
      await waitFor(() => expect(stored.calls.at(-1)?.query.sort).toBe(sort))
    }
    await user.click(screen.getByRole('button', { name: 'Source' }))
    await waitFor(() => expect(stored.calls.at(-1)?.query.sort).toBe('-source'))
  })
})
