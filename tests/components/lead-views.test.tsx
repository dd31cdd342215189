import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { LeadView } from '../../core/contract/lead-views.ts'
import { answer, refusal } from './api.ts'
import { rowOf, type StoredLeads, storeLeads } from './leads-page.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { lead } from './samples.ts'

let stored: StoredLeads
beforeEach(() => {
  emptyDashboard()
  stored = storeLeads(lead(1))
})

const button = (name: string) => screen.getByRole('button', { name })
/** What the last call asked for, without the page. */
function asked(): Record<string, unknown> {
  const { page, limit, ...query } = stored.calls.at(-1)?.query ?? {}
  return query
}

const TEXAS: LeadView = {
  id: 5,
  name: 'Texas',
  filter: { state: 'TX', not_reached: true },
  sort: 'provider',
  is_shared: false,
  is_pinned: true,
  is_own: true,
  owner_name: null,
}
function storeViews(...views: LeadView[]): LeadView[] {
  answer('GET /api/lead-views', () => ({ views }))
  return views
}

describe('the chips', () => {
  it('count what needs attention, and filter by it', async () => {
    answer('GET /api/leads/counts', {
      all: 900,
      failed: 77,
      unmatched: 75,
      held: 17,
      not_reached: 1042,
      late: 1,
      due: 0,
    })
    const user = await openDashboard()
    await rowOf('Jordan Avery1')
    await waitFor(() => expect(button('Not reached').textContent).toBe('Not reached1,042'))
    expect(['Failed', 'Unmatched', 'Held', 'Late'].map((name) => button(name).title)).toEqual([
      '77 leads',
      '75 leads',
      '17 leads',
      '1 lead',
    ])
    await user.click(button('Not reached'))
    await waitFor(() => expect(asked()).toEqual({ sort: '-created_at', not_reached: true }))
    expect(button('Not reached').getAttribute('aria-pressed')).toBe('true')
    await user.click(button('Not reached'))
    await waitFor(() => expect(location.search).toBe(''))
  })

  it('show the leads with a due next action, where there are any', async () => {
    const counts = { all: 9, failed: 0, unmatched: 0, held: 0, not_reached: 0, late: 0 }
    answer('GET /api/leads/counts', { ...counts, due: 2 })
    const user = await openDashboard()
    await user.click(await screen.findByRole('button', { name: 'Due' }))
    await waitFor(() => expect(asked()).toEqual({ sort: '-created_at', due: true }))
    expect(button('Due').textContent).toBe('Due2')
    await user.click(button('Due'))
    await waitFor(() => expect(location.search).toBe(''))
  })

  it('leave Due out where nothing is', async () => {
    answer('GET /api/leads/counts', { all: 9, failed: 0, unmatched: 0, held: 4, not_reached: 0, late: 0, due: 0 })
    await openDashboard()
    await screen.findByTitle('4 leads')
    expect(screen.queryByRole('button', { name: 'Due' })).toBeNull()
  })

  it('work without the counts', async () => {
    answer('GET /api/leads/counts', () => refusal(503))
    const user = await openDashboard()
    await rowOf('Jordan Avery1')
    await user.click(button('Late'))
    await waitFor(() => expect(asked()).toEqual({ sort: '-created_at', late: true }))
  })
})

describe('the filters', () => {
  it('offer the states, sources and campaigns that leads have, and distances and ages', async () => {
    answer('GET /api/leads/filter-values', { states: ['MD', 'TX'], sources: ['google'], campaigns: ['spring'] })
    const user = await openDashboard()
    await rowOf('Jordan Avery1')
    await user.click(button('Filters'))
    await screen.findByRole('option', { name: 'TX' })
    const choose = (name: string, option: string) => user.selectOptions(screen.getByRole('combobox', { name }), option)
    await choose('State', 'TX')
    await choose('Source', 'Unknown')
    await choose('Campaign', 'spring')
    await choose('Failing because', 'The mailbox does not exist')
    await user.type(screen.getByLabelText('Miles to the clinic, at least'), '20{Enter}')
    const age = screen.getByLabelText('Age in days, at most')
    await user.type(age, '7')
    fireEvent.blur(age)

    const conditions = { state: 'TX', source: 'none', campaign: 'spring', cause: 'unknown_mailbox' }
    await waitFor(() => expect(asked()).toEqual({ sort: '-created_at', ...conditions, min_miles: 20, max_age_days: 7 }))
    await screen.findByRole('button', { name: 'Filters (6)' })

    for (const words of ['State: TX', 'Source: unknown', '20 miles or more', 'Up to 7 days old']) {
      await user.click(button(`${words}: remove this filter`))
    }
    await waitFor(() => expect(asked()).toEqual({ sort: '-created_at', campaign: 'spring', cause: 'unknown_mailbox' }))
    expect(screen.getByLabelText<HTMLInputElement>('Miles to the clinic, at least').value).toBe('')
    await user.click(button('Clear all'))
    await waitFor(() => expect(location.search).toBe(''))
  })

  it('offer the owner and the tag of a lead, and name them in words', async () => {
    emptyDashboard({ id: 3, name: 'Ada Park' })
    stored = storeLeads(lead(1))
    answer('GET /api/work-options', {
      staff: [
        { id: 3, name: 'Ada Park' },
        { id: 12, name: 'Ben Ito' },
      ],
      tags: ['vip', 'call back'],
    })
    const user = await openDashboard()
    await rowOf('Jordan Avery1')
    await user.click(button('Filters'))
    const owner = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Owner' })
    await within(owner).findByRole('option', { name: 'Ben Ito' })
    expect([...owner.options].map(({ text }) => text)).toEqual(['Any', 'Nobody', 'Me', 'Ben Ito'])
    await user.selectOptions(owner, 'Me')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Tag' }), 'call back')
    await waitFor(() => expect(asked()).toEqual({ sort: '-created_at', owner: 3, tag: 'call back' }))
    await screen.findByRole('button', { name: 'Tag: call back: remove this filter' })
    await user.click(button('Owner: Ada Park: remove this filter'))
    await user.selectOptions(owner, 'Nobody')
    await waitFor(() => expect(asked()).toEqual({ sort: '-created_at', owner: 'none', tag: 'call back' }))
    await screen.findByRole('button', { name: 'Owner: nobody: remove this filter' })
  })

  it('show an owner whose account is disabled', async () => {
    await openDashboard('/admin?owner=8')
    await screen.findByRole('button', { name: 'Owner: account no. 8: remove this filter' })
    await waitFor(() =>
      expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Owner' }).selectedOptions[0]?.text).toBe(
        'account no. 8',
      ),
    )
  })

  it('show a chosen value that no lead has any more', async () => {
    await openDashboard('/admin?source=radio')
    await screen.findByRole('button', { name: 'Source: radio: remove this filter' })
    await waitFor(() => expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Source' }).value).toBe('radio'))
  })
})

describe('saved views', () => {
  it('show a view, whose filter and order are in the address', async () => {
    storeViews(TEXAS, { ...TEXAS, id: 6, name: 'Hidden', is_pinned: false })
    const user = await openDashboard()
    await user.click(await screen.findByRole('button', { name: 'Texas' }))
    await waitFor(() => expect(asked()).toEqual({ sort: 'provider', state: 'TX', not_reached: true }))
    expect(button('Texas').getAttribute('aria-pressed')).toBe('true')
    await waitFor(() => expect(location.search).toContain('state=TX'))
    expect(screen.queryByRole('button', { name: 'Hidden' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Save view' })).toBeNull()

    await user.click(button('Texas'))
    await waitFor(() => expect(location.search).toBe(''))
  })

  it('save what the list shows, without the search', async () => {
    const views = storeViews()
    const saved = answer('POST /api/lead-views', ({ body }) => {
      views.push({ ...TEXAS, ...body, id: 7 })
      return views[0] as LeadView
    })
    const user = await openDashboard('/admin?state=TX&q=jordan&sort=source')
    await user.click(await screen.findByRole('button', { name: 'Save view' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Save view' }))
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
    await user.type(dialog.getByLabelText('Name'), ' From Texas ')
    await user.click(dialog.getByLabelText('For all staff'))
    await user.click(dialog.getByRole('button', { name: 'Save' }))

    await waitFor(() => expect(button('From Texas').getAttribute('aria-pressed')).toBe('true'))
    const view = { filter: { state: 'TX' }, sort: 'source', is_shared: true, is_pinned: true }
    expect(saved.map(({ body }) => body)).toEqual([{ name: 'From Texas', ...view }])
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('offer to update the view that was shown last', async () => {
    storeViews(TEXAS)
    const changed = answer('PATCH /api/lead-views/{id}', {
      ...TEXAS,
      filter: { state: 'TX', not_reached: true, held: true },
    })
    const user = await openDashboard()
    await user.click(await screen.findByRole('button', { name: 'Texas' }))
    expect(screen.queryByRole('button', { name: 'Update “Texas”' })).toBeNull()
    await user.click(button('Held'))
    await user.click(await screen.findByRole('button', { name: 'Update “Texas”' }))
    await findToast('The view “Texas” has been updated.')
    expect(changed.map(({ params, body }) => [params.id, body])).toEqual([
      [5, { filter: { state: 'TX', not_reached: true, held: true }, sort: 'provider' }],
    ])
  })

  it('rename, pin and share a view', async () => {
    storeViews(TEXAS)
    const changed = answer('PATCH /api/lead-views/{id}', TEXAS)
    const user = await openDashboard()
    await user.click(await screen.findByRole('button', { name: 'Views (1)' }))
    await user.click(button('Unpin Texas'))
    await findToast('“Texas” is no longer beside the filters.')
    await user.click(button('Share: Texas'))
    await findToast('All staff have “Texas” now.')
    await user.click(button('Rename Texas'))
    const dialog = within(screen.getByRole('dialog', { name: 'Rename view' }))
    await user.type(dialog.getByLabelText('Name'), ' and Utah')
    await user.click(dialog.getByRole('button', { name: 'Rename' }))
    await findToast('The view has been renamed.')
    expect(changed.map(({ body }) => body)).toEqual([
      { is_pinned: false },
      { is_shared: true },
      { name: 'Texas and Utah' },
    ])
  })

  it('delete a view, and take it back', async () => {
    const views = storeViews(TEXAS)
    answer('DELETE /api/lead-views/{id}', () => {
      views.length = 0
      return { success: true }
    })
    const saved = answer('POST /api/lead-views', TEXAS)
    const user = await openDashboard()
    await user.click(await screen.findByRole('button', { name: 'Views (1)' }))
    await user.click(button('Delete Texas'))
    await findToast('“Texas” has been deleted.')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(button('Undo'))
    await findToast('“Texas” is back.')
    const { name, filter, sort, is_shared, is_pinned } = TEXAS
    expect(saved.map(({ body }) => body)).toEqual([{ name, filter, sort, is_shared, is_pinned }])
  })

  it('leave those for all to managers, and let a viewer save private ones', async () => {
    emptyDashboard({ role: 'viewer' })
    storeLeads(lead(1))
    storeViews({ ...TEXAS, is_shared: true, is_own: false, owner_name: 'Ada Park' })
    const user = await openDashboard('/admin?held=true')
    await user.click(await screen.findByRole('button', { name: 'Save view' }))
    screen.getByRole('dialog', { name: 'Save view' })
    expect(screen.queryByLabelText('For all staff')).toBeNull()
    await user.click(button('Cancel'))
    await user.click(button('Views (1)'))
    expect(screen.queryByRole('button', { name: 'Delete Texas' })).toBeNull()
    screen.getByText('For all')
  })
})
