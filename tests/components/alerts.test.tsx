import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { ALERT_EVENTS, type AlertChannel, AlertEvent, type Alerts } from '../../core/contract/alerts.ts'
import { answer, refusal } from './api.ts'
import { emptyDashboard, openDashboard } from './page.tsx'

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const channel = (overrides: Partial<AlertChannel> = {}): AlertChannel => ({
  ...{ id: 1, kind: 'team', name: 'The team', target: null, daily_hour: 8, rhythm: 'at_once', last: null },
  ...overrides,
})
const CHAT = channel({
  ...{ id: 2, kind: 'slack', name: 'Operations', target: 'hooks.example.com/…1234' },
})
const alerts = (overrides: Partial<Alerts> = {}): Alerts => ({
  ...{ channels: [channel()], checked_at: ago(0), no_lead_hours: 8 },
  ...overrides,
})

beforeEach(() => emptyDashboard())

async function openAlerts(given: Partial<Alerts> = {}) {
  answer('GET /api/alerts', alerts(given))
  const user = await openDashboard('/admin?tab=alerts')
  await screen.findByRole('heading', { name: 'Channels' })
  return user
}

it('says that alerts about mail need another channel, until there is one', async () => {
  await openAlerts()
  screen.getByText(/If the mail server fails/)
})

it('says when no worker looks, because no alert can come then', async () => {
  await openAlerts({ checked_at: ago(12), channels: [channel(), CHAT] })
  screen.getByText('No worker looks for alerts')
  expect(screen.queryByText(/If the mail server fails/)).toBeNull()
})

it('says what alerts are about, and saves when a channel gets them', async () => {
  const user = await openAlerts({ channels: [channel(), CHAT] })
  for (const event of AlertEvent.options) screen.getByText(ALERT_EVENTS[event].words)
  const calls = answer('PATCH /api/alerts/channels/{id}', { success: true })
  const select = screen.getByLabelText<HTMLSelectElement>('When alerts go to Operations')
  expect(select.value).toBe('at_once')
  await user.selectOptions(select, 'Daily at 5 PM')
  await user.click(await screen.findByRole('button', { name: /^Save/ }))
  await waitFor(() => expect(calls).toMatchObject([{ params: { id: 2 }, body: { rhythm: 'daily', daily_hour: 17 } }]))
})

it('shows the last delivery with the other side’s words, and sends a test', async () => {
  const last: AlertChannel['last'] = {
    ...{ job_id: crypto.randomUUID(), at: ago(3), kind: 'alert' as const, state: 'failed' as const },
    ...{ error: 'Nothing takes alerts at this address any more (404).', detail: 'no_service' },
  }
  const user = await openAlerts({ channels: [{ ...CHAT, last }] })
  screen.getByText(/Nothing takes alerts at this address/)
  screen.getByText('“no_service”')
  const calls = answer('POST /api/alerts/channels/{id}/test', { success: false, error: 'It answered 404.' })
  await user.click(screen.getByRole('button', { name: 'Send a test to Operations' }))
  await screen.findByText('It answered 404.')
  expect(calls).toMatchObject([{ params: { id: 2 } }])
})

it('adds a webhook, says what is wrong with its address, and shows its secret once', async () => {
  const user = await openAlerts()
  await user.click(screen.getByRole('button', { name: 'Add a channel' }))
  await user.click(await screen.findByLabelText(/^Webhook/))
  await user.click(screen.getByRole('button', { name: 'Add the channel' }))
  await screen.findByText('A name is required')
  screen.getByText('Enter an address that begins with https://')

  await user.type(screen.getByLabelText('Name'), 'Pager')
  await user.type(screen.getByLabelText('Address (https://)'), 'https://10.0.0.4/x')
  answer('POST /api/alerts/channels', () =>
    refusal(422, { error: 'Invalid', fields: { url: 'This host is in a private network.' } }),
  )
  await user.click(screen.getByRole('button', { name: 'Add the channel' }))
  await screen.findByText('This host is in a private network.')

  answer('POST /api/alerts/channels', { id: 3, secret: 'whsec_test' })
  await user.click(screen.getByRole('button', { name: 'Add the channel' }))
  await screen.findByText('whsec_test')
})

it('adds e-mail addresses, one on a line', async () => {
  const user = await openAlerts()
  const calls = answer('POST /api/alerts/channels', { id: 3, secret: null })
  await user.click(screen.getByRole('button', { name: 'Add a channel' }))
  await user.type(await screen.findByLabelText('Name'), 'Owners')
  await user.type(screen.getByLabelText(/^E-mail addresses/), 'ada@leadwell.example\nben@leadwell.example')
  await user.click(screen.getByRole('button', { name: 'Add the channel' }))
  await waitFor(() =>
    expect(calls).toMatchObject([{ body: { addresses: ['ada@leadwell.example', 'ben@leadwell.example'] } }]),
  )
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it('is a manager’s tab', async () => {
  emptyDashboard({ role: 'agent' })
  await openDashboard('/admin')
  await screen.findByRole('tab', { name: 'Activity' })
  expect(screen.queryByRole('tab', { name: 'Alerts' })).toBeNull()
})
