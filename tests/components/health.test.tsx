import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { AlertChannel, Alerts } from '../../core/conditions/contract/alerts.ts'
import { CONDITIONS } from '../../core/conditions/contract/conditions.ts'
import { answer, refusal } from './api.ts'
import { ago, health, MINUTE, pauseOf, sending } from './health-samples.ts'
import { emptyDashboard, findToast, NO_ATTENTION, openDashboard } from './page.tsx'

const card = async (name: string) => within(await screen.findByRole('region', { name }))
beforeEach(() => {
  emptyDashboard()
  answer('GET /api/integrations', health())
})
const open = () => openDashboard('/admin?tab=health')

describe('the tab of health', () => {
  /** Checks facts of a card by their labels. */
  async function has(name: string, facts: Record<string, string>) {
    const region = await card(name)
    const shown = Object.keys(facts).map((label) => [label, region.getByText(label).nextElementSibling?.textContent])
    expect(Object.fromEntries(shown)).toEqual(facts)
    return region
  }

  it('has a card for each integration, with its state and its numbers', async () => {
    await open()
    const hours = { 'Last hour': '29 of 30 succeeded (96.7%)', 'Last 24 hours': 'No attempts' }
    const crm = await has('CRM (HubSpot)', { 'Last success': '2 minutes ago', ...hours, Waiting: 'Nothing' })
    crm.getByText('Working')
    ;(await card('WordPress')).getByText('Not set up')
    const queue = await card('Queues (Redis)')
    queue.getByRole('row', { name: 'Emails oldest 5 minutes ago 3 2 0 77' })
    await has('Workers', { Running: '2 workers' })
    await has('Database', { Size: '1.4 GB', Connections: '20 of 100 (20%)' })
  })

  it('has the last failure in the words of the other side, and what waits', async () => {
    const failure = { at: ago(3 * MINUTE), error: 'The CRM refused our credentials.', detail: 'token expired' }
    const waiting = { waiting: 3, retrying: 12, oldest_waiting_at: ago(60 * MINUTE) }
    const crm = sending({ state: 'failing', last_failure: failure, ...waiting })
    answer('GET /api/integrations', health({ crm: { ...crm, kind: 'webhook' } }))
    await open()
    await has('CRM (webhook)', {
      'Last failure': '3 minutes agoThe CRM refused our credentials.It said: “token expired”',
      Waiting: '3 new, 12 to be retriedThe oldest since 1 hour ago',
    })
  })

  it('says that no worker runs, and that the queue does not answer', async () => {
    const idle = { running: 0, last_seen_at: ago(9 * MINUTE), running_since: null }
    const workers = { state: 'silent', note: 'No worker is running.', ...idle } as const
    const queue = { ...health().queue, state: 'failing', note: 'It does not answer.', queues: null } as const
    answer('GET /api/integrations', health({ workers, queue }))
    await open()
    ;(await card('Workers')).getByText('No worker is running.')
    const queues = await card('Queues (Redis)')
    queues.getByText('It does not answer.')
    expect(queues.queryByRole('table')).toBeNull()
  })

  const FAILED = health({ mail: sending({ failed: { total: 13, since: ago(MINUTE) } }) })

  it('offers nothing to those who may only read', async () => {
    emptyDashboard({ role: 'viewer' })
    answer('GET /api/integrations', FAILED)
    await open()
    expect((await card('Mail')).queryAllByRole('button')).toEqual([])
  })
})

describe('a pause of sending', () => {
  it('is set for an hour with a reason, and said on every tab', async () => {
    const paused = answer('POST /api/sending-pauses', ({ body }) => {
      const pause = pauseOf({ ...(body as object) })
      answer('GET /api/attention', { ...NO_ATTENTION, pauses: [pause] })
      return pause
    })
    const user = await open()
    await user.click((await card('CRM (HubSpot)')).getByRole('button', { name: 'Pause sending until... CRM calls' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Pause sending CRM calls' }))
    await user.click(dialog.getByRole('button', { name: 'Pause sending' }))
    await dialog.findByText('A reason is required')
    expect(paused).toHaveLength(0)
    await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Maintenance')
    await user.click(dialog.getByRole('button', { name: 'Pause sending' }))
    await findToast('Sending CRM calls is paused until')
    expect(paused).toMatchObject([{ body: { integration: 'crm', reason: 'Maintenance' } }])
    expect(Math.abs((Date.parse(paused[0]?.body.until) - Date.now()) / MINUTE - 60)).toBeLessThan(2)
    answer('GET /api/audit-log', { lines: [], total: 0 })
    await user.click(screen.getByRole('link', { name: 'Activity' }))
    await screen.findByText(/^Sending CRM calls is paused until /)
    screen.getByRole('link', { name: 'See the health' })
  })

  it('names who paused and why, and is ended from its card', async () => {
    const crm = { ...sending({ state: 'paused', pause: pauseOf() }), kind: 'hubspot' } as const
    answer('GET /api/integrations', health({ crm }))
    const ended = answer('DELETE /api/sending-pauses/{integration}', { success: true })
    const user = await open()
    const region = await card('CRM (HubSpot)')
    region.getByText(/^Paused until .+ by Ana Flores: Maintenance\.$/)
    await user.click(region.getByRole('button', { name: 'Resume now sending CRM calls' }))
    await findToast('Waiting deliveries are due now.')
    expect(ended).toHaveLength(1)
  })
})

describe('alerts', () => {
  const channel = (overrides: Partial<AlertChannel> = {}): AlertChannel => ({
    ...{ id: 1, kind: 'team', name: 'The team', target: null, daily_hour: 8, rhythm: 'at_once', last: null },
    ...overrides,
  })
  const CHAT = channel({
    ...{ id: 2, kind: 'slack', name: 'Operations', target: 'hooks.example.com/…1234' },
  })
  async function openAlerts(given: Partial<Alerts> = {}) {
    const none = { channels: [channel()], checked_at: ago(0), no_lead_hours: 8 }
    answer('GET /api/alerts', { ...none, ...given })
    const user = await openDashboard('/admin?tab=alerts')
    await screen.findByRole('heading', { name: 'Channels' })
    return user
  }

  it('need a worker that looks, and another channel where only mail tells of mail', async () => {
    await openAlerts({ checked_at: ago(12 * MINUTE) })
    screen.getByText(/If the mail server fails/)
    screen.getByText('No worker is checking for alerts')
  })

  it('say what they are about, and save when a channel gets them', async () => {
    const user = await openAlerts({ channels: [channel(), CHAT] })
    for (const { about, ...how } of Object.values(CONDITIONS)) if ('alerts' in how) screen.getByText(about)
    const calls = answer('PATCH /api/alerts/channels/{id}', { success: true })
    const select = screen.getByLabelText<HTMLSelectElement>('When alerts go to Operations')
    expect(select.value).toBe('at_once')
    await user.selectOptions(select, 'Daily at 5 PM')
    await user.click(await screen.findByRole('button', { name: /^Save/ }))
    await waitFor(() => expect(calls).toMatchObject([{ params: { id: 2 }, body: { rhythm: 'daily', daily_hour: 17 } }]))
  })

  it('show the last delivery with the other side’s words, and send a test', async () => {
    const last: AlertChannel['last'] = {
      ...{ job_id: crypto.randomUUID(), at: ago(3 * MINUTE), kind: 'alert', state: 'failed' },
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

  it('add a webhook, say what is wrong with its address, and show its secret once', async () => {
    const user = await openAlerts()
    const add = () => user.click(screen.getByRole('button', { name: 'Add the channel' }))
    await user.click(screen.getByRole('button', { name: 'Add a channel' }))
    await user.click(await screen.findByLabelText(/^Webhook/))
    await add()
    await screen.findByText('A name is required')
    screen.getByText('Enter an address that begins with https://')
    await user.type(screen.getByLabelText('Name'), 'Pager')
    await user.type(screen.getByLabelText('Address (https://)'), 'https://10.0.0.4/x')
    const fields = { url: 'This host is in a private network.' }
    answer('POST /api/alerts/channels', () => refusal(422, { error: 'Invalid', fields }))
    await add()
    await screen.findByText(fields.url)
    answer('POST /api/alerts/channels', { id: 3, secret: 'whsec_test' })
    await add()
    await screen.findByText('whsec_test')
  })

  it('add email addresses, one on a line', async () => {
    const user = await openAlerts()
    const calls = answer('POST /api/alerts/channels', { id: 3, secret: null })
    const addresses = ['ada@leadwell.example', 'ben@leadwell.example']
    await user.click(screen.getByRole('button', { name: 'Add a channel' }))
    await user.type(await screen.findByLabelText('Name'), 'Owners')
    await user.type(screen.getByLabelText(/^Email addresses/), addresses.join('\n'))
    await user.click(screen.getByRole('button', { name: 'Add the channel' }))
    await waitFor(() => expect(calls).toMatchObject([{ body: { addresses } }]))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})
