import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { answer, refusal } from './api.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { lead, provider } from './samples.ts'

beforeEach(() => emptyDashboard())

describe('the table of leads', () => {
  it('says that there are none yet', async () => {
    await openDashboard()
    await screen.findByText('No leads yet. They appear here as soon as somebody sends the form.')
  })

  it('says why they could not be loaded', async () => {
    answer('GET /api/leads', () => refusal(503, { error: 'The database is away.', code: 'unavailable' }))
    await openDashboard()
    expect((await screen.findByRole('alert')).textContent).toContain('503: The database is away.')
  })

  it('tells the CRM again', async () => {
    answer('GET /api/providers', [provider(1)])
    answer('GET /api/leads', { leads: [lead(7, { crm_sync_status: 'failed' })], total: 1 })
    const retries = answer('POST /api/leads/{id}/retry-sync', { success: true })
    const user = await openDashboard()

    const row = (await screen.findByText('Jordan Avery7')).closest('tr') as HTMLElement
    await user.click(within(row).getByRole('button', { name: 'Retry CRM Sync' }))
    await findToast('Success', 'Successfully retried CRM sync')
    expect(retries.map(({ params }) => params)).toEqual([{ id: 7 }])
  })
})
