import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { JobAttempt, LedgerJob } from '../../core/contract/jobs.ts'
import type { LeadDetails } from '../../core/contract/leads.ts'
import { answer, refusal } from './api.ts'
import { rowOf, storeLeads } from './leads-page.ts'
import { emptyDashboard, openDashboard, session } from './page.tsx'
import { job, lead, leadDetails } from './samples.ts'

beforeEach(() => emptyDashboard())

/** Opens the dashboard at lead 7, with these deliveries. */
async function openLead({ jobs = [], ...details }: Partial<LeadDetails> & { jobs?: LedgerJob[] } = {}) {
  storeLeads(lead(7), lead(8))
  answer('GET /api/leads/{id}', leadDetails(7, details))
  answer('GET /api/leads/{id}/jobs', { jobs })
  const user = await openDashboard('/admin?lead=7')
  const panel = within(await screen.findByRole('complementary', { name: 'Jordan Avery7' }))
  return { user, panel }
}

describe('a lead beside the list', () => {
  it('takes the actions of the rows while it is open', async () => {
    const { user, panel } = await openLead()
    const row = within(await rowOf('Jordan Avery7'))
    await waitFor(() => expect(row.queryByRole('button', { name: 'Resend Email' })).toBeNull())
    for (const name of ['Resend Email', 'Retry CRM Sync', 'Delete']) panel.getByRole('button', { name })

    await user.click(panel.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
    row.getByRole('button', { name: 'Resend Email' })
    await waitFor(() => expect(location.search).toBe(''))
  })

  it('opens wherever its row is clicked, and is in the address', async () => {
    const { user } = await openLead()
    answer('GET /api/leads/{id}', leadDetails(8))
    await user.click(within(await rowOf('Jordan Avery8')).getByText('Success'))
    await screen.findByRole('complementary', { name: 'Jordan Avery8' })
    await waitFor(() => expect(location.search).toBe('?lead=8'))
  })

  it('has the record of the consent, and how the provider was found', async () => {
    const { panel } = await openLead()
    await panel.findByText('Given from 203.0.113.7')
    panel.getByText('I agree to be called.')
    panel.getByText('a'.repeat(64))
    panel.getByText('Nearest clinic that can take it, 1.5 miles away')
    panel.getByText('Not known.')
  })

  it('says where there is no wording that we know, and which sentence about sharing there was', async () => {
    const { consent } = leadDetails(7)
    if (!consent) throw new Error('The sample has no consent.')
    const sharing = { sharing_wording: 'Please share it.', sharing_version: 'sharing-1' }
    const unknown = { wording: '', wording_version: null, channel: null }
    const { panel } = await openLead({ consent: { ...consent, ...sharing, ...unknown } })
    await panel.findByText('The form named none that we know')
    panel.getByText('Please share it.')
  })

  it('says of a wording that the client stated it, and how it came', async () => {
    const { consent } = leadDetails(7)
    if (!consent) throw new Error('The sample has no consent.')
    const ofClient = { wording: 'Anything at all.', wording_version: null, channel: 'api' } as const
    const { panel } = await openLead({ consent: { ...consent, ...ofClient } })
    await panel.findByText('Anything at all.')
    panel.getByText('None: wording stated by the client')
    panel.getByText('another program, through the API')
  })

  it('tells where the visitor came from', async () => {
    const { panel } = await openLead({
      attribution: {
        first: { landing_page: '/?utm_source=journal', utm_source: 'journal' },
        last: { landing_page: '/start' },
      },
    })
    const first = (await panel.findByRole('heading', { name: 'First visit' })).parentElement as HTMLElement
    within(first).getByText('journal')
    const last = panel.getByRole('heading', { name: 'Last visit' }).parentElement as HTMLElement
    within(last).getByText('/start')
  })

  it('tells what was sent, what failed, and what to do about it', async () => {
    const { panel } = await openLead({
      jobs: [
        job({ name: 'send-email', purpose: 'visitor', attempt_log: [attempt({ duration_ms: 300 })] }),
        job({
          name: 'send-email',
          purpose: 'provider',
          state: 'failed',
          last_error: 'The mail server refused the e-mail: 550 no such box',
          advice: 'Correct the clinic’s e-mail address.',
        }),
      ],
    })
    const [received, matched, sent, failed] = await panel.findAllByRole('listitem')
    expect(received?.textContent).toContain('From zip code 78702.')
    expect(matched?.textContent).toContain('Matched with Dr. Test 1')
    expect(sent?.textContent).toMatch(/^E-mail to the visitorDone.*1 attempt, took 300 ms/)
    expect(failed?.textContent).toMatch(/^E-mail to the clinicFailed.*550 no such box.*Correct the clinic’s/)
  })

  it('tells when a delivery is tried again, and which run of it was cancelled', async () => {
    const { panel } = await openLead({
      jobs: [
        job({ generation: 2, state: 'cancelled' }),
        job({ generation: 3, state: 'waiting', finished_at: null, last_error: 'The CRM answered 503.' }),
      ],
    })
    const [cancelled, waiting] = (await panel.findAllByRole('listitem')).slice(2)
    expect(cancelled?.textContent).toMatch(/^CRM: lead createdCancelledRun 2/)
    expect(waiting?.textContent).toMatch(/^CRM: lead createdTrying againRun 3.*, next try .*The CRM answered 503\.$/)
  })

  it('lists every attempt where there were several', async () => {
    const { panel } = await openLead({
      jobs: [
        job({
          name: 'send-email',
          purpose: 'provider',
          attempts: 3,
          attempt_log: [
            attempt({
              duration_ms: 1200,
              outcome: 'failed',
              status: 451,
              error: 'Not yet: 451 greylisted',
              next_attempt_at: '2026-11-20T15:01:00.000Z',
            }),
            attempt({ started_at: '2026-11-20T15:01:00.000Z', duration_ms: null, outcome: 'interrupted' }),
            attempt({ started_at: '2026-11-20T15:02:00.000Z', outcome: 'failed', status: 550 }),
          ],
        }),
      ],
    })
    const list = await panel.findByRole('list', { name: 'Attempts: E-mail to the clinic' })
    const [greylisted, cut, refused] = within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
    expect(greylisted).toMatch(/took 1\.2 sFailed \(451\): Not yet: 451 greylistedNext try/)
    expect(cut).toContain('Interrupted')
    expect(refused).toContain('Failed (550)')
  })

  it('says so when it is gone', async () => {
    storeLeads(lead(8))
    answer('GET /api/leads/{id}', () => refusal(404, { error: 'There is no such lead.', code: 'not_found' }))
    await openDashboard('/admin?lead=7')
    const panel = await screen.findByRole('complementary', { name: 'Lead #7' })
    expect((await within(panel).findByRole('alert')).textContent).toContain('404: There is no such lead.')
  })

  it('says so when it cannot be told what happened', async () => {
    const { panel, user } = await openLead()
    answer('GET /api/leads/{id}', leadDetails(8))
    answer('GET /api/leads/{id}/jobs', () => refusal(503, { error: 'The database is away.', code: 'unavailable' }))
    await user.click(await screen.findByRole('link', { name: 'Jordan Avery8' }))
    expect((await panel.findByRole('alert')).textContent).toContain('503: The database is away.')
  })

  it('closes once it is deleted', async () => {
    const { panel, user } = await openLead()
    const deletions = answer('DELETE /api/leads/{id}', { success: true })
    await user.click(panel.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
    expect(deletions.map(({ params }) => params.id)).toEqual([7])
  })
})

it('is open again, with filter and page, after the session has ended and a new sign-in', async () => {
  // One row stands for the second page.
  answer('GET /api/leads', { leads: [lead(41)], total: 41 })
  answer('GET /api/leads/{id}', leadDetails(41))
  answer('GET /api/leads/{id}/jobs', { jobs: [] })
  const address = '/admin?provider_id=1&sort=created_at&page=2&lead=41'
  const user = await openDashboard(address)
  const panel = await screen.findByRole('complementary', { name: 'Jordan Avery41' })
  answer('POST /api/leads/{id}/retry-email', () => refusal(401, { error: 'Sign in.', code: 'unauthorized' }))
  await user.click(within(panel).getByRole('button', { name: 'Resend Email' }))
  await screen.findByText('Your session has ended. Please sign in again.')
  expect(screen.queryByText('Jordan Avery41')).toBeNull()

  answer('POST /api/session', session(STAFF))
  await user.type(screen.getByLabelText('Password'), 'a password')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  await screen.findByRole('complementary', { name: 'Jordan Avery41' })
  await screen.findByText('Page 2 of 2')
  await waitFor(() => expect(location.pathname + location.search).toBe(address))
})

const STAFF = { id: null, name: 'staff', email: null, role: 'manager' } as const

function attempt(overrides: Partial<JobAttempt> = {}): JobAttempt {
  return {
    started_at: '2026-11-20T15:00:00.000Z',
    duration_ms: 50,
    outcome: 'done',
    status: 250,
    error: null,
    cause: null,
    detail: null,
    next_attempt_at: null,
    ...overrides,
  }
}
