import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { answer } from './api.ts'
import { emptyDashboard, openDashboard } from './page.tsx'
import { provider, settings } from './samples.ts'

const WARNING = 'Outcomes from the CRM are missing'

it.each(['/admin', '/admin?tab=providers'])(
  'says on %s since when the CRM could not be asked, and why',
  async (path) => {
    emptyDashboard()
    const failing = { since: '2026-11-20T15:00:00.000Z', error: 'HubSpot refused our credentials.' }
    answer('GET /api/settings', settings({ crm_outcomes_failing: failing }))
    await openDashboard(path)
    const text = (await screen.findByText(WARNING)).parentElement?.textContent
    expect(text).toMatch(/since .*20.*\. HubSpot refused our credentials\. Nothing is lost/)
  },
)

it('says nothing while it works', async () => {
  emptyDashboard()
  answer('GET /api/settings', settings())
  answer('GET /api/providers', [provider(1, { name: 'Dr. Rosa Quill', wordpress_id: 4711 })])
  await openDashboard('/admin?tab=providers')
  // The link to WordPress needs the settings: they are there.
  await screen.findByRole('link', { name: 'Edit Dr. Rosa Quill in WordPress' })
  expect(screen.queryByText(WARNING)).toBeNull()
})
