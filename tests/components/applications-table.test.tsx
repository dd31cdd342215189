import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { APPLICATIONS_PER_PAGE } from '../../core/contract/applications.ts'
import { answer, noAnswer, refusal } from './api.ts'
import {
  applicationRow,
  openApplications,
  type StoredApplications,
  statusFilter,
  storeApplications,
} from './applications-page.ts'
import { emptyDashboard } from './page.tsx'
import { application, applicationDetails, job } from './samples.ts'

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

let stored: StoredApplications
beforeEach(() => {
  emptyDashboard()
  stored = storeApplications()
})

describe('the table of applications', () => {
  it('says that there are none yet, and exports nothing', async () => {
    await openApplications()
    await screen.findByText('No applications yet. They appear here as soon as a clinic applies.')
    screen.getByRole('tab', { name: 'Applications (0)' })
    screen.getByText('Total: 0 applications')
    expect(button('Export Applications CSV').disabled).toBe(true)
  })

  it('says why they could not be loaded', async () => {
    answer('GET /api/provider-applications', () => refusal(500, { error: 'It is our fault.', code: 'internal' }))
    await openApplications()
    expect((await screen.findByRole('alert')).textContent).toContain('500: It is our fault.')
  })

  it('says so when there is no answer', async () => {
    answer('GET /api/provider-applications', noAnswer)
    await openApplications()
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to load applications')
  })

  it('shows who applies', async () => {
    stored = storeApplications(
      application(1, { created_at: '2026-03-05T18:00:00.000Z' }),
      application(2, { website: null }),
    )
    await openApplications()
    const row = await applicationRow(1)
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Practice',
      'Contact',
      'Zip Code',
      'Date',
      'Status',
      'Review',
      'E-mails',
      'Actions',
    ])
    for (const text of ['Dr. Ines Calloway', 'applicant1@clinics.example', '(512) 555-0100', '78701', 'Mar 5, 2026'])
      row.getByText(text)
    row.getByText('Sent')
    expect(row.getByRole('link', { name: 'calloway.example' }).getAttribute('href')).toBe('https://calloway.example')
    expect((await applicationRow(2)).getAllByRole('link')).toHaveLength(2)
    expect(screen.getByRole('link', { name: 'Export Applications CSV' }).getAttribute('href')).toBe(
      '/api/provider-applications.csv',
    )
  })

  it('shows the message and what happened on demand', async () => {
    stored = storeApplications(application(1))
    answer('GET /api/provider-applications/{id}/jobs', {
      jobs: [
        job({ name: 'send-email', purpose: 'team' }),
        job({ name: 'send-email', purpose: 'applicant', state: 'failed', last_error: '550 no such box' }),
      ],
    })
    const user = await openApplications()
    answer('GET /api/provider-applications/{id}', applicationDetails(1))
    const details = async () => (await applicationRow(1)).getByRole('button', { name: 'Details' })
    expect(screen.queryByText('We are two urologists.')).toBeNull()
    await user.click(await details())
    await screen.findByText('We are two urologists.')
    expect((await details()).getAttribute('aria-expanded')).toBe('true')
    const [team, applicant] = (await screen.findAllByText(/^E-mail to the /)).map((each) => each.closest('li'))
    expect(team?.textContent).toMatch(/^E-mail to the teamDone/)
    expect(applicant?.textContent).toMatch(/^E-mail to the applicantFailed.*550 no such box$/)
  })

  it('says what waits for the end of a pause, and when the next try is where that is later', async () => {
    stored = storeApplications(application(1))
    const until = new Date(Date.now() + 60_000).toISOString()
    const pause = { integration: 'mail', kind: 'staff', until, reason: 'Maintenance' }
    answer('GET /api/sending-pauses', {
      pauses: [{ ...pause, paused_at: until, paused_by: 'staff', paused_by_name: null }],
    })
    const open = { name: 'send-email', state: 'waiting', finished_at: null } as const
    answer('GET /api/provider-applications/{id}/jobs', {
      jobs: [
        job({ ...open, purpose: 'team' }),
        job({ ...open, purpose: 'applicant', next_attempt_at: new Date(Date.now() + 600_000).toISOString() }),
      ],
    })
    answer('GET /api/provider-applications/{id}', applicationDetails(1))
    const user = await openApplications()
    await user.click((await applicationRow(1)).getByRole('button', { name: 'Details' }))
    const [team, applicant] = (await screen.findAllByText(/^E-mail to the /)).map((each) => each.closest('li'))
    expect(team?.textContent).toMatch(/, waits: sending is paused until \d{1,2}:\d\d [AP]M ET/)
    expect(team?.textContent).not.toContain('next try')
    expect(applicant?.textContent).toContain(', next try')
  })

  it('says that an e-mail could not be delivered, and why an application is held', async () => {
    stored = storeApplications(application(1, { email_status: 'failed' }), application(2, { held_reason: 'honeypot' }))
    await openApplications()
    const failed = await applicationRow(1)
    failed.getByText('An e-mail could not be delivered.')
    const held = await applicationRow(2)
    held.getByText('Held')
    const reason = held.getByText(/A field that people cannot see was filled in\. The applicant hears nothing/)
    const resend = held.getByRole<HTMLButtonElement>('button', { name: 'Resend Email' })
    expect(resend.disabled).toBe(true)
    expect(resend.getAttribute('aria-describedby')).toBe(reason.id)
  })

  it('filters by status, and says how many there are of each', async () => {
    stored = storeApplications(application(1), application(2, { status: 'approved' }))
    const user = await openApplications()
    await applicationRow(1)
    expect([...statusFilter().options].map(({ text }) => text)).toEqual([
      'All (2)',
      'New (1)',
      'Contacted (0)',
      'Approved (1)',
      'In training (0)',
      'Certified (0)',
      'Declined (0)',
    ])
    await user.selectOptions(statusFilter(), 'Approved (1)')
    await screen.findByText('Total: 1 application')
    expect(screen.queryByText('Calloway Clinic 1')).toBeNull()
    screen.getByRole('tab', { name: 'Applications (2)' })
    await user.selectOptions(statusFilter(), 'Declined (0)')
    await screen.findByText('No applications have this status.')
    expect(stored.calls.at(-1)?.query).toEqual({ page: 1, limit: APPLICATIONS_PER_PAGE, status: 'declined' })
  })

  it('is turned page by page', async () => {
    const counts = { new: APPLICATIONS_PER_PAGE + 1, contacted: 0, approved: 0, training: 0, certified: 0, declined: 0 }
    // One row stands for each page.
    answer('GET /api/provider-applications', ({ query: { page } }) => ({
      applications: [application(page)],
      total: counts.new,
      counts,
    }))
    const user = await openApplications()
    await screen.findByText('Page 1 of 2')
    await user.click(button('Next'))
    await screen.findByText('Page 2 of 2')
    await applicationRow(2)
    expect(button('Next').disabled).toBe(true)
  })

  it('is for viewers too, who can do nothing', async () => {
    emptyDashboard({ role: 'viewer' })
    stored = storeApplications(application(1, { held_reason: 'honeypot' }))
    await openApplications()
    const row = await applicationRow(1)
    row.getByRole('cell', { name: 'New' })
    expect(row.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Details'])
    expect(row.queryByRole('combobox')).toBeNull()
    expect(screen.queryByText('Export Applications CSV')).toBeNull()
  })
})
