import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { clockWords } from '../../web/dashboard/leads/lead-outcome.tsx'
import { answer, refusal } from './api.ts'
import { answerBulk } from './bulk.ts'
import { rowOf, storeLeads } from './leads-page.ts'
import { emptyDashboard, findToast, openDashboard, rowsOf } from './page.tsx'
import { lead, leadDetails } from './samples.ts'

const HOUR = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR + 30_000).toISOString()
const clock = (hours: number | null) => ({
  started_at: inHours(-4),
  due_at: hours === null ? null : inHours(hours),
  answered_at: null,
})

beforeEach(() => emptyDashboard())

describe('the column Outcome', () => {
  it('shows the outcome, or the time that is left for one', async () => {
    storeLeads(
      lead(1, { outcome: 'booked', outcome_at: inHours(-1), answer: { ...clock(5), answered_at: inHours(-1) } }),
      lead(2, { answer: clock(5) }),
      lead(3, { answer: clock(-26) }),
      lead(4, { answer: clock(null) }),
      lead(5, { outcome: 'opened', outcome_at: inHours(-1), answer: clock(1) }),
      lead(6, { provider_id: null }),
    )
    await openDashboard()
    await rowOf('Jordan Avery1')
    const column = screen.getAllByRole('columnheader').findIndex(({ textContent }) => textContent === 'Outcome')
    expect(rowsOf(screen.getByRole('table')).map((cells) => cells[column])).toEqual([
      'Booked',
      '5 h left',
      'Late 1 d',
      'No answer yet',
      'Opened1 h left',
      '',
    ])
  })

  it.each([
    [300, 480, '5 h left', 'text-quiet'],
    [239, 480, '3 h left', 'text-wait'],
    [59.5, 480, '59 min left', 'text-wait'],
    [0.2, 480, '1 min left', 'text-wait'],
    [-0.2, 480, 'Late 1 min', 'text-bad'],
    [-125, 480, 'Late 2 h', 'text-bad'],
    [3000, 4000, '2 d left', 'text-quiet'],
  ])('with %d of %d minutes left reads “%s”', (left, all, words, look) => {
    const now = Date.now()
    const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString()
    const shown = clockWords({ started_at: at(left - all), due_at: at(left), answered_at: null }, now)
    expect(shown.words).toBe(words)
    expect(shown.look).toContain(look)
  })
})

describe('the filters of outcomes', () => {
  it('ask the API for an outcome, and for late answers', async () => {
    const { calls } = storeLeads(lead(1))
    const user = await openDashboard()
    await rowOf('Jordan Avery1')
    await user.click(screen.getByRole('button', { name: 'Late' }))
    await waitFor(() => expect(calls.at(-1)?.query).toMatchObject({ late: true }))
    await user.click(screen.getByRole('button', { name: /^Filters/ }))
    await user.selectOptions(screen.getByLabelText('Outcome'), 'None yet')
    await waitFor(() => expect(calls.at(-1)?.query).toMatchObject({ late: true, outcome: 'none' }))
    screen.getByRole('button', { name: 'Filters (1)' })
    expect(new URLSearchParams(location.search).get('outcome')).toBe('none')
  })
})

describe('recording an outcome', () => {
  async function openForm() {
    storeLeads(lead(1))
    const user = await openDashboard()
    ;(await rowOf('Jordan Avery1')).focus()
    await user.keyboard('s')
    return { user, dialog: within(screen.getByRole('dialog', { name: 'What became of Jordan Avery1?' })) }
  }

  it('takes a key, the arrows and Enter', async () => {
    const calls = answer('POST /api/leads/{id}/outcomes', { success: true })
    const { user, dialog } = await openForm()
    expect(document.activeElement).toBe(dialog.getByRole('radio', { name: 'Reached' }))
    await user.keyboard('{ArrowDown}{Enter}')
    await findToast('Success', 'Outcome recorded')
    expect(calls).toMatchObject([{ params: { id: 1 }, body: { kind: 'no_answer' } }])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('asks for what belongs to the outcome, and sends dollars as cents', async () => {
    const calls = answer('POST /api/leads/{id}/outcomes', { success: true })
    const { user, dialog } = await openForm()
    expect(dialog.queryByLabelText(/^Value/)).toBeNull()
    await user.click(dialog.getByRole('radio', { name: 'Booked' }))
    await user.type(dialog.getByLabelText(/^Day of the appointment/), '2026-12-01')
    await user.type(dialog.getByLabelText(/^Value/), 'a lot')
    await user.click(dialog.getByRole('button', { name: 'Record' }))
    await dialog.findByText('Write an amount like 1200 or 99.50')
    await user.clear(dialog.getByLabelText(/^Value/))
    await user.type(dialog.getByLabelText(/^Value/), '$1,250.50')
    await user.type(dialog.getByLabelText(/^Note/), 'At nine.{Enter}')
    await findToast('Success', 'Outcome recorded')
    expect(calls.map(({ body }) => body)).toEqual([
      { kind: 'booked', booked_for: '2026-12-01', value_cents: 125_050, note: 'At nine.' },
    ])
  })

  it('asks why a clinic declined, and keeps the form when the server refuses', async () => {
    answer('POST /api/leads/{id}/outcomes', () => refusal(409, { error: 'This lead is held.', code: 'conflict' }))
    const { user, dialog } = await openForm()
    await user.click(dialog.getByRole('radio', { name: 'Declined' }))
    await user.click(dialog.getByRole('button', { name: 'Record' }))
    await dialog.findByText('Choose a reason')
    await user.selectOptions(dialog.getByLabelText('Reason'), 'Too far away')
    await user.click(dialog.getByRole('button', { name: 'Record' }))
    await findToast('Failed to record the outcome', 'This lead is held.')
    dialog.getByRole('radio', { name: 'Declined' })
  })

  it('is done for several leads at once', async () => {
    const calls = answerBulk('POST /api/leads/bulk', { succeeded: 2 })
    storeLeads(lead(1), lead(2))
    const user = await openDashboard()
    await rowOf('Jordan Avery1')
    await user.click(screen.getByRole('checkbox', { name: 'Select every lead on this page' }))
    await user.click(screen.getByRole('button', { name: 'Record an outcome...' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Record an outcome of 2 leads' }))
    await user.click(dialog.getByRole('radio', { name: 'Treated' }))
    await user.click(dialog.getByRole('button', { name: 'Record' }))
    await findToast('Success', 'Outcome of 2 leads recorded')
    expect(calls.map(({ body }) => body)).toEqual([
      { action: 'record-outcome', ids: [1, 2], outcome: { kind: 'treated' } },
    ])
  })

  it('is not offered to viewers', async () => {
    emptyDashboard({ role: 'viewer' })
    storeLeads(lead(1))
    answer('GET /api/leads/{id}', leadDetails(1))
    answer('GET /api/leads/{id}/jobs', { jobs: [], acts: [], outcomes: [] })
    answer('GET /api/leads/{id}/opt-out', { since: null, clinics: [] })
    const user = await openDashboard('/admin?lead=1')
    await screen.findByRole('heading', { name: 'Outcome' })
    expect(screen.queryByRole('button', { name: 'Record an outcome...' })).toBeNull()
    ;(await rowOf('Jordan Avery1')).focus()
    await user.keyboard('s')
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
