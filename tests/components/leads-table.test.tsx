import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { LEADS_PER_PAGE } from '../../core/contract/leads.ts'
import { answer, heldAnswer, noAnswer, refusal } from './api.ts'
import { chooseInRow, rowOf, shownLeads, storeLeads, storeProviders } from './leads-page.ts'
import { emptyDashboard, openDashboard, rowsOf } from './page.tsx'
import { lead, provider } from './samples.ts'

beforeEach(() => emptyDashboard())

describe('the table of leads', () => {
  it('says that there are none yet, and exports nothing', async () => {
    await openDashboard()
    await screen.findByText('No leads yet. They appear here as soon as someone submits the form.')
    await screen.findByRole('tab', { name: 'Leads (0)' })
    await screen.findByText('Total: 0 leads')
    await screen.findByText('Page 1 of 1')
    expect(button('Previous').disabled).toBe(true)
    expect(button('Next').disabled).toBe(true)
    expect(button('Export Leads CSV').disabled).toBe(true)
  })

  it('says why they could not be loaded', async () => {
    answer('GET /api/leads', () => refusal(503, { error: 'The database is away.', code: 'unavailable' }))
    await openDashboard()
    expect((await screen.findByRole('alert')).textContent).toContain('503: The database is away.')
  })

  it('says so when there is no answer', async () => {
    answer('GET /api/leads', noAnswer)
    await openDashboard()
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to load leads')
  })

  it('says so when the providers cannot be loaded, and shows the leads all the same', async () => {
    storeLeads(lead(1))
    answer('GET /api/providers', noAnswer)
    await openDashboard()
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to load providers')
    await rowOf('Jordan Avery1')
  })

  it('shows contact, zip code, provider, date and CRM status', async () => {
    storeLeads(
      lead(1, { created_at: '2026-03-05T18:00:00.000Z' }),
      lead(2, { provider_id: 2, crm_sync_status: 'pending' }),
      lead(3, { provider_id: 9, crm_sync_status: 'failed' }),
      lead(4, { provider_id: null }),
    )
    storeProviders(provider(1), provider(2, { status: 'f' }))
    await openDashboard()

    const row = await rowOf('Jordan Avery1')
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent?.trim())).toEqual([
      '',
      'Contact',
      'Zip Code',
      'Provider',
      'Date',
      'CRM Sync',
      'Clinic',
      'Outcome',
      'Source',
      'Actions',
    ])
    for (const text of ['visitor1@visitors.example', '(512) 555-0001', '78702', 'Dr. Test 1', 'Mar 5, 2026', 'Success'])
      within(row).getByText(text)
    within(await rowOf('Jordan Avery2')).getByText('Inactive')
    within(await rowOf('Jordan Avery2')).getByText('Pending')
    within(await rowOf('Jordan Avery3')).getByText('Provider #9')
    within(await rowOf('Jordan Avery3')).getByText('Failed')
    within(await rowOf('Jordan Avery4')).getByText('Unmatched')
    screen.getByText('Total: 4 leads')
  })

  it('shows a lead of which something cannot be read, and hides no other for it', async () => {
    const odd = { crm_sync_status: 'odd', email_status: 'odd', match_kind: 'odd', created_at: null, matched_at: 'odd' }
    answer('GET /api/leads', () => Response.json({ leads: [{ ...lead(1), ...odd }, lead(2)], total: 2 }))
    await openDashboard()
    const row = await rowOf('Jordan Avery1')
    within(row).getByText('Pending')
    within(row).getByText('-')
    within(await rowOf('Jordan Avery2')).getByText('Success')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('shows a lead of which a delivery cannot be read, and hides no other for it', async () => {
    const deliveries = {
      clinic: { status: 'odd', next_attempt_at: 'odd' },
      pager: { status: 'success', next_attempt_at: null },
    }
    answer('GET /api/leads', () => Response.json({ leads: [{ ...lead(1), deliveries }, lead(2)], total: 2 }))
    await openDashboard()
    within(await rowOf('Jordan Avery1')).getByText('Waiting')
    within(await rowOf('Jordan Avery2')).getByText('Success')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('holds a lead for a reason that it does not know', async () => {
    answer('GET /api/leads', () => Response.json({ leads: [{ ...lead(1), held_reason: 'odd' }], total: 1 }))
    await openDashboard()
    within(await rowOf('Jordan Avery1')).getByText(/^The form looked as if a program had sent it\./)
  })

  it('tells apart how the CRM, the clinic and the visitor were reached, and what is tried again', async () => {
    const soon = new Date()
    const deliveries = {
      crm: { status: 'retrying', next_attempt_at: soon.toISOString() },
      clinic: { status: 'failed', next_attempt_at: null },
      visitor: { status: 'success', next_attempt_at: null },
      team: { status: 'success', next_attempt_at: null },
      previous_clinic: { status: 'pending', next_attempt_at: null },
    } as const
    storeLeads(lead(1, { crm_sync_status: 'pending', email_status: 'failed', deliveries }), lead(2))
    await openDashboard()
    const row = within(await rowOf('Jordan Avery1'))
    row.getByText('Pending')
    row.getByText(/^Trying again at \d{1,2}:\d\d [AP]M ET$/)
    row.getByText('Not reached')
    row.getByText('Previous clinic: Waiting')
  })

  it('names the practice beside the provider, and says how far it is', async () => {
    storeLeads(lead(1, { match_distance_miles: 12.3 }), lead(2, { provider_id: 2, match_distance_miles: 1500 }))
    storeProviders(provider(1), provider(2, { practiceName: null }))
    await openDashboard()
    const near = within(await rowOf('Jordan Avery1'))
    near.getByText('Test Clinic 1')
    near.getByText('12 miles')
    const far = await within(await rowOf('Jordan Avery2')).findByTitle('Beyond the radius')
    expect(far.textContent).toBe('1,500 miles, beyond the radius')
    expect(far.className).toContain('text-wait')
  })

  it('offers to match an unmatched lead in the cell of its provider', async () => {
    storeLeads(lead(1, { provider_id: null }))
    await openDashboard()
    const row = within(await rowOf('Jordan Avery1'))
    const cell = within(row.getByText('Unmatched').closest('td') as HTMLElement)
    const match = cell.getByRole('button', { name: 'Match with provider... Jordan Avery1' })
    expect(match.textContent).toBe('Match with provider...')
    expect(match.className).not.toContain('invisible')
  })

  it('shows the retry that a failure asks for, and the other one on hover', async () => {
    storeLeads(lead(1, { crm_sync_status: 'failed' }))
    await openDashboard()
    const row = within(await rowOf('Jordan Avery1'))
    expect(row.getByRole('button', { name: 'Retry CRM Sync' }).className).not.toContain('invisible')
    expect(row.getByRole('button', { name: 'Resend Email' }).className).toContain('invisible')
  })

  it('shows why a lead is held, and sends nothing until it is released', async () => {
    storeLeads(lead(1, { held_reason: 'honeypot', crm_sync_status: 'pending' }))
    await openDashboard()
    const row = within(await rowOf('Jordan Avery1'))
    row.getByText('Held')
    const reason = row.getByText(/A field that people cannot see was filled in. Nothing is sent until you release/)
    for (const name of ['Resend Email', 'Retry CRM Sync']) {
      const { disabled, attributes } = row.getByRole<HTMLButtonElement>('button', { name })
      expect(disabled).toBe(true)
      expect(attributes.getNamedItem('aria-describedby')?.value).toBe(reason.id)
    }
  })

  it('is turned page by page, and shows the last page there is', async () => {
    let total = LEADS_PER_PAGE + 1
    // One row stands for each page.
    answer('GET /api/leads', ({ query: { page } }) => ({
      leads: page <= Math.ceil(total / LEADS_PER_PAGE) ? [lead(page)] : [],
      total,
    }))
    answer('DELETE /api/leads/{id}', () => {
      total -= 1
      return { success: true }
    })
    const user = await openDashboard()
    await screen.findByText('Page 1 of 2')
    expect(button('Previous').disabled).toBe(true)
    await user.click(button('Next'))
    await screen.findByText('Page 2 of 2')
    const row = await rowOf('Jordan Avery2')
    expect(button('Next').disabled).toBe(true)

    await chooseInRow(user, row, 'Delete')
    await screen.findByText('Page 1 of 1')
    await screen.findByText('Total: 40 leads')
    await rowOf('Jordan Avery1')
  })

  it('leaves the rows in sight while others are on their way', async () => {
    storeLeads(lead(1), lead(2))
    const user = await openDashboard()
    await rowOf('Jordan Avery1')
    const held = heldAnswer({ leads: [lead(2)], total: 1 })
    answer('GET /api/leads', held.answer)
    await user.click(button('Held'))
    await waitFor(() => expect(screen.getByRole('table').getAttribute('aria-busy')).toBe('true'))
    expect(rowsOf(screen.getByRole('table'))).toHaveLength(2)
    held.release()
    await waitFor(() => expect(shownLeads()).toEqual(['Jordan Avery2']))
    expect(screen.getByRole('table').getAttribute('aria-busy')).toBe('false')
  })
})

it('is for viewers too, who can do nothing', async () => {
  emptyDashboard({ role: 'viewer' })
  storeLeads(lead(1, { held_reason: 'honeypot' }), lead(2, { provider_id: null }))
  await openDashboard()
  within(await rowOf('Jordan Avery1')).getByText(/Nothing is sent until a manager releases the lead/)
  for (const name of ['Delete', 'Resend Email', 'Retry CRM Sync', 'Release', 'Export Leads CSV'])
    expect(screen.queryByRole('button', { name }), name).toBeNull()
  expect(screen.queryByRole('link', { name: 'Export Leads CSV' })).toBeNull()
  const table = within(screen.getByRole('table'))
  expect(table.queryByRole('checkbox')).toBeNull()
  expect(table.queryByRole('combobox')).toBeNull()
})

function button(name: string): HTMLButtonElement {
  return screen.getByRole('button', { name })
}
