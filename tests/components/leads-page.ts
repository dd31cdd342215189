import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect } from 'vitest'
import type { LeadDetails, ListedLead } from '../../core/leads/contract/leads.ts'
import type { StaffProvider } from '../../core/providers/contract/providers.ts'
import { answer, type MadeCall } from './api.ts'
import { openDashboard } from './page.tsx'
import { lead, leadDetails, provider } from './samples.ts'

/** The leads that the API has, for a test to change, and how it was asked for them. */
export type StoredLeads = { leads: ListedLead[]; calls: MadeCall[] }

/** Answers the list of leads page by page; what filters and orders do is the API's own affair. There is one clinic. */
export function storeLeads(...leads: ListedLead[]): StoredLeads {
  const stored: StoredLeads = { leads, calls: [] }
  storeProviders(provider(1))
  stored.calls = answer('GET /api/leads', ({ query: { page, limit } }) => {
    const first = (page - 1) * limit
    return { leads: stored.leads.slice(first, first + limit), total: stored.leads.length }
  })
  return stored
}

/** Waits until the last call for the list has asked for this, without the page. */
export const isAsked = ({ calls }: StoredLeads, wanted: object) =>
  waitFor(() => {
    const { page, limit, ...query } = calls.at(-1)?.query ?? {}
    expect(query).toEqual({ sort: '-created_at', ...wanted })
  })

export function storeProviders(...providers: StaffProvider[]): void {
  answer('GET /api/providers', ({ query }) =>
    providers.filter(({ status }) => (status === 't') === (query.status === 'active')),
  )
}

export async function rowOf(name: string): Promise<HTMLElement> {
  return (await screen.findByRole('link', { name })).closest('tr') as HTMLElement
}

export async function openLeads(path?: string): Promise<UserEvent> {
  const user = await openDashboard(path)
  await screen.findAllByTitle('What happened')
  return user
}

/** Opens lead 7 with these details beside the list, where lead 8 is the next one, and what happened to it. */
export async function openLead(details: Partial<LeadDetails> = {}, ledger: object = {}) {
  storeLeads(lead(7, details), lead(8))
  answer('GET /api/leads/{id}', ({ params }) => leadDetails(params.id, details))
  answer('GET /api/leads/{id}/jobs', { jobs: [], ...ledger })
  const user = await openDashboard('/admin?lead=7')
  return { user, panel: within(await screen.findByRole('complementary', { name: 'Jordan Avery7' })) }
}

export async function chooseInRow(user: UserEvent, row: HTMLElement, name: string): Promise<void> {
  await user.click(within(row).getByRole('button', { name: /^More for / }))
  await user.click(await screen.findByRole('menuitem', { name }))
}

export async function chooseForAll(user: UserEvent, name: string): Promise<void> {
  await user.click(await screen.findByRole('button', { name: 'More for all leads' }))
  await user.click(await screen.findByRole('menuitem', { name }))
}

export function shownLeads(): (string | null)[] {
  return screen.queryAllByTitle('What happened').map(({ textContent }) => textContent)
}
