import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { answer, lines, noAnswer, refusal } from './api.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'

beforeEach(() => {
  emptyDashboard()
  answer('GET /api/overview', noAnswer)
})

async function openDialog() {
  const user = await openDashboard('/admin?tab=overview')
  await user.click(await screen.findByRole('button', { name: 'Retry what failed...' }))
  const dialog = within(screen.getByRole('dialog', { name: 'Retry what failed' }))
  return { user, dialog }
}

describe('retrying what failed', () => {
  it('counts what failed of a kind since a moment, and offers nothing where there is nothing', async () => {
    const counts = answer('GET /api/jobs/failed', ({ query }) => ({ total: query.name === 'sync-crm' ? 0 : 1200 }))
    const { user, dialog } = await openDialog()
    await dialog.findByText('1,200 deliveries failed.')
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Kind' }), 'CRM calls')
    await dialog.findByText('Nothing is left to retry.')
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Retry' }).disabled).toBe(true)

    await user.selectOptions(dialog.getByRole('combobox', { name: 'Failed in the' }), 'Last 30 days')
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Kind' }), 'All')
    await dialog.findByRole('button', { name: 'Retry 1,200 deliveries' })
    const [first, last] = [counts.at(0)?.query, counts.at(-1)?.query]
    expect(last.name).toBeUndefined()
    const daysBetween = (Date.parse(first.since) - Date.parse(last.since)) / (24 * 60 * 60 * 1000)
    expect(daysBetween).toBeCloseTo(29, 1)
  })

  it('tries again what was counted, says how many, and counts anew', async () => {
    let total = 1
    const counts = answer('GET /api/jobs/failed', () => ({ total }))
    const retries = answer('POST /api/jobs/retry-failed', () => {
      total = 0
      return lines({ done: 1, total: 1, failed: 0 }, { succeeded: 1, failed: 0, waiting: 0, failures: [] })
    })
    const { user, dialog } = await openDialog()
    await user.click(await dialog.findByRole('button', { name: 'Retry 1 delivery' }))
    await dialog.findByText('1 delivered, 0 refused, 0 waiting')
    await dialog.findByText('Nothing is left to retry.')
    expect(retries.map(({ body }) => body)).toEqual([{ since: counts.at(0)?.query.since, expected: 1 }])
    expect(retries[0]?.query.wait).toBeGreaterThan(0)
  })

  it('names what was refused, says why, and counts what still waits', async () => {
    answer('GET /api/jobs/failed', { total: 8 })
    answer('POST /api/jobs/retry-failed', () =>
      lines({
        succeeded: 1,
        failed: 4,
        waiting: 3,
        failures: [
          {
            id: crypto.randomUUID(),
            name: 'Ana Flores',
            lead_id: 7,
            application_id: null,
            account_id: null,
            sync_id: null,
            error: 'The lead is held.',
          },
          {
            id: crypto.randomUUID(),
            name: null,
            lead_id: 8,
            application_id: null,
            account_id: null,
            sync_id: null,
            error: 'It is gone.',
          },
          {
            id: crypto.randomUUID(),
            name: null,
            lead_id: null,
            application_id: 9,
            account_id: null,
            sync_id: null,
            error: 'It was released.',
          },
          {
            id: crypto.randomUUID(),
            name: null,
            lead_id: null,
            application_id: null,
            account_id: 3,
            sync_id: null,
            error: 'It was sent.',
          },
        ],
      }),
    )
    const { user, dialog } = await openDialog()
    await user.click(await dialog.findByRole('button', { name: 'Retry 8 deliveries' }))
    const report = within(await dialog.findByRole('alert', { name: 'Outcome' }))
    report.getByText('1 delivered, 4 refused, 3 waiting')
    report.getByText('What is waiting is retried automatically.')
    expect(report.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Ana Flores: The lead is held.',
      'Lead #8: It is gone.',
      'Application #9: It was released.',
      'Account #3: It was sent.',
    ])
  })

  it('says why they could not be counted, or not be tried again', async () => {
    answer('GET /api/jobs/failed', () => refusal(503, { error: 'The database is away.', code: 'unavailable' }))
    const { user, dialog } = await openDialog()
    await dialog.findByText('503: The database is away.')

    answer('GET /api/jobs/failed', { total: 2 })
    answer('POST /api/jobs/retry-failed', () =>
      refusal(409, { error: '3 deliveries failed now, not 2.', code: 'conflict' }),
    )
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Kind' }), 'E-mails')
    await user.click(await dialog.findByRole('button', { name: 'Retry 2 deliveries' }))
    await findToast('Failed to retry', '409: 3 deliveries failed now, not 2.')
  })

  it('is not for viewers', async () => {
    emptyDashboard({ role: 'viewer' })
    await openDashboard('/admin?tab=overview')
    await screen.findByRole('tab', { name: 'Overview', selected: true })
    await waitFor(() => expect(screen.getByRole('tabpanel').textContent).not.toBe(''))
    expect(screen.queryByRole('button', { name: 'Retry what failed...' })).toBeNull()
  })
})
