import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { answer, noAnswer, refusal } from './api.ts'
import { answerBulk, runningBulk } from './bulk.ts'
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
    const retries = answerBulk('POST /api/jobs/retry-failed', { succeeded: 1 }, () => {
      total = 0
    })
    const { user, dialog } = await openDialog()
    await user.click(await dialog.findByRole('button', { name: 'Retry 1 delivery' }))
    await dialog.findByText('1 delivered, 0 refused, 0 waiting')
    await dialog.findByText('Nothing is left to retry.')
    expect(retries.map(({ body }) => body)).toEqual([{ since: counts.at(0)?.query.since, expected: 1 }])
  })

  it('names what was refused, says why, and counts what still waits', async () => {
    answer('GET /api/jobs/failed', { total: 8 })
    answerBulk('POST /api/jobs/retry-failed', {
      ...{ succeeded: 1, failed: 4, waiting: 3 },
      failures: [
        { name: 'Ana Flores', lead_id: 7, error: 'The lead is held.' },
        { lead_id: 8, error: 'It is gone.' },
        { application_id: 9, error: 'It was released.' },
        { account_id: 3, error: 'It was sent.' },
      ],
    })
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

  it('shows a retry that runs already', async () => {
    answer('GET /api/jobs/failed', { total: 0 })
    const bulk = runningBulk('retry-failed', 12)
    const { dialog } = await openDialog()
    await dialog.findByText('0 of 12 deliveries retried')
    bulk.proceed(5)
    await dialog.findByText('5 of 12 deliveries retried')
    bulk.end({ succeeded: 12, failed: 0, waiting: 0, failures: [] })
    await dialog.findByText('12 delivered, 0 refused, 0 waiting')
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
