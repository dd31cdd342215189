import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { ProviderRecord } from '../../core/contract/provider-record.ts'
import { NO_RULES } from '../../core/contract/provider-rules.ts'
import { answer, refusal } from './api.ts'
import { answerBulk } from './bulk.ts'
import { FakeEventSource } from './event-source.ts'
import { storeLeads, storeProviders } from './leads-page.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { auditLine, clinicMail, lead, leadDetails, provider, providerRecord } from './samples.ts'

const RECORD = '/admin?tab=providers&provider=1'
const QUILL = provider(1, { name: 'Dr. Rosa Quill', practiceName: 'Quill Clinic', leadCount: 20 })

beforeEach(() => {
  // Some days after what the samples tell: the words for a moment depend on how long ago it was.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-24T12:00:00Z') })
  emptyDashboard()
  storeLeads(
    lead(7, { outcome: 'booked', outcome_at: '2026-11-21T15:00:00.000Z' }),
    lead(8, { email_status: 'failed' }),
  )
  storeProviders(QUILL)
  return () => void vi.useRealTimers()
})

const store = (record: Partial<ProviderRecord> = {}) =>
  answer('GET /api/providers/{providerId}/record', providerRecord(1, { provider: QUILL, ...record }))
const title = () => screen.findByRole('heading', { name: 'Quill Clinic' })
/** The words of a figure, by its name. */
const figure = (name: string) =>
  within(screen.getByRole('region', { name: 'Figures' })).getByText(name).parentElement?.textContent

describe('the record of a clinic', () => {
  it('says who it is and where its leads go', async () => {
    store({ address: 'desk@quill.example' })
    await openDashboard(RECORD)
    expect(await title()).toBe(document.activeElement)
    screen.getByText('Dr. Rosa Quill · Austin, TX 78701')
    expect(screen.getByRole('link', { name: 'desk@quill.example' }).getAttribute('href')).toBe(
      'mailto:desk%40quill.example',
    )
  })

  it('shows its figures for 30 and for 90 days beside those of the network', async () => {
    store()
    const user = await openDashboard(RECORD)
    await title()
    expect(figure('Requests')).toBe('Requests20Network: 11')
    expect(figure('Delivered to the clinic')).toBe('Delivered to the clinic90%2 failed')
    expect(figure('Booked')).toBe('Booked25%5 of 20Network: 20%')
    expect(figure('Time to first answer')).toBe('Time to first answer3 hMedianNetwork: 5 h')
    expect(figure('Answered in time')).toBe('Answered in time75%9 of 12Network: 50%')
    expect(figure('Declined')).toBe('Declined22 no capacity')
    expect(figure('Complaints')).toBe('Complaints31 asked for no more contact2 not called, as visitors say')
    expect(figure('Distance')).toBe('Distance12 milesMedian; 90% within 45 milesNetwork: 20 miles')

    await user.click(screen.getByRole('button', { name: '90 days', pressed: false }))
    expect(figure('Requests')).toBe('Requests40Network: 11')
  })

  it('shows the last e-mails, since when they bounce, and the words of the mail server', async () => {
    const refused = { state: 'failed', error: 'The mailbox is full.', detail: '552 over quota' } as const
    store({
      health: { state: 'bouncing', since: '2026-11-20T15:00:00.000Z', failed: 2, of: 3 },
      mails: [clinicMail(3, refused), clinicMail(2, refused), clinicMail(1)],
    })
    await openDashboard(RECORD)
    await title()
    const health = within(screen.getByRole('region', { name: 'Delivery health' }))
    health.getAllByText('Bouncing since Nov 20, 2 of 3')
    health.getByText('The mail server said: “552 over quota”')
    const dots = health.getAllByRole('link').map(({ textContent }) => textContent)
    expect(dots).toEqual([
      '✓Nov 20, 2026, 10:00:00 AM ET: delivered. E-mail to the clinic',
      '✕Nov 20, 2026, 10:00:00 AM ET: failed. E-mail to the clinic',
      '✕Nov 20, 2026, 10:00:00 AM ET: failed. E-mail to the clinic',
    ])
  })

  it('lists its newest requests with their outcomes, and links to all of them', async () => {
    store()
    await openDashboard(RECORD)
    await title()
    const row = within((await screen.findByRole('link', { name: 'Jordan Avery7' })).closest('li') as HTMLElement)
    row.getByText('Booked')
    row.getByText('E-mails sent')
    expect(screen.getByRole('link', { name: 'All 20 requests' }).getAttribute('href')).toContain(
      'tab=leads&provider_id=1',
    )
  })

  it('lists its failed deliveries and its changes, and keeps the chosen part in the address', async () => {
    store({
      failed_leads: 1,
      failed_deliveries: [
        {
          ...clinicMail(8, { error: 'The mailbox is full.', detail: '552 over quota' }),
          advice: 'Call the recipient.',
        },
      ].map(({ state: _, ...failed }) => failed),
      changes: [
        {
          at: '2026-11-21T15:00:00.000Z',
          act: auditLine(3, { action: 'test-email', entity: 'provider', entity_id: '1', entity_name: 'Quill Clinic' }),
        },
        {
          at: '2026-11-20T15:00:00.000Z',
          sync: {
            id: 4,
            change: {
              ...{
                kind: 'update',
                wordpress_id: 9,
                provider_id: 1,
                name: 'Dr. Rosa Quill',
                zipCode: '78701',
                reason: null,
              },
              fields: [{ field: 'phone', from: '1', to: '2' }],
            },
          },
        },
      ],
    })
    const user = await openDashboard(RECORD)
    await title()
    await user.click(screen.getByRole('tab', { name: 'Failed deliveries (1)' }))
    await screen.findByText('Call the recipient.')
    screen.getByRole('link', { name: 'Request #8' })

    await user.click(screen.getByRole('tab', { name: 'Changes' }))
    await screen.findByText('Updated by a sync')
    screen.getByText(/Test email sent: Quill Clinic/)
    await waitFor(() => expect(window.location.search).toBe('?tab=providers&provider=1&record=changes'))
  })

  it('of a clinic without requests says so', async () => {
    const own = {
      requests: 0,
      delivered: 0,
      failed: 0,
      opened: 0,
      reached: 0,
      booked: 0,
      answer_time: null,
      timed: 0,
      in_time: 0,
    }
    const none = { ...own, declined: [], opted_out: 0, not_called: 0, distance: { p50: null, p90: null } }
    const network = {
      clinics: 0,
      requests: null,
      opened: null,
      reached: null,
      booked: null,
      answer_time: null,
      in_time: null,
      distance: null,
    }
    store({
      provider: { ...QUILL, leadCount: 0 },
      ...{ mails: [], health: { state: 'none', since: null, failed: 0, of: 0 } },
      periods: [{ days: 30, own: none, network }],
    })
    await openDashboard(RECORD)
    await title()
    screen.getByText('This clinic has no requests yet.')
    expect(figure('Booked')).toBe('Booked–')
    screen.getAllByText('No e-mail yet')
  })

  it('says that there is no such clinic, and that it could not be loaded', async () => {
    answer(
      'GET /api/providers/{providerId}/record',
      refusal(404, { error: 'There is no such clinic.', code: 'not_found' }),
    )
    await openDashboard(RECORD)
    await screen.findByText('There is no such clinic.')
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  })

  it('can be loaded again after an error', async () => {
    answer('GET /api/providers/{providerId}/record', refusal(503, { error: 'The database is away.' }))
    const user = await openDashboard(RECORD)
    await screen.findByText(/The database is away/)
    store()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await title()
  })

  it('is read again when the figures are out of date', async () => {
    const calls = store()
    await openDashboard(RECORD)
    await title()
    FakeEventSource.openAll()
    const before = calls.length
    FakeEventSource.announce({ overview: true })
    await waitFor(() => expect(calls.length).toBeGreaterThan(before))
  })
})

describe('the way to a record and back', () => {
  it('leads from the list to the record and, by Escape, to the same page and row', async () => {
    store()
    const user = await openDashboard('/admin?tab=providers&providers-search=quill')
    await user.click(await screen.findByRole('link', { name: 'Dr. Rosa Quill' }))
    await title()
    expect(window.location.search).toBe('?tab=providers&providers-search=quill&provider=1')
    expect(screen.getByRole('link', { name: /All providers/ }).getAttribute('href')).toContain('providers-search=quill')

    await user.keyboard('{Escape}')
    const link = await screen.findByRole('link', { name: 'Dr. Rosa Quill' })
    expect(window.location.search).toBe('?tab=providers&providers-search=quill')
    await waitFor(() => expect(document.activeElement).toBe(link))
  })

  it('leads there from the row and the panel of a lead', async () => {
    store()
    answer('GET /api/leads/{id}', leadDetails(7))
    answer('GET /api/leads/{id}/jobs', { jobs: [] })
    const user = await openDashboard('/admin?lead=7')
    const links = await screen.findAllByRole('link', { name: 'Dr. Rosa Quill' })
    expect(links.length).toBeGreaterThan(2)
    await user.click(links[0] as HTMLElement)
    await title()
  })
})

describe('the actions', () => {
  it('send a test e-mail, and tell what the mail server answered', async () => {
    store({ address: 'desk@quill.example' })
    const calls = answer('POST /api/providers/{providerId}/test-email', { success: true })
    const user = await openDashboard(RECORD)
    await title()
    await user.click(screen.getByRole('button', { name: 'Send test e-mail' }))
    await findToast('Success', 'The test e-mail to desk@quill.example was delivered')
    expect(calls[0]?.params).toEqual({ providerId: 1 })

    answer('POST /api/providers/{providerId}/test-email', { success: false, error: 'The mailbox is full.' })
    await user.click(screen.getByRole('button', { name: 'Send test e-mail' }))
    await findToast('The test e-mail was not delivered', 'The mailbox is full.')
  })

  it('resend all that failed, after a question', async () => {
    store({ failed_leads: 9 })
    const calls = answerBulk('POST /api/leads/bulk', { succeeded: 7, failed: 1, waiting: 1 })
    const user = await openDashboard(RECORD)
    await title()
    await user.click(screen.getByRole('button', { name: 'Resend all that failed (9)' }))
    expect(calls).toEqual([])
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Resend' }))
    await findToast('Resent', '7 delivered, 1 refused, 1 waiting')
    expect(calls[0]?.body).toEqual({
      ...{ action: 'retry-email', expected: 9, filter: { provider_id: 1, email_status: 'failed' } },
    })
  })

  it('pass on what waits: say how many and to whom, show the progress, and can be undone', async () => {
    store()
    const plan = {
      ...{ total: 4, ids: [11, 12, 13], unplaced: 1 },
      clinics: [
        { id: 2, name: 'Granite Clinic', leads: 2 },
        { id: 3, name: 'North Loop', leads: 1 },
      ],
    }
    answer('GET /api/providers/{id}/waiting', plan)
    const calls = answerBulk('POST /api/leads/bulk', {
      ...{ succeeded: 2, failed: 1, failures: [{ lead_id: 12, error: 'The clinic has answered by now.' }] },
    })
    const user = await openDashboard(RECORD)
    await title()
    await user.click(screen.getByRole('button', { name: 'Pass on what waits...' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Pass on what waits?' }))
    await dialog.findByText('4 requests of this clinic have no answer yet.')
    expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      '2 to Granite Clinic',
      '1 to North Loop',
    ])
    dialog.getByText('1 request stays here: no other clinic in reach can take it now.')
    expect(calls).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Pass on 3 requests' }))
    await findToast('1 lead not passed on', 'The clinic has answered by now.')
    expect(calls[0]?.body).toEqual({ action: 'pass-on', ids: [11, 12, 13], waiting_at: 1 })

    const undone = answerBulk('POST /api/leads/bulk', { succeeded: 2 })
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(undone.at(-1)?.body).toEqual({ action: 'undo-match', ids: [11, 13] }))
  })

  it('say that nothing waits, and that no other clinic can take what does', async () => {
    store()
    const none = { total: 0, ids: [], unplaced: 0, clinics: [] }
    answer('GET /api/providers/{id}/waiting', none)
    const user = await openDashboard(RECORD)
    await title()
    const open = () => user.click(screen.getByRole('button', { name: 'Pass on what waits...' }))
    await open()
    await screen.findByText('No request waits for an answer of this clinic.')
    expect(screen.getByRole('button', { name: 'Pass on' }).hasAttribute('disabled')).toBe(true)
    await user.click(screen.getByRole('button', { name: 'Cancel' }))

    answer('GET /api/providers/{id}/waiting', { ...none, total: 2, unplaced: 2 })
    await open()
    await screen.findByText('No other clinic in reach can take any of them now.')
  })

  it('list the people of the clinic and what they get, and remove one', async () => {
    const at = { added_at: '2026-11-20T15:00:00.000Z', added_by: 'desk@quill.example' }
    const wordpress = { ...{ id: null, email: 'desk@quill.example', gets: null }, added_at: null, added_by: null }
    store({
      people: [
        { ...wordpress, confirmed_at: null },
        { id: 4, email: 'own@quill.example', gets: 'requests', ...at, confirmed_at: at.added_at },
        { id: 5, email: 'new@quill.example', gets: null, ...at, confirmed_at: null },
      ],
    })
    const calls = answer('DELETE /api/providers/{providerId}/people/{id}', { success: true })
    const user = await openDashboard(RECORD)
    await title()
    const [first, own, added] = within(screen.getByRole('list', { name: 'People of the clinic' })).getAllByRole(
      'listitem',
    )
    expect(first?.textContent).toContain('The address in WordPress.')
    expect(own?.textContent).toContain('Gets the leads. Added by desk@quill.example on Nov 20, 2026.')
    expect(added?.textContent).toContain('Has not signed in yet.')
    await user.click(within(own as HTMLElement).getByRole('button', { name: 'Remove' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove own@quill.example?' }))
    await user.click(dialog.getByRole('button', { name: 'Remove' }))
    await findToast('Success', 'Person removed')
    expect(calls[0]?.params).toEqual({ providerId: 1, id: 4 })
  })

  it('open the rules', async () => {
    const used = { day: 0, week: 0, month: 0 }
    answer('GET /api/providers/{id}/rules', { rules: NO_RULES, used, updated_at: null, updated_by: null })
    store()
    const user = await openDashboard(RECORD)
    await title()
    await user.click(screen.getByRole('button', { name: 'Pause and rules...' }))
    await within(await screen.findByRole('dialog', { name: /^Rules of / })).findByRole('button', { name: 'Save rules' })
  })

  it('are not offered to viewers, nor where nothing failed', async () => {
    emptyDashboard({ role: 'viewer' })
    store({ failed_leads: 9 })
    await openDashboard(RECORD)
    await title()
    expect(screen.queryByRole('button', { name: /Send test|Resend/ })).toBeNull()
  })
})

describe('the delivery health in lists', () => {
  it('marks a clinic whose e-mails bounce', async () => {
    const calls = answer('GET /api/providers/health', [
      { id: 1, state: 'bouncing', since: '2026-11-20T15:00:00.000Z', failed: 9, of: 10 },
    ])
    await openDashboard('/admin?tab=providers')
    await screen.findAllByText('Bouncing since Nov 20, 9 of 10')
    expect(calls[0]?.query).toEqual({ ids: [1] })
  })
})
