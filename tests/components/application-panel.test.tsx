import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ApplicationDetails } from '../../core/contract/application-details.ts'
import { answer, refusal } from './api.ts'
import { applicationRow, storeApplications } from './applications-page.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { application, applicationDetails, staffAccount } from './samples.ts'

const HOUR = 3_600_000
const ago = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString()
const by = { actor: 'ada@leadwell.example', actor_name: 'Ada Park' }

/** Opens the address of application 1, which has these details. */
async function openPanel(details: Partial<ApplicationDetails> = {}) {
  const stored = { details: applicationDetails(1, details) }
  storeApplications(application(1), application(2))
  answer('GET /api/provider-applications/{id}', () => stored.details)
  answer('GET /api/provider-applications/{id}/jobs', { jobs: [] })
  const user = await openDashboard('/admin?tab=applications&application=1')
  const panel = within(await screen.findByRole('complementary', { name: 'Calloway Clinic 1' }))
  await panel.findByRole('heading', { name: 'Stages' })
  return { user, panel, stored }
}

beforeEach(() => emptyDashboard())

describe('the panel of an application', () => {
  it('shows who applies and how to reach them, and the stages with their dates', async () => {
    const { panel } = await openPanel({
      status: 'contacted',
      stages: [
        { status: 'new', at: ago(30), actor: null, actor_name: null },
        { status: 'contacted', at: ago(3), ...by },
      ],
      promised_at: ago(30),
      reviewed_at: ago(3),
    })
    panel.getByText('Austin, TX 78701')
    expect(panel.getByRole('link', { name: '(512) 555-0100' }).getAttribute('href')).toBe('tel:+15125550100')
    panel.getByRole('button', { name: 'Copy the e-mail address' })
    panel.getByText('Reviewed after 1.1 days')
    const stages = within(panel.getByRole('heading', { name: 'Stages' }).parentElement as HTMLElement)
    expect(stages.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^New /),
      expect.stringMatching(/^Contacted .* by Ada Park$/),
      'Approved (not yet)',
      'In training (not yet)',
      'Certified (not yet)',
    ])
  })

  it.each([
    [5, 'Review in 19 h'],
    [30, 'Review due, 18 h left'],
    [53, 'Overdue by 5 h'],
  ])('shows the promised review as a clock: after %i hours', async (hours, words) => {
    const { panel } = await openPanel({ promised_at: ago(hours) })
    panel.getByText(words)
  })

  it('takes notes', async () => {
    const { panel, user, stored } = await openPanel()
    panel.getByText('No notes yet.')
    const calls = answer('POST /api/provider-applications/{id}/notes', ({ body: { text } }) => {
      stored.details = applicationDetails(1, { notes: [{ id: 1, text, at: ago(0), ...by }] })
      return { success: true }
    })
    await user.type(panel.getByRole('textbox', { name: 'New note' }), 'Call in the morning.')
    await user.click(panel.getByRole('button', { name: 'Add note' }))
    await panel.findByText('Call in the morning.')
    expect(calls.map(({ body }) => body)).toEqual([{ text: 'Call in the morning.' }])
    expect(panel.getByRole<HTMLTextAreaElement>('textbox', { name: 'New note' }).value).toBe('')
  })

  it('deletes a note, after a question', async () => {
    const { panel, user, stored } = await openPanel({
      notes: [{ id: 5, text: 'Call in the morning.', at: ago(2), ...by }],
    })
    const deleted = answer('DELETE /api/provider-applications/{id}/notes/{noteId}', () => {
      stored.details = applicationDetails(1)
      return { success: true }
    })
    await user.click(within(panel.getByRole('list', { name: 'Notes' })).getByRole('button', { name: 'Delete' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await panel.findByText('No notes yet.')
    expect(deleted.map(({ params }) => params)).toEqual([{ id: 1, noteId: 5 }])
  })

  it('keeps a note that could not be stored', async () => {
    const { panel, user } = await openPanel()
    answer('POST /api/provider-applications/{id}/notes', () =>
      refusal(404, { error: 'There is no such application.', code: 'not_found' }),
    )
    await user.type(panel.getByRole('textbox', { name: 'New note' }), 'Call.')
    await user.click(panel.getByRole('button', { name: 'Add note' }))
    await findToast('Failed to add the note', 'There is no such application.')
    expect(panel.getByRole<HTMLTextAreaElement>('textbox', { name: 'New note' }).value).toBe('Call.')
  })

  it('is given to an account', async () => {
    answer('GET /api/staff', {
      staff: [staffAccount(3, { name: 'Ada Park' }), staffAccount(4, { disabled_at: ago(1) })],
      shared_password: { state: 'on', can_switch_off: false },
    })
    const { panel, user } = await openPanel()
    const calls = answer('PATCH /api/provider-applications/{id}', application(1))
    const owner = await panel.findByRole<HTMLSelectElement>('combobox', { name: /^Owner of/ })
    expect([...owner.options].map(({ text }) => text)).toEqual(['Nobody', 'Ada Park'])
    await user.selectOptions(owner, 'Ada Park')
    await user.click(panel.getByRole('button', { name: /^Save: Owner/ }))
    await findToast('Success', 'Owner changed')
    expect(calls.map(({ body }) => body)).toEqual([{ owner_id: 3 }])
  })

  it('becomes a clinic that is active and takes the waiting leads, if that is left ticked', async () => {
    const { panel, user, stored } = await openPanel({
      status: 'training',
    })
    const calls = answer('POST /api/provider-applications/{id}/certify', () => {
      stored.details = applicationDetails(1, {
        status: 'certified',
        provider: { id: 9, status: 'active' },
      })
      return { success: true }
    })
    await user.click(panel.getByRole('button', { name: 'Certify...' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Certify Calloway Clinic 1?' }))
    dialog.getByRole('checkbox', { name: 'Match waiting leads again', checked: true })
    await user.click(dialog.getByRole('button', { name: 'Certify' }))
    await findToast('Success', 'Calloway Clinic 1 is certified')
    expect(calls.map(({ body }) => body)).toEqual([{ active: true, match_waiting: true }])
    expect((await panel.findByRole('link', { name: 'a clinic' })).getAttribute('href')).toContain('provider=9')
    expect(panel.queryByRole('button', { name: 'Certify...' })).toBeNull()
  })

  it('becomes an inactive clinic without its leads', async () => {
    const { panel, user } = await openPanel({ status: 'approved' })
    const calls = answer('POST /api/provider-applications/{id}/certify', { success: true })
    await user.click(panel.getByRole('button', { name: 'Certify...' }))
    await user.click(screen.getByRole('checkbox', { name: 'Active: it gets leads at once' }))
    await user.click(screen.getByRole('button', { name: 'Certify' }))
    await waitFor(() => expect(calls.map(({ body }) => body)).toEqual([{ active: false, match_waiting: false }]))
  })

  it('closes, and the focus returns to the row', async () => {
    const { panel, user } = await openPanel()
    expect(document.activeElement?.textContent).toBe('Calloway Clinic 1')
    await user.click(panel.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
    expect(location.search).not.toContain('application=')
    expect(document.activeElement).toBe((await applicationRow(1)).getByRole('button', { name: 'Details' }))
  })

  it('closes after the application was deleted', async () => {
    const { panel, user } = await openPanel()
    answer('DELETE /api/provider-applications/{id}', { success: true })
    await user.click(panel.getByRole('button', { name: 'Delete' }))
    await user.click(screen.getByRole('button', { name: 'Delete application' }))
    await findToast('Success', 'Application deleted successfully')
    await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
  })

  it('shows viewers what there is, without anything to change', async () => {
    emptyDashboard({ role: 'viewer' })
    const { panel } = await openPanel({ status: 'approved', email: 'a•••@c•••.example' })
    expect(panel.queryByRole('combobox')).toBeNull()
    expect(panel.queryByRole('textbox')).toBeNull()
    expect(panel.queryByRole('button', { name: 'Copy the e-mail address' })).toBeNull()
    expect(panel.queryByRole('button', { name: 'Certify...' })).toBeNull()
  })

  it('says why it could not be loaded', async () => {
    storeApplications()
    answer('GET /api/provider-applications/{id}', () =>
      refusal(404, { error: 'There is no such application.', code: 'not_found' }),
    )
    await openDashboard('/admin?tab=applications&application=77')
    const panel = within(await screen.findByRole('complementary', { name: 'Application #77' }))
    await panel.findByText('404: There is no such application.')
  })
})
