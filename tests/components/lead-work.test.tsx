import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { LeadWork } from '../../core/contract/lead-work.ts'
import type { LeadDetails } from '../../core/contract/leads.ts'
import type { Person } from '../../core/contract/session.ts'
import { answer } from './api.ts'
import { storeLeads } from './leads-page.ts'
import { emptyDashboard, openDashboard } from './page.tsx'
import { lead, leadDetails } from './samples.ts'

const ADA: Person = { id: 1, name: 'Ada Park', email: 'ada@leadwell.example', role: 'agent' }
const STAFF = [
  { id: 1, name: 'Ada Park' },
  { id: 2, name: 'Ben Ito' },
  { id: 3, name: 'Ana Flores' },
]
const NOTHING: LeadWork = { owner: null, next_action: null, next_action_on: null, tags: [], notes: [] }
const NOTE = {
  ...{ id: 5, body: 'Prefers mornings', author: 'ben@leadwell.example', author_name: 'Ben Ito' },
  ...{ at: '2026-11-20T15:00:00.000Z' },
}

async function openLead(work: Partial<LeadWork> = {}, { me = ADA, details = {} as Partial<LeadDetails> } = {}) {
  emptyDashboard(me)
  storeLeads(lead(7), lead(8))
  answer('GET /api/leads/{id}', ({ params }) => leadDetails(Number(params.id), details))
  answer('GET /api/leads/{id}/jobs', { jobs: [] })
  answer('GET /api/leads/{id}/work', { ...NOTHING, ...work })
  answer('GET /api/work-options', { staff: STAFF, tags: ['vip', 'call back'] })
  const changes = answer('PATCH /api/leads/{id}/work', { success: true })
  const added = answer('POST /api/leads/{id}/notes', { ...NOTE, id: 9 })
  const user = await openDashboard('/admin?lead=7')
  const panel = within(await screen.findByRole('complementary', { name: 'Jordan Avery7' }))
  return { user, panel, changes, added }
}
const bodies = (calls: { body?: unknown }[]) => calls.map(({ body }) => body)

beforeEach(() => vi.restoreAllMocks())

describe('who a lead is', () => {
  it('shows the place, the local time, and the means to call and to copy', async () => {
    const { user, panel } = await openLead({}, { details: { phone: '5125550142' } })
    await panel.findByText(/^Austin, TX/)
    panel.getByText(/\d{1,2}:\d\d [AP]M local time$/)
    expect(panel.getByRole('link', { name: 'Call (512) 555-0142' }).getAttribute('href')).toBe('tel:+15125550142')
    panel.getByRole('link', { name: 'Call (512) 555-0100' })

    await user.click(panel.getByRole('button', { name: 'Copy the clinic’s phone number' }))
    expect(await navigator.clipboard.readText()).toBe('(512) 555-0100')
    await panel.findByText('Copied the clinic’s phone number')
  })

  it('offers neither for masked contacts', async () => {
    const masked = { email: 'j•••@v•••.example', phone: '••• 42', clinic: null }
    const { panel } = await openLead({}, { me: { ...ADA, role: 'viewer' }, details: masked })
    await panel.findByText('••• 42')
    expect(panel.queryByRole('button', { name: /^Copy/ })).toBeNull()
    expect(panel.queryByRole('link', { name: /^Call/ })).toBeNull()
  })

  it('has the leads before and after it', async () => {
    const { user, panel } = await openLead()
    expect(panel.getByRole('button', { name: 'Previous' })).toHaveProperty('disabled', true)
    await user.click(panel.getByRole('button', { name: 'Next' }))
    const next = within(await screen.findByRole('complementary', { name: 'Jordan Avery8' }))
    expect(next.getByRole('button', { name: 'Next' })).toHaveProperty('disabled', true)
    await user.click(next.getByRole('button', { name: 'Previous' }))
    await screen.findByRole('complementary', { name: 'Jordan Avery7' })
  })
})

describe('the work on a lead', () => {
  it('gives it to oneself by a button or by a key, and to others', async () => {
    const { user, panel, changes } = await openLead()
    await user.click(await panel.findByRole('button', { name: 'Assign to me' }))
    await waitFor(() => expect(bodies(changes)).toEqual([{ owner_id: 1 }]))
    await user.selectOptions(panel.getByRole('combobox', { name: 'Owner' }), 'Ben Ito')
    expect(changes).toHaveLength(1)
    await user.click(panel.getByRole('button', { name: 'Save: Owner' }))
    await waitFor(() => expect(bodies(changes)).toEqual([{ owner_id: 1 }, { owner_id: 2 }]))
    ;(document.activeElement as HTMLElement | null)?.blur()
    await user.keyboard('a')
    await waitFor(() => expect(changes).toHaveLength(3))
  })

  it('has a next action with a day, which can be done', async () => {
    const { user, panel, changes } = await openLead({ next_action: 'Call again', next_action_on: '2026-01-02' })
    await panel.findByText('Overdue')
    await user.click(panel.getByRole('button', { name: 'Done: Next action' }))
    await waitFor(() => expect(bodies(changes)).toEqual([{ next_action: null, next_action_on: null }]))
    await user.type(panel.getByRole('textbox', { name: 'Next action' }), ' on Monday{Enter}')
    await waitFor(() => expect(bodies(changes)[1]).toMatchObject({ next_action: 'Call again on Monday' }))
  })

  it('has tags to add and to remove', async () => {
    const { user, panel, changes } = await openLead({ tags: ['vip'] })
    const field = await panel.findByRole('combobox', { name: 'Add a tag' })
    await user.type(field, '  Call  Back {Enter}')
    await user.click(panel.getByRole('button', { name: 'Remove the tag vip' }))
    await waitFor(() => expect(bodies(changes)).toEqual([{ tags: ['vip', 'call back'] }, { tags: [] }]))
    await user.type(field, '#1{Enter}')
    await panel.findByText('A tag consists of letters, digits and spaces')
  })

  it('is only read by viewers', async () => {
    const work = { owner: { id: 2, name: 'Ben Ito' }, next_action: 'Call again', tags: ['vip'], notes: [NOTE] }
    const { panel } = await openLead(work, { me: { ...ADA, role: 'viewer' } })
    await panel.findByText('Prefers mornings')
    panel.getByText('Call again')
    panel.getByText('vip')
    for (const name of [/tag/, /^Assign/, /Next action/, /^Delete/, /note/i]) {
      expect(panel.queryByRole('button', { name })).toBeNull()
    }
    expect(panel.queryByRole('textbox')).toBeNull()
  })
})

describe('a note', () => {
  it('is added with Ctrl+Enter', async () => {
    const { user, panel, added } = await openLead()
    const field = await panel.findByRole('textbox', { name: 'New note' })
    await user.type(field, 'Please call{Control>}{Enter}{/Control}')
    await waitFor(() => expect(added.map(({ body }) => body)).toEqual([{ body: 'Please call' }]))
    await waitFor(() => expect(field).toHaveProperty('value', ''))
  })

  it('is deleted by its author and by managers, after a question', async () => {
    const mine = { ...NOTE, id: 6, body: 'Mine', author: 'ada@leadwell.example', author_name: 'Ada Park' }
    const { user, panel } = await openLead({ notes: [NOTE, mine] })
    const removed = answer('DELETE /api/leads/{id}/notes/{noteId}', { success: true })
    const [theirs, own] = within(await panel.findByRole('list', { name: 'Notes' })).getAllByRole('listitem')
    if (!theirs || !own) throw new Error('two notes')
    expect(within(theirs).queryByRole('button')).toBeNull()
    await user.click(within(own).getByRole('button', { name: 'Delete' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(removed.map(({ params }) => params.noteId)).toEqual([6]))
  })

  it('begins with the key n', async () => {
    const { user, panel } = await openLead()
    const field = await panel.findByRole('textbox', { name: 'New note' })
    await user.keyboard('n')
    expect(document.activeElement).toBe(field)
    expect(field).toHaveProperty('value', '')
  })
})
