import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { answer } from './api.ts'
import { health, pauseOf } from './health-samples.ts'
import { overview } from './overview-samples.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { settings } from './samples.ts'

/** Everything is there that an act of the menu may need. */
beforeEach(() => {
  emptyDashboard({ id: 3, name: 'Ada Park', email: 'ada@leadwell.example' })
  answer('GET /api/audit-log', { lines: [], total: 0 })
  answer('GET /api/settings', settings())
  answer('GET /api/overview', overview())
  answer('GET /api/jobs/failed', { total: 1 })
  answer('GET /api/integrations', health({ crm: { ...health().crm, pause: pauseOf() } }))
  answer('GET /api/sending-pauses', { pauses: [pauseOf()] })
  answer('DELETE /api/sending-pauses/{integration}', { success: true })
  answer('GET /api/staff', { staff: [], shared_password: { state: 'on', can_switch_off: true } })
  answer('GET /api/sessions', { sessions: [] })
  answer('GET /api/second-factor', { required: false, totp_since: null, passkeys: [], recovery_codes_left: 0 })
  answer('GET /api/alerts', {
    ...{ checked_at: new Date().toISOString(), open: [], total: 0, channels: [], no_lead_hours: 8 },
  })
  answer('GET /api/privacy/erasures', { erasures: [], total: 0 })
  answer('GET /api/lead-views', {
    views: [
      {
        ...{ id: 5, name: 'Texas', filter: { state: 'TX' }, sort: 'provider' },
        ...{ is_shared: true, is_pinned: false, is_own: false, owner_name: 'Ada Park' },
      },
    ],
  })
})

const isFocused = (name: string) =>
  waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(name, { selector: 'input' })))
const dialog = (name: string) => screen.findByRole('dialog', { name })

const ACTS: [label: string, isDone: () => Promise<unknown>][] = [
  ['New lead', () => dialog('New lead')],
  ['Enter a STOP...', () => dialog('Enter a STOP')],
  ['Manage saved views', () => dialog('Views')],
  ['Retry what failed...', () => dialog('Retry what failed')],
  ['Pause sending to the CRM...', () => dialog('Pause sending CRM calls')],
  ['Pause sending to the mail server...', () => dialog('Pause sending e-mails')],
  ['Resume sending to the CRM', () => findToast('Sending CRM calls again')],
  ['Add an account', () => dialog('Add an account')],
  ['Switch off the shared password', () => dialog('Switch off the shared password?')],
  ['Add an alert channel', () => dialog('Add a channel')],
  ['Pause the network', () => isFocused('From')],
  ['Find a person’s data', () => isFocused('E-mail address or phone number')],
  ['Change password', () => dialog('Change password')],
  ['Two-step sign-in', () => dialog('Two-step sign-in')],
  ['My sessions', () => dialog('My sessions')],
  ['Keyboard shortcuts', () => dialog('Keyboard shortcuts')],
]

describe('an act of another tab', () => {
  it.each(ACTS)('is done from anywhere: %s', async (label, isDone) => {
    const user = await openDashboard('/admin?tab=activity')
    await screen.findByText('No activity yet.')
    await user.click(screen.getByRole('button', { name: 'Search and commands' }))
    await user.type(await screen.findByRole('combobox', { name: 'Command menu' }), label)
    await user.click(await screen.findByRole('option', { name: label }))
    await isDone()
  })
})
