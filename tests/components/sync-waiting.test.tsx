import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SECOND } from '../../core/time.ts'
import { answer, heldAnswer, noAnswer, refusal } from './api.ts'
import { emptyDashboard, findToast, openDashboard, session } from './page.tsx'
import { isSyncing, know, later, massDeactivation, runningSync, syncButton, syncRunDetails } from './sync-page.ts'
import { syncRun } from './sync-samples.ts'

const DONE = { counts: { seen: 30, created: 2 } }
const SUCCESS = ['Successfully synced providers', '30 posts seen, 2 created.']
const gatewayTimeout = () => new Response('<h1>Gateway Time-out</h1>', { status: 504 })
const badGateway = () => new Response('<h1>Bad Gateway</h1>', { status: 502 })

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  emptyDashboard()
  know(syncRun(7))
})
afterEach(() => vi.useRealTimers())

describe('waiting for a sync that was asked for here', () => {
  it('goes on until the real end, also when that takes longer than the call', async () => {
    answer('POST /api/sync', () => stillRunning(8))
    const user = await openDashboard()
    await user.click(syncButton())
    know(runningSync(8))
    await later(2 * SECOND)
    await isSyncing()
    know(syncRunDetails(8, DONE))
    await later(2 * SECOND)
    await findToast(...SUCCESS)
    syncButton()
  })

  it.each([
    ['gets no answer', noAnswer],
    ['is given up by a proxy', gatewayTimeout],
  ])('follows the run of a call that %s, over a restart of the server, to its end', async (_how, givenUp) => {
    answer('POST /api/sync', givenUp)
    const user = await openDashboard()
    await screen.findByRole('tab', { name: 'Providers (0)' })
    answer('GET /api/sync-runs', badGateway)
    answer('GET /api/sync-runs/{id}', badGateway)
    await user.click(syncButton())
    await later(4 * SECOND)
    await isSyncing()
    know(runningSync(8))
    await later(4 * SECOND)
    answer('GET /api/sync-runs/{id}', badGateway)
    await later(4 * SECOND)
    await isSyncing()
    expect(document.querySelector('[data-sonner-toast]')).toBeNull()
    know(syncRunDetails(8, DONE))
    await later(2 * SECOND)
    await findToast(...SUCCESS)
    syncButton()
  })

  it('goes on after a reload, and tells the end once', async () => {
    const orders = answer('POST /api/sync', heldAnswer({}).answer)
    const user = await openDashboard()
    await screen.findByRole('tab', { name: 'Providers (0)' })
    await user.click(syncButton())
    await waitFor(() => expect(orders).toHaveLength(1))
    know(runningSync(8))
    cleanup()
    await openDashboard()
    await isSyncing()
    await screen.findByText('Page 3 of 12')
    know(syncRunDetails(8, DONE))
    await later(2 * SECOND)
    await findToast(...SUCCESS)
    syncButton()

    cleanup()
    await openDashboard()
    syncButton()
    expect(orders).toHaveLength(1)
  })

  it('asks after a reload as well, when the run needs approval', async () => {
    const orders = answer('POST /api/sync', heldAnswer({}).answer)
    const user = await openDashboard()
    await screen.findByRole('tab', { name: 'Providers (0)' })
    await user.click(syncButton())
    await waitFor(() => expect(orders).toHaveLength(1))
    know(massDeactivation(8))
    cleanup()
    await openDashboard()
    await screen.findByText('A sync would deactivate 12 providers at once.')
    expect(document.querySelector('[data-sonner-toast]')).toBeNull()
  })

  it('does not begin for the run of somebody else', async () => {
    const { details } = know(runningSync(8))
    await openDashboard()
    await waitFor(() => expect(details).toHaveLength(1))
    know(syncRunDetails(8, DONE))
    await later(4 * SECOND)
    syncButton()
    expect(document.querySelector('[data-sonner-toast]')).toBeNull()
  })

  it('begins again once somebody whose session has ended has signed in again', async () => {
    answer('POST /api/sync', () => stillRunning(8))
    const user = await openDashboard()
    await user.click(syncButton())
    await isSyncing()
    answer('GET /api/sync-runs/{id}', () => refusal(401, { error: 'Please sign in.', code: 'unauthorized' }))
    await later(2 * SECOND)
    await screen.findByText('Your session has ended. Please sign in again.')
    await later(4 * SECOND)
    expect(document.querySelector('[data-sonner-toast]')).toBeNull()

    const staff = { id: null, name: 'staff', email: null, role: 'manager' } as const
    answer('POST /api/session', session(staff))
    know(runningSync(8))
    await user.type(screen.getByLabelText('Password'), 'x')
    await user.click(screen.getByRole('button', { name: 'Sign in' }))
    await isSyncing()
    know(syncRunDetails(8, DONE))
    await later(2 * SECOND)
    await findToast(...SUCCESS)
  })
})

/** What the server answers when a run takes longer than a call may. */
function stillRunning(id: number): Response {
  const error = 'The sync is still running. It continues in the background.'
  return Response.json({ success: false, error, run: runningSync(id) }, { status: 202 })
}
