import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ApplicationDetails } from '../../core/applications/contract/applications.ts'
import { type Application, ApplicationStatus } from '../../core/applications/contract/applications.ts'
import { answer, bodiesOf, type CallName, heldAnswer, type MadeCall, refusal } from './api.ts'
import { FakeEventSource } from './event-source.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { application, applicationDetails, staffAccount } from './samples.ts'

/** The applications that the API has, for a test to change, and how it was asked for them. */
type Stored = { applications: Application[]; calls: MadeCall[] }

/** Answers the list of applications with these, or with those of the status that is asked for. */
function storeApplications(...applications: Application[]): Stored {
  const stored: Stored = { applications, calls: [] }
  stored.calls = answer('GET /api/provider-applications', ({ query }) => {
    const wanted = stored.applications.filter(({ status }) => !query.status || status === query.status)
    const count = (of: ApplicationStatus) => stored.applications.filter(({ status }) => status === of).length
    const counts = Object.fromEntries(ApplicationStatus.options.map((status) => [status, count(status)]))
    return { applications: wanted, total: wanted.length, counts }
  })
  return stored
}

const open = () => openDashboard('/admin?tab=applications')
const statusFilter = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Show' })
async function rowOf(id: number) {
  const row = (await screen.findByText(`Calloway Clinic ${id}`, { selector: 'td *' })).closest('tr') as HTMLElement
  return within(row)
}
const NAME = 'Status of Calloway Clinic 1'
const GONE = () => refusal(404, { error: 'There is no such application.', code: 'not_found' })
beforeEach(() => emptyDashboard())

describe('the table of applications', () => {
  it('shows who applies, whether they were told, and which application is held', async () => {
    storeApplications(
      application(1, { created_at: '2026-03-05T18:00:00.000Z' }),
      application(2, { website: null, email_status: 'failed' }),
      application(3, { held_reason: 'honeypot' }),
    )
    await open()
    const row = await rowOf(1)
    for (const text of ['Dr. Ines Calloway', 'applicant1@clinics.example', '(512) 555-0100', '78701', 'Mar 5, 2026'])
      row.getByText(text)
    row.getByText('Sent')
    expect(row.getByRole('link', { name: 'calloway.example' }).getAttribute('href')).toBe('https://calloway.example')
    ;(await rowOf(2)).getByText('Failed')
    ;(await rowOf(3)).getByText('Held')
    const csv = screen.getByRole('link', { name: 'Export Applications CSV' })
    expect(csv.getAttribute('href')).toBe('/api/provider-applications.csv')
  })

  it('filters by status, and says how many there are of each', async () => {
    const stored = storeApplications(application(1), application(2, { status: 'approved' }))
    const user = await open()
    await rowOf(1)
    await user.selectOptions(statusFilter(), 'Approved (1)')
    await screen.findByText('Total: 1 application')
    expect(screen.queryByText('Calloway Clinic 1')).toBeNull()
    await user.selectOptions(statusFilter(), 'Declined (0)')
    await screen.findByText('No applications have this status.')
    expect(stored.calls.at(-1)?.query).toMatchObject({ page: 1, status: 'declined' })
  })
})

describe('the panel of an application', () => {
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
  const by = { actor: 'ada@leadwell.example', actor_name: 'Ada Park' }

  async function openPanel(details: Partial<ApplicationDetails> = {}) {
    const stored = { details: applicationDetails(1, details) }
    storeApplications(application(1), application(2))
    answer('GET /api/provider-applications/{id}', () => stored.details)
    const user = await openDashboard('/admin?tab=applications&application=1')
    const panel = within(await screen.findByRole('complementary', { name: 'Calloway Clinic 1' }))
    await panel.findByRole('heading', { name: 'Stages' })
    return { user, panel, stored }
  }

  const CALL = 'POST /api/provider-applications/{id}'
  it.each<[string, CallName, string, string]>([
    ['Resend Email', `${CALL}/retry-email`, 'Successfully retried email', 'Failed to retry email'],
    ['Release', `${CALL}/release`, 'Application released', 'Failed to release application'],
  ])('says how it went: %s', async (does, call, done, failed) => {
    const isHeld = does === 'Release'
    answer(call, GONE)
    const { user, panel, stored } = await openPanel({
      held_reason: isHeld ? 'honeypot' : null,
      email_status: 'pending',
    })
    if (isHeld) {
      const reason = panel.getByText(/A field that people cannot see was filled in\. Nothing is sent to the applicant/)
      const resend = panel.getByRole<HTMLButtonElement>('button', { name: 'Resend Email' })
      expect([resend.disabled, resend.getAttribute('aria-describedby')]).toEqual([true, reason.id])
    }
    await user.click(panel.getByRole('button', { name: does }))
    await findToast(failed, '404: There is no such application.')
    const calls = answer(call, () => {
      stored.details = applicationDetails(1)
      return { success: true }
    })
    await user.click(await panel.findByRole('button', { name: does }))
    await findToast('Success', done)
    await panel.findByText('Sent')
    expect(calls.map(({ params }) => params)).toEqual([{ id: 1 }])
  })

  it('sets a status, shows the new one meanwhile, and says why it could not be set', async () => {
    const { user, panel, stored } = await openPanel()
    answer('PATCH /api/provider-applications/{id}', GONE)
    const select = panel.getByRole<HTMLSelectElement>('combobox', { name: NAME })
    await user.selectOptions(select, 'Declined')
    await user.click(panel.getByRole('button', { name: `Save: ${NAME}` }))
    await findToast('Failed to update application status', '404: There is no such application.')
    await user.click(await panel.findByRole('button', { name: 'Cancel' }))
    expect(select.value).toBe('new')
    const held = heldAnswer(application(1, { status: 'approved' }))
    const calls = answer('PATCH /api/provider-applications/{id}', held.answer)
    await user.selectOptions(select, 'Approved')
    expect(calls).toEqual([])
    await user.click(panel.getByRole('button', { name: `Save: ${NAME}` }))
    await waitFor(() => expect([select.value, select.getAttribute('aria-busy')]).toEqual(['approved', 'true']))
    stored.details = applicationDetails(1, { status: 'approved' })
    held.release()
    await findToast('Success', 'Application status updated successfully')
    await waitFor(() => expect([select.value, select.getAttribute('aria-busy')]).toEqual(['approved', null]))
    expect(calls).toMatchObject([{ params: { id: 1 }, body: { status: 'approved' } }])
  })

  it('deletes an application, but asks first', async () => {
    const { user, panel } = await openPanel()
    const reads = answer('GET /api/provider-applications/{id}', GONE)
    const deleted = heldAnswer({ success: true })
    const calls = answer('DELETE /api/provider-applications/{id}', deleted.answer)
    await user.click(panel.getByRole('button', { name: 'Delete' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Delete this application?' }))
    dialog.getByText(/^The application of Calloway Clinic 1, its notes and its deliveries will be deleted\./)
    expect(calls).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Delete application' }))
    await waitFor(() => expect(calls).toHaveLength(1))
    // The news comes before the answer.
    const list = storeApplications()
    FakeEventSource.announce({ applications: [1] })
    await waitFor(() => expect(list.calls).not.toEqual([]))
    deleted.release()
    await findToast('Success', 'Application deleted successfully')
    await screen.findByText(/^No applications yet/)
    expect(calls.map(({ params }) => params)).toEqual([{ id: 1 }])
    expect(reads, 'of what is gone').toEqual([])
  })

  it('shows how to reach who applies, and the stages with their dates', async () => {
    const { panel } = await openPanel({
      ...{ status: 'contacted', promised_at: ago(30), reviewed_at: ago(3) },
      stages: [
        { status: 'new', at: ago(30), actor: null, actor_name: null },
        { status: 'contacted', at: ago(3), ...by },
      ],
    })
    expect(panel.getByRole('link', { name: '(512) 555-0100' }).getAttribute('href')).toBe('tel:+15125550100')
    panel.getByText('Reviewed after 1.1 days')
    const stages = within(panel.getByRole('heading', { name: 'Stages' }).parentElement as HTMLElement)
    expect(stages.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      ...[expect.stringMatching(/^New /), expect.stringMatching(/^Contacted .* by Ada Park$/)],
    ])
  })

  it('takes notes, keeps one that could not be stored, and deletes one after a question', async () => {
    const { panel, user, stored } = await openPanel()
    answer('POST /api/provider-applications/{id}/notes', GONE)
    const field = panel.getByRole<HTMLTextAreaElement>('textbox', { name: 'New note' })
    await user.type(field, 'Call in the morning.')
    await user.click(panel.getByRole('button', { name: 'Add note' }))
    await findToast('Failed to add the note', 'There is no such application.')
    expect(field.value).toBe('Call in the morning.')
    const calls = answer('POST /api/provider-applications/{id}/notes', ({ body: { text } }) => {
      stored.details = applicationDetails(1, { notes: [{ id: 5, text, at: ago(0), ...by }] })
      return { success: true }
    })
    await user.click(panel.getByRole('button', { name: 'Add note' }))
    const notes = within(await panel.findByRole('list', { name: 'Notes' }))
    expect([bodiesOf(calls), field.value]).toEqual([[{ text: 'Call in the morning.' }], ''])
    const deleted = answer('DELETE /api/provider-applications/{id}/notes/{noteId}', () => {
      stored.details = applicationDetails(1)
      return { success: true }
    })
    await user.click(notes.getByRole('button', { name: 'Delete' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(panel.queryByRole('list', { name: 'Notes' })).toBeNull())
    expect(deleted.map(({ params }) => params)).toEqual([{ id: 1, noteId: 5 }])
  })

  it('gives it to an account', async () => {
    const staff = [staffAccount(3), staffAccount(4, { disabled_at: ago(1) })]
    answer('GET /api/staff', { staff, shared_password: { state: 'on', can_switch_off: false } })
    const { panel, user } = await openPanel()
    const calls = answer('PATCH /api/provider-applications/{id}', application(1))
    const owner = await panel.findByRole<HTMLSelectElement>('combobox', { name: /^Owner of/ })
    expect([...owner.options].map(({ text }) => text)).toEqual(['Nobody', 'Ada Park'])
    await user.selectOptions(owner, 'Ada Park')
    await user.click(panel.getByRole('button', { name: /^Save: Owner/ }))
    await findToast('Success', 'Owner changed')
    expect(bodiesOf(calls)).toEqual([{ owner_id: 3 }])
  })

  it('makes it a clinic that is active and takes the waiting leads, if that is left ticked', async () => {
    const { panel, user, stored } = await openPanel({ status: 'training' })
    const calls = answer('POST /api/provider-applications/{id}/certify', () => {
      stored.details = applicationDetails(1, { status: 'certified', provider: { id: 9, status: 'active' } })
      return { success: true }
    })
    await user.click(panel.getByRole('button', { name: 'Certify...' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Certify Calloway Clinic 1?' }))
    dialog.getByRole('checkbox', { name: 'Match waiting leads again', checked: true })
    await user.click(dialog.getByRole('button', { name: 'Certify' }))
    await findToast('Success', 'Calloway Clinic 1 is certified')
    expect(bodiesOf(calls)).toEqual([{ active: true, match_waiting: true }])
    expect((await panel.findByRole('link', { name: 'a provider' })).getAttribute('href')).toContain('provider=9')
    expect(panel.queryByRole('button', { name: 'Certify...' })).toBeNull()
  })

  it('shows viewers what there is, without anything to change', async () => {
    emptyDashboard({ role: 'viewer' })
    const { panel } = await openPanel({ status: 'approved', email: 'a•••@c•••.example' })
    expect(screen.queryByText('Export Applications CSV')).toBeNull()
    expect([panel.queryByRole('combobox'), panel.queryByRole('textbox')]).toEqual([null, null])
    for (const name of ['Copy the email address', 'Certify...'])
      expect(panel.queryByRole('button', { name })).toBeNull()
  })
})
