import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { answer, heldAnswer, noAnswer, refusal } from './api.ts'
import { overview } from './overview-samples.ts'
import { emptyDashboard, openDashboard } from './page.tsx'

const TAB = '/admin?tab=overview'

beforeEach(() => {
  emptyDashboard()
  answer('GET /api/overview', overview())
})

describe('the period of the overview', () => {
  it('is chosen in days up to today, and is in the address', async () => {
    const asked = answer('GET /api/overview', overview())
    const user = await openDashboard(TAB)
    await screen.findByRole('button', { name: '30 days', pressed: true })
    await user.click(screen.getByRole('button', { name: '90 days', pressed: false }))
    await screen.findByRole('button', { name: '90 days', pressed: true })
    await waitFor(() => expect(window.location.search).toBe('?tab=overview&days=90'))
    const lengths = asked.map(({ query }) => (Date.parse(query.to) - Date.parse(query.from)) / 86_400_000 + 1)
    expect(lengths).toEqual([30, 90])
  })

  it('is today or yesterday, as the network counts days', async () => {
    // Eleven in the evening of November 14.
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-15T09:00:00Z') })
    onTestFinished(() => void vi.useRealTimers())
    emptyDashboard({}, 'Pacific/Honolulu')
    const asked = answer('GET /api/overview', overview())
    const user = await openDashboard(TAB)
    const chart = within(await screen.findByRole('region', { name: 'Leads per day' }))
    chart.getByText('Days are in Hawaii-Aleutian Standard Time.')

    await user.click(screen.getByRole('button', { name: 'Today', pressed: false }))
    await screen.findByRole('button', { name: 'Today', pressed: true })
    await waitFor(() => expect(window.location.search).toBe('?tab=overview&days=1'))
    await user.click(screen.getByRole('button', { name: 'Yesterday', pressed: false }))
    await screen.findByRole('button', { name: 'Yesterday', pressed: true })
    expect(asked.map(({ query }) => query)).toEqual([
      { from: '2026-10-16', to: '2026-11-14' },
      { from: '2026-11-14', to: '2026-11-14' },
      { from: '2026-11-13', to: '2026-11-13' },
    ])
  })

  it('is chosen from one day to another, and is in the address', async () => {
    const asked = answer('GET /api/overview', overview())
    await openDashboard(TAB)
    await screen.findByText('Leads received')
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-10-05' } })
    await screen.findByText('Leads received')
    await waitFor(() => expect(window.location.search).toBe('?tab=overview&from=2026-10-05&to=2026-11-02'))
    expect(asked.at(-1)?.query).toEqual({ from: '2026-10-05', to: '2026-11-02' })
  })

  it('keeps both days when they are filled in at once', async () => {
    const asked = answer('GET /api/overview', overview())
    await openDashboard(TAB)
    await screen.findByText('Leads received')
    // One render for both.
    act(() => {
      fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-09-13' } })
      fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-10-03' } })
    })
    await waitFor(() => expect(asked.at(-1)?.query).toEqual({ from: '2026-09-13', to: '2026-10-03' }))
    await waitFor(() => expect(window.location.search).toBe('?tab=overview&from=2026-09-13&to=2026-10-03'))
  })

  it('that is no period is explained in the words of the server', async () => {
    const error = 'The last day must not be before the first.'
    answer('GET /api/overview', () => refusal(400, { error }))
    await openDashboard(`${TAB}&from=2026-02-02&to=2026-02-01`)
    expect((await screen.findByRole('alert')).textContent).toBe(`Error${error}Try again`)
  })

  it('is loaded, or says that it cannot be', async () => {
    const held = heldAnswer(noAnswer())
    answer('GET /api/overview', held.answer)
    await openDashboard(TAB)
    screen.getByText('Loading...')
    held.release()
    expect((await screen.findByRole('alert')).textContent).toBe('ErrorFailed to load the overviewTry again')
    expect(screen.queryByText('Loading...')).toBeNull()
  })
})
