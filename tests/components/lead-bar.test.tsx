import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LeadDetails } from '../../core/contract/leads.ts'
import type { StaffRole } from '../../core/contract/staff.ts'
import { answer } from './api.ts'
import { storeLeads } from './leads-page.ts'
import { emptyDashboard, openDashboard } from './page.tsx'
import { lead, leadDetails } from './samples.ts'

const { happyDOM } = window as unknown as { happyDOM: { setViewport(size: object): void } }
beforeEach(() => happyDOM.setViewport({ width: 390, height: 844 }))
afterEach(() => happyDOM.setViewport({ width: 1440, height: 900 }))

/** Opens lead 7 on a phone. Returns the bar at the bottom of its panel. */
async function openLead(details: Partial<LeadDetails> = {}, role: StaffRole = 'manager') {
  emptyDashboard({ role })
  storeLeads(lead(7, details))
  answer('GET /api/leads/{id}', leadDetails(7, details))
  answer('GET /api/leads/{id}/jobs', { jobs: [] })
  answer('GET /api/leads/{id}/next-clinic', { clinic: null })
  const user = await openDashboard('/admin?lead=7')
  const panel = await screen.findByRole('complementary', { name: 'Jordan Avery7' })
  await within(panel).findByText('Received')
  const bar = panel.lastElementChild as HTMLElement
  return { user, panel: within(panel), bar: within(bar) }
}
const names = (bar: Awaited<ReturnType<typeof openLead>>['bar']) =>
  [...bar.queryAllByRole('link'), ...bar.queryAllByRole('button')].map(
    (part) => part.getAttribute('aria-label') ?? part.textContent,
  )
const MORE = 'More for Jordan Avery7'
const FAILED = { status: 'failed', next_attempt_at: null } as const
const SENT = { status: 'success', next_attempt_at: null } as const
const LATE = { started_at: '2026-11-20T15:00:00.000Z', due_at: '2026-11-21T15:00:00.000Z', answered_at: null }

describe('the bar of a lead on a phone', () => {
  it.each<[string, Partial<LeadDetails>, string]>([
    ['is not matched', { provider_id: null, matched_at: null, deliveries: {} }, 'Match...'],
    ['is held', { held_reason: 'honeypot', provider_id: null }, 'Release'],
    ['did not reach the clinic', { deliveries: { crm: FAILED, clinic: FAILED } }, 'Resend Email'],
    ['is late', { answer: LATE }, 'Pass on Jordan Avery7 to the next clinic'],
    ['did not reach the CRM', { deliveries: { crm: FAILED, clinic: SENT } }, 'Retry CRM Sync'],
    ['is delivered', {}, 'Record an outcome...'],
  ])('offers a manager what a lead asks for that %s', async (_, details, act) => {
    const { bar } = await openLead(details)
    expect(names(bar)).toEqual(['Call', act, MORE])
    expect(bar.getByRole('link', { name: 'Call' }).getAttribute('href')).toBe('tel:+15125550007')
  })

  it.each<[string, Partial<LeadDetails>, string[]]>([
    ['matched', {}, ['Call', 'Record an outcome...', MORE]],
    ['held', { held_reason: 'honeypot', provider_id: null }, ['Call', MORE]],
  ])('offers an agent what they may do with a %s lead', async (_, details, expected) => {
    expect(names((await openLead(details, 'agent')).bar)).toEqual(expected)
  })

  it('offers no call to a person who wants none', async () => {
    const { bar } = await openLead({ do_not_contact: true })
    expect(names(bar)).not.toContain('Call')
  })

  it('is not there for a viewer, who may do nothing', async () => {
    const { panel } = await openLead({ phone: '••• 07' }, 'viewer')
    expect(panel.queryByRole('button', { name: MORE })).toBeNull()
  })

  it('has the rest behind three dots', async () => {
    const { user, bar } = await openLead()
    await user.click(bar.getByRole('button', { name: MORE }))
    const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
    expect(items).toEqual([
      ...['Edit...', 'Record an outcome...', 'Change clinic...', 'Resend Email', 'Retry CRM Sync', 'Delete'],
    ])
  })

  it('covers the page, which is as before once the lead is closed', async () => {
    const { user, panel } = await openLead()
    expect(document.querySelector<HTMLElement>('header')?.inert).toBe(true)
    expect(document.documentElement.style.overflow).toBe('hidden')
    await user.click(panel.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
    expect(document.querySelector<HTMLElement>('header')?.inert).toBe(false)
    expect(document.documentElement.style.overflow).toBe('')
  })
})
