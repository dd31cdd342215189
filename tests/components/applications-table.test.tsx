import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { APPLICATIONS_PER_PAGE, type Application, ApplicationStatus } from '../../core/contract/applications.ts'
import { answer, type CallName, heldAnswer, type MadeCall, noAnswer, refusal } from './api.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { application, job } from './samples.ts'

let stored: Application[]
let listings: MadeCall[]

beforeEach(() => {
  emptyDashboard()
  store()
})

/** Answers the list of applications with these, or with those of the status that is asked for. */
function store(...applications: Application[]): void {
  stored = applications
  listings = answer('GET /api/provider-applications', ({ query }) => {
    const wanted = stored.filter(({ status }) => !query.status || status === query.status)
    const count = (of: ApplicationStatus) => stored.filter(({ status }) => status === of).length
    const counts = Object.fromEntries(ApplicationStatus.options.map((status) => [status, count(status)]))
    return { applications: wanted, total: wanted.length, counts }
  })
}

const open = () => openDashboard('/admin?tab=applications')
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const filter = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Show' })

async function rowOf(id: number) {
  const row = (await screen.findByText(`Calloway Clinic ${id}`)).closest('tr') as HTMLElement
  return within(row)
}

describe('the table of applications', () => {
  it('says that there are none yet, and exports nothing', async () => {
    await open()
    await screen.findByText('No applications yet. They appear here as soon as a clinic sends the form.')
    screen.getByRole('tab', { name: 'Applications (0)' })
    screen.getByText('Total: 0 applications')
    expect(button('Export Applications CSV').disabled).toBe(true)
  })

  it('says why they could not be loaded', async () => {
    answer('GET /api/provider-applications', () => refusal(500, { error: 'It is our fault.', code: 'internal' }))
    await open()
    expect((await screen.findByRole('alert')).textContent).toContain('500: It is our fault.')
  })

  it('says so when there is no answer', async () => {
    answer('GET /api/provider-applications', noAnswer)
    await open()
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to load applications')
  })

  it('shows who applies', async () => {
    store(application(1, { created_at: '2026-03-05T18:00:00.000Z' }), application(2, { website: null }))
    await open()
    const row = await rowOf(1)
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Practice',
      'Contact',
      'Zip Code',
      'Date',
      'Status',
      'E-mails',
      'Actions',
    ])
    for (const text of ['Dr. Ines Calloway', 'applicant1@clinics.example', '(512) 555-0100', '78701', 'Mar 5, 2026'])
      row.getByText(text)
    row.getByText('Sent')
    expect(row.getByRole('link', { name: 'calloway.example' }).getAttribute('href')).toBe('https://calloway.example')
    expect((await rowOf(2)).getAllByRole('link')).toHaveLength(2)
    expect(screen.getByRole('link', { name: 'Export Applications CSV' }).getAttribute('href')).toBe(
      '/api/provider-applications.csv',
    )
  })

  it('shows the message and what happened on demand', async () => {
    store(application(1))
    answer('GET /api/provider-applications/{id}/jobs', {
      jobs: [
        job({ name: 'send-email', purpose: 'team' }),
        job({ name: 'send-email', purpose: 'applicant', state: 'failed', last_error: '550 no such box' }),
      ],
    })
    const user = await open()
    const details = (await rowOf(1)).getByRole('button', { name: 'Details' })
    expect(screen.queryByText('We are two urologists.')).toBeNull()
    await user.click(details)
    screen.getByText('We are two urologists.')
    expect(details.getAttribute('aria-expanded')).toBe('true')
    const [team, applicant] = await screen.findAllByRole('listitem')
    expect(team?.textContent).toMatch(/^E-mail to the teamDone/)
    expect(applicant?.textContent).toMatch(/^E-mail to the applicantFailed.*550 no such box$/)
  })

  it('says that an e-mail could not be delivered, and why an application is held', async () => {
    store(application(1, { email_status: 'failed' }), application(2, { held_reason: 'honeypot' }))
    await open()
    const failed = await rowOf(1)
    failed.getByText('An e-mail could not be delivered.')
    const held = await rowOf(2)
    held.getByText('Held')
    const reason = held.getByText(/A field that people cannot see was filled in\. The applicant hears nothing/)
    const resend = held.getByRole<HTMLButtonElement>('button', { name: 'Resend Email' })
    expect(resend.disabled).toBe(true)
    expect(resend.getAttribute('aria-describedby')).toBe(reason.id)
  })

  it('filters by status, and says how many there are of each', async () => {
    store(application(1), application(2, { status: 'approved' }))
    const user = await open()
    await rowOf(1)
    expect([...filter().options].map(({ text }) => text)).toEqual([
      'All (2)',
      'New (1)',
      'Contacted (0)',
      'Approved (1)',
      'Declined (0)',
    ])
    await user.selectOptions(filter(), 'Approved (1)')
    await screen.findByText('Total: 1 applications')
    expect(screen.queryByText('Calloway Clinic 1')).toBeNull()
    screen.getByRole('tab', { name: 'Applications (2)' })
    await user.selectOptions(filter(), 'Declined (0)')
    await screen.findByText('No application has this status.')
    expect(listings.at(-1)?.query).toEqual({ page: 1, limit: APPLICATIONS_PER_PAGE, status: 'declined' })
  })

  it('is turned page by page', async () => {
    const counts = { new: APPLICATIONS_PER_PAGE + 1, contacted: 0, approved: 0, declined: 0 }
    // One row stands for each page.
    answer('GET /api/provider-applications', ({ query: { page } }) => ({
      applications: [application(page)],
      total: counts.new,
      counts,
    }))
    const user = await open()
    await screen.findByText('Page 1 of 2')
    await user.click(button('Next'))
    await screen.findByText('Page 2 of 2')
    await rowOf(2)
    expect(button('Next').disabled).toBe(true)
  })

  it('is for viewers too, who can do nothing', async () => {
    emptyDashboard({ role: 'viewer' })
    store(application(1, { held_reason: 'honeypot' }))
    await open()
    const row = await rowOf(1)
    row.getByRole('cell', { name: 'New' })
    expect(row.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Details'])
    expect(row.queryByRole('combobox')).toBeNull()
    expect(screen.queryByText('Export Applications CSV')).toBeNull()
  })
})

describe('acting on an application', () => {
  const ACTIONS = [
    {
      does: 'Resend Email',
      call: 'POST /api/provider-applications/{id}/retry-email',
      done: 'Successfully retried email',
      failed: 'Failed to retry email',
    },
    {
      does: 'Release',
      call: 'POST /api/provider-applications/{id}/release',
      done: 'Application released',
      failed: 'Failed to release application',
    },
  ] as const satisfies { does: string; call: CallName; done: string; failed: string }[]

  it.each(ACTIONS)('says how it went: $does', async ({ does, call, done, failed }) => {
    const start = application(1, { held_reason: does === 'Release' ? 'honeypot' : null, email_status: 'pending' })
    store(start)
    const calls = answer(call, () => {
      stored = [application(1)]
      return { success: true }
    })
    const user = await open()
    const row = await rowOf(1)
    await user.click(row.getByRole('button', { name: does }))
    await findToast('Success', done)
    await row.findByText('Sent')
    expect(calls.map(({ params }) => params)).toEqual([{ id: 1 }])

    stored = [start]
    await user.selectOptions(filter(), 'New (1)')
    answer(call, () => refusal(404, { error: 'There is no such application.', code: 'not_found' }))
    await user.click(await (await rowOf(1)).findByRole('button', { name: does }))
    await findToast(failed, '404: There is no such application.')
  })

  it('sets its status, and shows the new one meanwhile', async () => {
    store(application(1))
    const held = heldAnswer(application(1, { status: 'approved' }))
    const calls = answer('PATCH /api/provider-applications/{id}', held.answer)
    const user = await open()
    const select = (await rowOf(1)).getByRole<HTMLSelectElement>('combobox', { name: 'Status of Calloway Clinic 1' })
    await user.selectOptions(select, 'Approved')
    expect(calls).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Save: Status of Calloway Clinic 1' }))
    await waitFor(() => expect([select.value, select.disabled]).toEqual(['approved', true]))
    stored = [application(1, { status: 'approved' })]
    held.release()
    await findToast('Success', 'Application status updated successfully')
    await waitFor(() => expect([select.value, select.disabled]).toEqual(['approved', false]))
    expect(calls.map(({ params, body }) => ({ ...params, ...body }))).toEqual([{ id: 1, status: 'approved' }])
    await screen.findByText('Approved (1)')
  })

  it('says why its status could not be set, which can be saved again or cancelled', async () => {
    store(application(1))
    answer('PATCH /api/provider-applications/{id}', () =>
      refusal(404, { error: 'There is no such application.', code: 'not_found' }),
    )
    const user = await open()
    const select = (await rowOf(1)).getByRole<HTMLSelectElement>('combobox')
    await user.selectOptions(select, 'Declined')
    await user.click(screen.getByRole('button', { name: /^Save/ }))
    await findToast('Failed to update application status', '404: There is no such application.')
    await waitFor(() => expect(select.disabled).toBe(false))
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(select.value).toBe('new')
  })

  it('deletes it, but asks first', async () => {
    store(application(1))
    const calls = answer('DELETE /api/provider-applications/{id}', () => {
      stored = []
      return { success: true }
    })
    const user = await open()
    const row = await rowOf(1)
    await user.click(row.getByRole('button', { name: 'Delete' }))
    const dialog = () => within(screen.getByRole('dialog', { name: 'Delete this application?' }))
    dialog().getByText(/^The application of Calloway Clinic 1 and everything .* will be removed\./)
    await user.click(dialog().getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(calls).toEqual([])

    await user.click(row.getByRole('button', { name: 'Delete' }))
    await user.click(dialog().getByRole('button', { name: 'Delete application' }))
    await findToast('Success', 'Application deleted successfully')
    await screen.findByText(/^No applications yet/)
    expect(calls.map(({ params }) => params)).toEqual([{ id: 1 }])
  })
})
