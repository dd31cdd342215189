import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { AuditLine } from '../../core/contract/audit-log.ts'
import { answer, type MadeCall, noAnswer } from './api.ts'
import { FakeEventSource } from './event-source.ts'
import { emptyDashboard, openDashboard } from './page.tsx'
import { auditLine, provider, staffAccount } from './samples.ts'

const SHARED = { state: 'none', can_switch_off: true }

const TAB = '/admin?tab=activity'

beforeEach(() => {
  emptyDashboard()
  log([])
})

describe('the activity', () => {
  it('says that nothing has been done', async () => {
    await openDashboard(TAB)
    await screen.findByText('No activity yet.')
    screen.getByText('Total: 0 actions')
  })

  it('says so when it cannot be loaded', async () => {
    answer('GET /api/audit-log', noAnswer)
    await openDashboard(TAB)
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to load the activity')
  })

  it('tells who did what, with the names of providers', async () => {
    answer('GET /api/providers', ({ query }) => (query.status === 'active' ? [provider(1)] : []))
    const matched = { action: 'assign-provider', entity_name: 'Jordan Avery', details: { from: null, to: 1 } } as const
    log([
      auditLine(2, { actor: 'staff', actor_name: null, action: 'sign-in', entity: 'session' }),
      auditLine(1, matched),
    ])
    await openDashboard(TAB)
    await screen.findByText('Total: 2 actions')
    await waitFor(() =>
      expect(told()).toEqual([
        ['Shared password', 'Signed in'],
        ['Ada Parkada@leadwell.example', 'Lead matched: Jordan Avery (to: Dr. Test 1)'],
      ]),
    )
  })

  it('shows what others do meanwhile', async () => {
    await openDashboard(TAB)
    await screen.findByText('Total: 0 actions')
    log([auditLine(1)])
    FakeEventSource.announce({ leads: [7] })
    await screen.findByText('Total: 1 action')
  })

  it('leads to the lead, unless that is gone or it was about all', async () => {
    const lines = [
      auditLine(3, { entity_name: 'Jordan Avery' }),
      auditLine(2, { action: 'delete', entity_id: '8' }),
      auditLine(1, { action: 'export', entity_id: 'all' }),
    ]
    log(lines)
    await openDashboard(TAB)
    await screen.findByText('Total: 3 actions')
    const links = within(screen.getByRole('tabpanel')).getAllByRole('link')
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Jordan Avery', '/admin?tab=leads&lead=7'],
    ])
  })

  it('can be asked for one person, one kind and one act, which is in the address', async () => {
    answer('GET /api/staff', { staff: [staffAccount(3)], shared_password: SHARED })
    const asked = log([auditLine(1)])
    const user = await openDashboard(TAB)
    await user.selectOptions(await screen.findByLabelText('Who'), 'Ada Park')
    await user.selectOptions(screen.getByLabelText('Subject'), 'Leads')
    log([])
    await user.selectOptions(screen.getByLabelText('Action'), 'Deleted')
    await screen.findByText('No activity matches.')
    const address = () => Object.fromEntries(new URLSearchParams(window.location.search))
    await waitFor(() =>
      expect(address()).toMatchObject({ actor: 'ada@leadwell.example', entity: 'lead', action: 'delete' }),
    )
    expect(asked.map(({ query }) => [query.actor, query.entity])).toEqual([
      [undefined, undefined],
      ['ada@leadwell.example', undefined],
      ['ada@leadwell.example', 'lead'],
    ])

    const all = log([auditLine(1)])
    await user.click(screen.getByRole('button', { name: 'Show all activity' }))
    await screen.findByText('Total: 1 action')
    await waitFor(() => expect(window.location.search).toBe('?tab=activity'))
    expect(all).toEqual([])
  })

  it('offers everybody to choose who may have done something', async () => {
    answer('GET /api/staff', {
      staff: [staffAccount(3, { name: 'Ben Ito', email: 'ben@leadwell.example' })],
      shared_password: SHARED,
    })
    log([auditLine(1)])
    await openDashboard(TAB)
    await screen.findByText('Total: 1 action')
    const options = () =>
      [...screen.getByLabelText('Who').querySelectorAll('option')].map(({ textContent }) => textContent)
    const others = ['Command line', 'Leadwell itself', 'Shared password', 'Somebody', 'The CRM']
    await waitFor(() =>
      expect(options()).toEqual(['Everybody', 'A clinic', 'A visitor', 'Ada Park', 'Ben Ito', ...others]),
    )
  })

  it('has pages, and which one is shown is in the address', async () => {
    const asked = answer('GET /api/audit-log', ({ query }) => ({
      lines: [auditLine(1, { action: 'delete', entity_id: String(1000 + query.page) })],
      total: 41,
    }))
    const user = await openDashboard(TAB)
    await screen.findByText('Page 1 of 2')
    await user.click(screen.getByRole('button', { name: 'Next' }))
    await waitFor(() => expect(told()[0]?.[1]).toBe('Deleted: lead #1002'))
    screen.getByText('Page 2 of 2')
    await waitFor(() => expect(window.location.search).toBe('?tab=activity&page=2'))
    expect(asked.at(-1)?.query).toEqual({ page: 2, limit: 40 })
  })
})

/** Makes the server know these acts, the newest first. */
function log(lines: AuditLine[]): MadeCall[] {
  return answer('GET /api/audit-log', { lines, total: lines.length })
}

/** Who did what, line by line. */
function told(): (string | undefined)[][] {
  return [...screen.getByRole('tabpanel').querySelectorAll('tbody tr')].map((row) => {
    const [, who, what] = row.querySelectorAll('td')
    const names = [...(who?.querySelectorAll('.text-ink, .text-quiet') ?? [])].map(({ textContent }) => textContent)
    return [names.join(''), what?.querySelector('p')?.textContent?.trim()]
  })
}
