import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { ProviderRecord } from '../../core/providers/contract/provider-record.ts'
import { NO_RULES } from '../../core/providers/contract/provider-rules.ts'
import { answer, refusal } from './api.ts'
import { answerBulk } from './bulk.ts'
import { storeProviders } from './leads-page.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { auditLine, clinicMail, provider, providerRecord } from './samples.ts'

const RECORD = '/admin?tab=providers&provider=1'
const QUILL = provider(1, { name: 'Dr. Rosa Quill', practiceName: 'Quill Clinic', leadCount: 20 })

beforeEach(() => {
  // Some days after what the samples tell: the words for a moment depend on how long ago it was.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-24T12:00:00Z') })
  emptyDashboard()
  storeProviders(QUILL)
  return () => void vi.useRealTimers()
})

const store = (record: Partial<ProviderRecord> = {}) =>
  answer('GET /api/providers/{providerId}/record', providerRecord(1, { provider: QUILL, ...record }))
const title = () => screen.findByRole('heading', { name: 'Quill Clinic' })
const figure = (name: string) =>
  within(screen.getByRole('region', { name: 'Figures of 90 days' })).getByText(name).parentElement?.textContent

describe('the record of a clinic', () => {
  it('shows its figures beside those of the network', async () => {
    store()
    await openDashboard(RECORD)
    await title()
    expect(figure('Requests')).toBe('Requests20Network: 11')
    expect(figure('Delivered to the provider')).toBe('Delivered to the provider90%2 failed')
    expect(figure('Booked')).toBe('Booked25%5 of 20Network: 20%')
    expect(figure('Time to first answer')).toBe('Time to first answer3 hMedianNetwork: 5 h')
    expect(figure('Answered in time')).toBe('Answered in time75%9 of 12Network: 50%')
    expect(figure('Declined')).toBe('Declined22 no capacity')
    expect(figure('Complaints')).toBe('Complaints31 asked for no more contact2 not called, as visitors say')
    expect(figure('Distance')).toBe('Distance12 milesMedian; 90% within 45 milesNetwork: 20 miles')
  })

  it('shows the last emails, since when they bounce, and the words of the mail server', async () => {
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
      '✓Nov 20, 2026, 10:00:00 AM ET: delivered. Email to the provider',
      '✕Nov 20, 2026, 10:00:00 AM ET: failed. Email to the provider',
      '✕Nov 20, 2026, 10:00:00 AM ET: failed. Email to the provider',
    ])
  })

  it('has a line for each month, with the share in time once there are enough', async () => {
    const month = { requests: 12, reached: 8, booked: 4, came: 2, timed: 10, in_time: 9 }
    store({
      months: [
        { ...month, month: '2026-11' },
        { ...month, month: '2026-10', timed: 3, in_time: 1 },
      ],
    })
    await openDashboard(RECORD)
    const months = within(await screen.findByRole('region', { name: 'By month' }))
    expect(months.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
      'MonthRequestsReachedBookedCameIn time',
      'Nov 20261284290%',
      'Oct 2026128421 of 3',
    ])
  })

  it('pauses until a day and says why, and ends the pause with one click', async () => {
    const changes = answer('PATCH /api/providers/{id}/rules', {
      ...{ rules: NO_RULES, used: { day: 0, week: 0, month: 0 }, updated_at: null, updated_by: null },
    })
    store()
    const user = await openDashboard(RECORD)
    await user.click(await screen.findByRole('button', { name: 'Pause...' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Pause Quill Clinic' }))
    const until = dialog.getByLabelText(/^Takes leads again on/)
    fireEvent.change(until, { target: { value: '2026-11-24' } })
    await user.click(dialog.getByRole('button', { name: 'Pause' }))
    dialog.getByText('Choose a day after today')
    fireEvent.change(until, { target: { value: '2026-12-01' } })
    await user.type(dialog.getByLabelText(/^Reason/), 'Vacation')
    store({ provider: { ...QUILL, obstacle: { reason: 'paused', until: '2026-12-01T05:00:00.000Z' } } })
    await user.click(dialog.getByRole('button', { name: 'Pause' }))
    await findToast('Quill Clinic is paused')
    await user.click(await screen.findByRole('button', { name: 'End pause' }))
    await findToast('Quill Clinic gets leads again')
    const pause = { is_paused: true, paused_until: '2026-12-01T05:00:00.000Z', paused_because: 'Vacation' }
    const end = { is_paused: false, paused_until: null, paused_because: null }
    expect(changes.map(({ body }) => body)).toEqual([pause, end])
  })

  it('lists its changes, leads to its requests, and resends only its own emails that failed', async () => {
    const quill = { entity: 'provider', entity_id: '1', entity_name: 'Quill Clinic' } as const
    const change = {
      ...({ kind: 'update', wordpress_id: 9, provider_id: 1, name: 'Dr. Rosa Quill', zipCode: '78701' } as const),
      ...{ reason: null, fields: [{ field: 'phone', from: '1', to: '2' }] },
    }
    store({
      failed_leads: [12, 11],
      changes: [
        { at: '2026-11-21T15:00:00.000Z', act: auditLine(3, { ...quill, action: 'test-email' }) },
        { at: '2026-11-20T15:00:00.000Z', sync: { id: 4, change } },
      ],
    })
    const calls = answerBulk('POST /api/leads/bulk', { succeeded: 1, failed: 1 })
    const user = await openDashboard(RECORD)
    await title()
    await user.click(screen.getByRole('button', { name: 'Resend all that failed (2)' }))
    await findToast('Resent', '1 delivered, 1 refused, 0 waiting')
    expect(calls[0]?.body).toEqual({ action: 'retry-email', ids: [12, 11], to_clinic: 1 })
    await screen.findByText('Updated by a sync')
    screen.getByText(/Test email sent: Quill Clinic/)
    const requests = screen.getByRole('link', { name: 'All requests (20)' })
    expect(requests.getAttribute('href')).toBe('/admin?tab=leads&provider_id=1')
  })

  it('says that there is no such clinic', async () => {
    const error = 'There is no such provider.'
    answer('GET /api/providers/{providerId}/record', refusal(404, { error, code: 'not_found' }))
    await openDashboard(RECORD)
    await screen.findByText('There is no such provider.')
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  })
})

it('the way to a record and back leads from the list to the record and, by Escape, to the same page and row', async () => {
  store()
  const user = await openDashboard('/admin?tab=providers&providers-search=quill')
  await user.click(await screen.findByRole('link', { name: 'Dr. Rosa Quill' }))
  await title()
  await waitFor(() => expect(window.location.search).toBe('?tab=providers&providers-search=quill&provider=1'))
  expect(screen.getByRole('link', { name: /All providers/ }).getAttribute('href')).toContain('providers-search=quill')
  await user.keyboard('{Escape}')
  const link = await screen.findByRole('link', { name: 'Dr. Rosa Quill' })
  await waitFor(() => expect(window.location.search).toBe('?tab=providers&providers-search=quill'))
  await waitFor(() => expect(document.activeElement).toBe(link))
})

describe('the actions', () => {
  it('send a test email, and tell what the mail server answered', async () => {
    store({ address: 'desk@quill.example' })
    const calls = answer('POST /api/providers/{providerId}/test-email', { success: true })
    const user = await openDashboard(RECORD)
    await title()
    await user.click(screen.getByRole('button', { name: 'Send test email' }))
    await findToast('Success', 'The test email to desk@quill.example was delivered')
    expect(calls[0]?.params).toEqual({ providerId: 1 })
    answer('POST /api/providers/{providerId}/test-email', { success: false, error: 'The mailbox is full.' })
    await user.click(screen.getByRole('button', { name: 'Send test email' }))
    await findToast('The test email was not delivered', 'The mailbox is full.')
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
    await user.click(screen.getByRole('button', { name: 'Pass on waiting requests...' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Pass on waiting requests?' }))
    await dialog.findByText('4 requests of this provider have no answer yet.')
    const shares = dialog.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(shares).toEqual(['2 to Granite Clinic', '1 to North Loop'])
    dialog.getByText('1 request stays here: no other provider in reach can take it now.')
    expect(calls).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Pass on 3 requests' }))
    await findToast('1 lead not passed on', 'The clinic has answered by now.')
    expect(calls[0]?.body).toEqual({ action: 'pass-on', ids: [11, 12, 13], waiting_at: 1 })
    const undone = answerBulk('POST /api/leads/bulk', { succeeded: 2 })
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(undone.at(-1)?.body).toEqual({ action: 'undo-match', ids: [11, 13] }))
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
    const people = within(screen.getByRole('list', { name: 'People of the provider' }))
    const [first, own, added] = people.getAllByRole('listitem')
    expect(first?.textContent).toContain('It is the address in WordPress.')
    expect(own?.textContent).toContain('gets the leads. Added by desk@quill.example on Nov 20, 2026.')
    expect(added?.textContent).toContain('Has not signed in yet.')
    await user.click(within(own as HTMLElement).getByRole('button', { name: 'Remove' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove own@quill.example?' }))
    await user.click(dialog.getByRole('button', { name: 'Remove' }))
    await findToast('Success', 'Person removed')
    expect(calls[0]?.params).toEqual({ providerId: 1, id: 4 })
  })

  it('are not offered to viewers', async () => {
    emptyDashboard({ role: 'viewer' })
    store()
    await openDashboard(RECORD)
    await title()
    expect(screen.queryByRole('button', { name: /Send test|Resend/ })).toBeNull()
  })
})
