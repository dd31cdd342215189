import { act, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MINUTE, SECOND } from '../../web/lib/time.ts'
import { answer } from './api.ts'
import { emptyDashboard, openDashboard, session } from './page.tsx'

const ADA = { id: 3, name: 'Ada Park', email: 'ada@leadwell.example', role: 'manager' } as const
const OUT = session()
const left = (ms: number) => ({ ...session(ADA), idle_seconds_left: Math.ceil(ms / SECOND) })

/** What the server does: a session of 30 minutes that activity makes last longer. */
function serve() {
  const state = { endsAt: Date.now() + 30 * MINUTE }
  answer('GET /api/session', () => (state.endsAt > Date.now() ? left(state.endsAt - Date.now()) : OUT))
  const reports = answer('POST /api/session/activity', () => {
    state.endsAt = Date.now() + 30 * MINUTE
    return left(30 * MINUTE)
  })
  return { state, reports }
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const dialog = () => screen.queryByRole('dialog', { name: 'Are you still there?' })

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  emptyDashboard(ADA)
})
afterEach(() => vi.useRealTimers())

const user = () => userEvent.setup({ advanceTimers: vi.advanceTimersByTime })

describe('a dashboard without activity', () => {
  it('asks two minutes before the end, and the session goes on with a click', async () => {
    const { reports } = serve()
    await openDashboard()
    await pass(27 * MINUTE)
    expect(dialog()).toBeNull()
    await pass(1.5 * MINUTE)
    expect(dialog()).not.toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Stay signed in' }))
    expect(screen.getByRole('timer').textContent).toMatch(/^Signing out in 1:\d\d$/)

    await user().click(screen.getByRole('button', { name: 'Stay signed in' }))
    await pass(10 * MINUTE)
    expect(dialog()).toBeNull()
    expect(reports).toHaveLength(1)
  })

  it('is closed at the end', async () => {
    serve()
    await openDashboard()
    await pass(28.5 * MINUTE)
    expect(dialog()).not.toBeNull()
    await pass(2 * MINUTE)
    await screen.findByText('Your session has ended. Please sign in again.')
    expect(dialog()).toBeNull()
  })

  it('asks nothing where another window keeps the session open', async () => {
    const { state } = serve()
    await openDashboard()
    await pass(20 * MINUTE)
    state.endsAt = Date.now() + 30 * MINUTE
    await pass(9 * MINUTE)
    expect(dialog()).toBeNull()
  })

  it('takes the question back when another window keeps the session open', async () => {
    const { state } = serve()
    await openDashboard()
    await pass(28.5 * MINUTE)
    expect(dialog()).not.toBeNull()
    state.endsAt = Date.now() + 30 * MINUTE
    await pass(15 * SECOND)
    expect(dialog()).toBeNull()
  })
})

describe('activity', () => {
  it('is reported at once, then twice a minute at most', async () => {
    const { reports } = serve()
    await openDashboard()
    for (let n = 0; n < 10; n++) {
      await user().keyboard('a')
      await pass(SECOND)
    }
    expect(reports).toHaveLength(1)
    await pass(30 * SECOND)
    expect(reports).toHaveLength(2)
    await pass(5 * MINUTE)
    expect(reports).toHaveLength(2)
  })

  it('is nothing that the page does by itself', async () => {
    const { reports } = serve()
    await openDashboard()
    await pass(10 * MINUTE)
    expect(reports).toEqual([])
  })
})

describe('a dashboard that is open to everybody', () => {
  it('never asks', async () => {
    answer('GET /api/session', { ...session(ADA), access: 'open' })
    await openDashboard()
    await pass(60 * MINUTE)
    expect(dialog()).toBeNull()
  })
})
