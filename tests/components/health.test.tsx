import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { found } from '../support/found.ts'
import { answer, refusal } from './api.ts'
import { answerBulk } from './bulk.ts'
import { ago, health, later, MINUTE, pauseOf, sending } from './health-samples.ts'
import { storeLeads } from './leads-page.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { lead } from './samples.ts'

const card = async (name: string) => within(await screen.findByRole('region', { name }))
/** A fact of a card, by its label. */
const factOf = (region: Awaited<ReturnType<typeof card>>, label: string) =>
  region.getByText(label).nextElementSibling?.textContent

beforeEach(() => {
  emptyDashboard()
  answer('GET /api/integrations', health())
})
const open = () => openDashboard('/admin?tab=health')

describe('the tab of health', () => {
  it('has a card for each integration, with its state and its numbers', async () => {
    await open()
    const crm = await card('CRM (HubSpot)')
    crm.getByText('Working')
    expect(factOf(crm, 'Last success')).toBe('2 minutes ago')
    expect(factOf(crm, 'Last hour')).toBe('29 of 30 succeeded (96.7%)')
    expect(factOf(crm, 'Last 24 hours')).toBe('No attempt')
    expect(factOf(crm, 'Waiting')).toBe('Nothing')
    ;(await card('WordPress')).getByText('Not set up')
    const queue = await card('Queue (Redis)')
    expect(factOf(queue, 'In the queue')).toBe('0 waiting, 2 active, 0 delayed')
    expect(factOf(queue, 'In the ledger')).toBe('2 handed to the queue, 1,200 waiting')
    expect(factOf(queue, 'Failed')).toBe('77 for good, in 30 days')
    expect(queue.getByRole('link', { name: 'Open the queue pages' }).getAttribute('href')).toBe('/admin/queues')
    expect(factOf(await card('Workers'), 'Running')).toBe('2 workers')
    expect(factOf(await card('Database'), 'Size')).toBe('1.4 GB')
    expect(factOf(await card('Database'), 'Connections')).toBe('20 of 100 (20%)')
  })

  it('has the last failure in the words of the other side, and what waits', async () => {
    const failure = { at: ago(3 * MINUTE), error: 'The CRM refused our credentials.', detail: 'token expired' }
    const crm = sending({
      state: 'failing',
      last_failure: failure,
      waiting: 3,
      retrying: 12,
      oldest_waiting_at: ago(60 * MINUTE),
    })
    answer('GET /api/integrations', health({ crm: { ...crm, kind: 'webhook' } }))
    await open()
    const region = await card('CRM (webhook)')
    region.getByText('Failing')
    expect(factOf(region, 'Last failure')).toBe('3 minutes agoThe CRM refused our credentials.It said: “token expired”')
    expect(factOf(region, 'Waiting')).toBe('3 new, 12 to be retriedThe oldest since 1 hour ago')
  })

  it('says that no worker runs, and that the queue does not answer', async () => {
    answer(
      'GET /api/integrations',
      health({
        workers: { state: 'silent', running: 0, last_seen_at: ago(9 * MINUTE), running_since: null },
        queue: { ...health().queue, state: 'failing', jobs: null },
      }),
    )
    await open()
    ;(await card('Workers')).getByText(/^No worker runs\./)
    const queue = await card('Queue (Redis)')
    queue.getByText(/^The queue does not answer\./)
    expect(factOf(queue, 'In the queue')).toBe('Unknown')
  })

  it('says why it cannot be read, and reads it again', async () => {
    answer('GET /api/integrations', () => refusal(503, { error: 'The database is away.' }))
    const user = await open()
    await screen.findByText('503: The database is away.')
    answer('GET /api/integrations', health())
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await card('Mail')
  })

  it('retries what failed of one integration, after a question', async () => {
    answer('GET /api/integrations', health({ mail: sending({ failed: { total: 13, since: ago(MINUTE) } }) }))
    const counts = answer('GET /api/jobs/failed', { total: 13 })
    const retries = answerBulk('POST /api/jobs/retry-failed', { succeeded: 13 })
    const user = await open()
    const region = await card('Mail')
    await user.click(region.getByRole('button', { name: 'Retry these 13...' }))
    await user.click(await screen.findByRole('button', { name: 'Retry 13 deliveries' }))
    await screen.findByText('13 delivered, 0 refused, 0 waiting')
    expect(counts.at(0)?.query).toMatchObject({ name: 'send-email' })
    expect(retries.at(0)?.body).toMatchObject({ name: 'send-email', expected: 13 })
  })

  it('offers nothing to those who may only read', async () => {
    emptyDashboard({ role: 'agent' })
    answer('GET /api/integrations', health({ mail: sending({ failed: { total: 13, since: ago(MINUTE) } }) }))
    await open()
    expect((await card('Mail')).queryAllByRole('button')).toEqual([])
  })
})

describe('a pause of sending', () => {
  it('is set for an hour with a reason, and said on every tab', async () => {
    const paused = answer('POST /api/sending-pauses', ({ body }) => {
      const pause = pauseOf({ ...(body as object) })
      answer('GET /api/sending-pauses', { pauses: [pause] })
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
    const sent = found(paused[0]).body as { until: string }
    expect(sent).toMatchObject({ integration: 'crm', reason: 'Maintenance' })
    expect(Math.round((Date.parse(sent.until) - Date.now()) / MINUTE)).toBe(60)

    await screen.findByText(/^Sending CRM calls is paused until /)
    answer('GET /api/audit-log', { lines: [], total: 0 })
    await user.click(screen.getByRole('tab', { name: 'Activity' }))
    screen.getByText(/^Sending CRM calls is paused until /)
    screen.getByRole('link', { name: 'See the health' })
  })

  it('takes another time by the clock of the network', async () => {
    emptyDashboard({}, 'America/Los_Angeles')
    answer('GET /api/integrations', health())
    const paused = answer('POST /api/sending-pauses', () => pauseOf())
    const user = await open()
    await user.click((await card('Mail')).getByRole('button', { name: 'Pause sending until... e-mails' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Pause sending e-mails' }))
    await user.click(dialog.getByRole('radio', { name: 'Until another time' }))
    // Tomorrow at noon in Los Angeles.
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles' }).format(
      Date.now() + 24 * 60 * MINUTE,
    )
    await user.type(dialog.getByLabelText('Day and time (Pacific Time)'), `${day}T12:00`)
    await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'Move')
    await user.click(dialog.getByRole('button', { name: 'Pause sending' }))
    await findToast('Sending e-mails is paused until')
    const { until } = found(paused[0]).body as { until: string }
    const there = new Intl.DateTimeFormat('en-US', {
      timeZone: 'America/Los_Angeles',
      hour: 'numeric',
      minute: '2-digit',
    })
    expect(there.format(Date.parse(until))).toMatch(/^12:00\sPM$/)
  })

  it('names who paused and why, and is ended from its card', async () => {
    const pause = pauseOf()
    answer('GET /api/integrations', health({ crm: { ...sending({ state: 'paused', pause }), kind: 'hubspot' } }))
    const ended = answer('DELETE /api/sending-pauses/{integration}', { success: true })
    const user = await open()
    const region = await card('CRM (HubSpot)')
    region.getByText(/^Paused until .+ by Ana Flores: Maintenance\.$/)
    await user.click(region.getByRole('button', { name: 'Resume now sending CRM calls' }))
    await findToast('What waited is due now.')
    expect(ended).toHaveLength(1)
  })

  it('says of the breaker that everything was refused, and when one is tried', async () => {
    const pause = pauseOf({
      ...{ kind: 'breaker', reason: 'The CRM refused 10 attempts in a row. It is away.', paused_by: 'system' },
      paused_by_name: null,
    })
    answer('GET /api/sending-pauses', { pauses: [pause] })
    answer('GET /api/integrations', health({ crm: { ...sending({ state: 'paused', pause }), kind: 'hubspot' } }))
    await open()
    ;(await card('CRM (HubSpot)')).getByText(/Paused by Leadwell itself\. One delivery is tried at /)
    await screen.findByText('Sending CRM calls is paused, because everything was refused')
  })

  it('stands in the list of leads in place of the next attempt', async () => {
    const waiting = { status: 'retrying', next_attempt_at: later(MINUTE) } as const
    storeLeads(lead(1, { crm_sync_status: 'pending', deliveries: { crm: waiting, clinic: waiting } }))
    answer('GET /api/sending-pauses', { pauses: [pauseOf()] })
    await openDashboard('/admin')
    await screen.findByText(/^Paused until /)
    screen.getByText(/^Trying again at /)
  })
})
