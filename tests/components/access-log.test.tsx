import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { AccessLine } from '../../core/contract/access-log.ts'
import { answer, noAnswer } from './api.ts'
import { emptyDashboard, openDashboard } from './page.tsx'
import { accessLine, lead, leadDetails, staffAccount } from './samples.ts'

const TAB = '/admin?tab=activity&log=access'

let asked: unknown[] = []

function log(lines: AccessLine[]) {
  answer('GET /api/access-log', ({ query }) => {
    asked.push(query)
    return { lines, total: lines.length }
  })
}

const told = () =>
  [...document.querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].slice(1).map(({ textContent }) => textContent?.replace(/^(Who|What|From)/, '')),
  )

beforeEach(() => {
  asked = []
  emptyDashboard()
  answer('GET /api/audit-log', { lines: [], total: 0 })
  log([])
})

describe('what was read', () => {
  it('is one click away for managers', async () => {
    log([accessLine(1)])
    await openDashboard('/admin?tab=activity')
    fireEvent.click(await screen.findByRole('button', { name: 'What was read' }))
    await screen.findByText('Total: 1 reading')
  })

  it('says who saw which leads, with what filter, and from where', async () => {
    log([
      accessLine(4, { call: 'GET /api/leads/:id', count: 1, row_ids: [12] }),
      accessLine(3, { filter: { unmatched: true, search: true, sort: '-created_at' } }),
      accessLine(2, { call: 'GET /api/leads.csv', count: 1200, row_ids: [1, 2, 3, 4, 5, 6], session_id: null }),
      accessLine(1, { entity: 'application', count: 1, row_ids: [3], actor: 'staff', actor_name: null }),
    ])
    await openDashboard(TAB)
    await screen.findByText('Total: 4 readings')
    expect(told()).toEqual([
      ['Vera Quillviewer@leadwell.example', 'opened lead #12', '198.51.100.20session #7'],
      ['Vera Quillviewer@leadwell.example', 'saw 2 leads (unmatched, search) #11, #12', '198.51.100.20session #7'],
      [
        'Vera Quillviewer@leadwell.example',
        'downloaded 1,200 leads #1, #2, #3, #4, #5 and 1,195 more',
        '198.51.100.20',
      ],
      ['Shared password', 'saw application #3', '198.51.100.20session #7'],
    ])
  })

  it('asks for one person', async () => {
    answer('GET /api/staff', {
      staff: [staffAccount(1, { name: 'Vera Quill', email: 'viewer@leadwell.example' })],
      shared_password: { state: 'none', can_switch_off: false },
    })
    await openDashboard(TAB)
    await screen.findByRole('option', { name: 'Vera Quill' })
    fireEvent.change(screen.getByLabelText('Who'), { target: { value: 'viewer@leadwell.example' } })
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ actor: 'viewer@leadwell.example' }))
    fireEvent.click(screen.getByRole('button', { name: 'Show all access' }))
    await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>('Who').value).toBe(''))
    expect(screen.queryByRole('button', { name: 'Show all access' })).toBeNull()
  })

  it('is told of one lead from its panel', async () => {
    answer('GET /api/leads', { leads: [lead(12)], total: 1 })
    answer('GET /api/leads/{id}', leadDetails(12))
    answer('GET /api/leads/{id}/jobs', { jobs: [], acts: [] })
    await openDashboard('/admin?lead=12')
    fireEvent.click(await screen.findByRole('link', { name: 'Who has seen this lead' }))
    await screen.findByText('Only lead #12')
    expect(asked.at(-1)).toMatchObject({ entity: 'lead', rowId: 12 })
    await screen.findByText('No access matches.')
  })

  it('says when nothing was read, and when the log cannot be loaded', async () => {
    await openDashboard(TAB)
    await screen.findByText('Nothing has been opened yet.')
    answer('GET /api/access-log', noAnswer)
    fireEvent.click(screen.getByRole('button', { name: 'What was done' }))
    fireEvent.click(screen.getByRole('button', { name: 'What was read' }))
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to load the access log')
  })
})
