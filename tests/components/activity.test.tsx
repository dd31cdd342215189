import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { AccessLine, AuditLine } from '../../core/staff/contract/audit-log.ts'
import { answer, type MadeCall } from './api.ts'
import { openLead, storeProviders } from './leads-page.ts'
import { emptyDashboard, openDashboard } from './page.tsx'
import { accessLine, auditLine, provider, staffAccount } from './samples.ts'

const NO_SHARED = { state: 'none', can_switch_off: true }
const VERA = { name: 'Vera Quill', email: 'viewer@leadwell.example' }
beforeEach(() => {
  emptyDashboard()
  log()
  answer('GET /api/staff', { staff: [staffAccount(3), staffAccount(4, VERA)], shared_password: NO_SHARED })
})

/** Makes the server know these acts, the newest first. */
function log(...lines: AuditLine[]): MadeCall[] {
  return answer('GET /api/audit-log', { lines, total: lines.length })
}
/** The words of each line but for its time. */
const told = () =>
  [...screen.getByRole('tabpanel').querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].slice(1).map(({ textContent }) => textContent?.replace(/^(Who|What|From)/, '')),
  )

describe('what was done', () => {
  const TAB = '/admin?tab=activity'

  it('is told with who did it and the names of providers, and leads to the lead, unless that is gone', async () => {
    storeProviders(provider(1))
    const matched = { action: 'assign-provider', entity_name: 'Jordan Avery', details: { from: null, to: 1 } } as const
    log(
      auditLine(4, { actor: 'staff', actor_name: null, action: 'sign-in', entity: 'session' }),
      auditLine(3, matched),
      auditLine(2, { action: 'delete', entity_id: '8' }),
      auditLine(1, { action: 'export', entity_id: 'all' }),
    )
    await openDashboard(TAB)
    await screen.findByText('Total: 4 actions')
    await waitFor(() => expect(told()[1]?.[1]).toContain('Lead matched: Jordan Avery (to: Dr. Test 1)'))
    expect(told()[0]?.slice(0, 2).join()).toMatch(/Shared password.*Signed in/)
    expect(told()[1]?.[0]).toMatch(/Ada Park.*ada@leadwell\.example/)
    const links = within(screen.getByRole('region', { name: 'Activity' })).getAllByRole('link')
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['/admin?tab=leads&lead=7'])
  })

  it('can be asked for one person and one kind, which is in the address', async () => {
    const asked = log(auditLine(1))
    const user = await openDashboard(TAB)
    await user.selectOptions(await screen.findByLabelText('Who'), 'Ada Park')
    log()
    await user.selectOptions(screen.getByLabelText('Subject'), 'Leads')
    await screen.findByText('No activity matches.')
    const wanted = { actor: 'ada@leadwell.example', entity: 'lead' }
    await waitFor(() => expect(Object.fromEntries(new URLSearchParams(window.location.search))).toMatchObject(wanted))
    expect(asked.at(-1)?.query).toMatchObject({ actor: wanted.actor })
    const all = log(auditLine(1))
    await user.click(screen.getByRole('button', { name: 'Show all activity' }))
    await screen.findByText('Total: 1 action')
    await waitFor(() => expect(window.location.search).toBe('?tab=activity'))
    expect(all).toEqual([])
  })
})

describe('what was read', () => {
  let asked: MadeCall[]
  function read(...lines: AccessLine[]) {
    asked = answer('GET /api/access-log', { lines, total: lines.length })
  }

  it('says who saw which leads, with what filter and from where, and asks for one person', async () => {
    read(
      accessLine(4, { call: 'GET /api/leads/:id', count: 1, row_ids: [12] }),
      accessLine(3, { filter: { unmatched: true, search: true, sort: '-created_at' } }),
      accessLine(2, { call: 'GET /api/leads.csv', count: 1200, row_ids: [1, 2, 3, 4, 5, 6], session_id: null }),
      accessLine(1, { entity: 'application', count: 1, row_ids: [3], actor: 'staff', actor_name: null }),
    )
    const user = await openDashboard('/admin?tab=activity')
    await user.click(await screen.findByRole('button', { name: 'Access' }))
    await screen.findByText('Total: 4 readings')
    const vera = 'Vera Quillviewer@leadwell.example'
    expect(screen.getAllByTitle('198.51.100.20, session #7')).toHaveLength(3)
    expect(told()).toEqual([
      [vera, 'opened lead #12'],
      [vera, 'saw 2 leads (unmatched, search) #11, #12'],
      [vera, 'downloaded 1,200 leads #1, #2, #3, #4, #5 and 1,195 more'],
      ['Shared password', 'saw application #3'],
    ])
    await user.selectOptions(screen.getByLabelText('Who'), 'Vera Quill')
    await waitFor(() => expect(asked.at(-1)?.query).toMatchObject({ actor: VERA.email }))
    await user.click(screen.getByRole('button', { name: 'Show all access' }))
    await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>('Who').value).toBe(''))
  })

  it('is told of one lead from its panel', async () => {
    read()
    const { user, panel } = await openLead()
    await user.click(await panel.findByRole('button', { name: 'More for Jordan Avery7' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Who has seen this lead' }))
    await screen.findByText('Only lead #7')
    expect(asked.at(-1)?.query).toMatchObject({ entity: 'lead', rowId: 7 })
    await screen.findByText('No access matches.')
  })
})
