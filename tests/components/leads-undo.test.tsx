import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { UNDO_SECONDS } from '../../core/contract/undo.ts'
import { SECOND } from '../../core/time.ts'
import { answer, type MadeCall, refusal } from './api.ts'
import { chooseInRow, rowOf, type StoredLeads, shownLeads, storeLeads } from './leads-page.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { lead } from './samples.ts'

let stored: StoredLeads
let restorations: MadeCall[]

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  emptyDashboard()
  stored = storeLeads(lead(1), lead(2))
  answer('DELETE /api/leads/{id}', ({ params }) => {
    stored.leads = stored.leads.filter(({ id }) => id !== params.id)
    return { success: true }
  })
  restorations = answer('POST /api/leads/{id}/restore', ({ params }) => {
    stored.leads = [lead(params.id), ...stored.leads]
    return { success: true }
  })
})
afterEach(() => {
  vi.useRealTimers()
})

async function openAndDelete() {
  const user = await openDashboard()
  await chooseInRow(user, await rowOf('Jordan Avery1'), 'Delete')
  await screen.findByRole('button', { name: 'Undo' })
  await waitFor(() => expect(shownLeads()).toEqual(['Jordan Avery2']))
  return user
}

describe('a deletion', () => {
  it('leaves its place empty for a moment, so that no other lead moves under the pointer', async () => {
    await openAndDelete()
    const rows = () => screen.getAllByRole('row').slice(1)
    expect(rows().map(({ textContent }) => textContent)).toEqual(['Deleted', expect.stringContaining('Jordan Avery2')])
    vi.advanceTimersByTime(2 * SECOND)
    await waitFor(() => expect(rows()).toHaveLength(1))
  })

  it('is taken back by the button', async () => {
    const user = await openAndDelete()
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    await findToast('Success', '1 lead restored successfully')
    await waitFor(() => expect(shownLeads()).toEqual(['Jordan Avery1', 'Jordan Avery2']))
    expect(restorations.map(({ params }) => params)).toEqual([{ id: 1 }])
  })

  it('is taken back by the key u, once', async () => {
    const user = await openAndDelete()
    await user.keyboard('u')
    await findToast('Success', '1 lead restored successfully')
    await user.keyboard('u')
    await waitFor(() => expect(shownLeads()).toEqual(['Jordan Avery1', 'Jordan Avery2']))
    expect(restorations).toHaveLength(1)
  })

  it('is taken back together with the one before, by one press', async () => {
    const user = await openAndDelete()
    await chooseInRow(user, await rowOf('Jordan Avery2'), 'Delete')
    await findToast('Success', '2 leads deleted')
    await user.keyboard('u')
    await findToast('Success', '2 leads restored successfully')
    expect(restorations.map(({ params }) => params)).toEqual([{ id: 2 }, { id: 1 }])
    await waitFor(() => expect(shownLeads()).toEqual(['Jordan Avery1', 'Jordan Avery2']))
  })

  it('can be taken back for ten seconds, which are counted down', async () => {
    const user = await openAndDelete()
    const undo = screen.getByRole('button', { name: 'Undo' })
    await vi.advanceTimersByTimeAsync((UNDO_SECONDS - 2) * SECOND)
    await waitFor(() => expect(undo.textContent).toMatch(/^Undo[12]$/))
    await vi.advanceTimersByTimeAsync(2 * SECOND)
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull())
    await user.keyboard('u')
    expect(restorations).toEqual([])
  })

  it('says so when it cannot be taken back', async () => {
    const user = await openAndDelete()
    answer('POST /api/leads/{id}/restore', () =>
      refusal(409, { error: 'It is too late to restore this lead.', code: 'conflict' }),
    )
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    await findToast('Failed to restore lead', '409: It is too late to restore this lead.')
  })
})
