import { screen, within } from '@testing-library/react'
import { type Application, ApplicationStatus } from '../../core/contract/applications.ts'
import { answer, type MadeCall } from './api.ts'
import { openDashboard } from './page.tsx'

/** The applications that the API has, for a test to change, and how it was asked for them. */
export type StoredApplications = { applications: Application[]; calls: MadeCall[] }

/** Answers the list of applications with these, or with those of the status that is asked for. */
export function storeApplications(...applications: Application[]): StoredApplications {
  const stored: StoredApplications = { applications, calls: [] }
  stored.calls = answer('GET /api/provider-applications', ({ query }) => {
    const wanted = stored.applications.filter(({ status }) => !query.status || status === query.status)
    const count = (of: ApplicationStatus) => stored.applications.filter(({ status }) => status === of).length
    const counts = Object.fromEntries(ApplicationStatus.options.map((status) => [status, count(status)]))
    return { applications: wanted, total: wanted.length, counts }
  })
  return stored
}

export const openApplications = () => openDashboard('/admin?tab=applications')

/** The list that filters by status. */
export const statusFilter = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Show' })

/** Waits for the row of an application. */
export async function applicationRow(id: number) {
  const row = (await screen.findByText(`Calloway Clinic ${id}`, { selector: 'td *' })).closest('tr') as HTMLElement
  return within(row)
}
