import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { runningBulk } from './bulk.ts'
import { FakeEventSource } from './event-source.ts'
import { rowOf, storeLeads } from './leads-page.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { lead } from './samples.ts'

beforeEach(() => emptyDashboard())

async function openLeads() {
  storeLeads(lead(1), lead(2))
  await openDashboard()
  await rowOf('Jordan Avery1')
}

describe('a bulk action that runs already', () => {
  it('is shown after a reload, with its report at the end', async () => {
    const bulk = runningBulk('retry-email', 40)
    await openLeads()
    await screen.findByText('Resending e-mails: 0 of 40')
    bulk.proceed(7)
    await screen.findByText('Resending e-mails: 7 of 40')
    bulk.end({ succeeded: 39, failed: 0, waiting: 1, failures: [] })
    const report = within(await screen.findByRole('status', { name: 'Outcome' }))
    report.getByText('E-mails of 40 leads: 39 delivered, 0 refused, 1 waiting')
  })

  it('is shown in another tab as soon as it begins', async () => {
    await openLeads()
    FakeEventSource.openAll()
    const bulk = runningBulk('delete', 2)
    FakeEventSource.announce({ bulk: [bulk.id] })
    await screen.findByText('Deleting: 0 of 2')
    bulk.end({ succeeded: 2, failed: 0, waiting: 0, failures: [] })
    await findToast('Success', '2 leads deleted successfully')
    await waitFor(() => expect(screen.queryByText(/^Deleting/)).toBeNull())
  })
})
