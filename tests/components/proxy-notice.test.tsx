import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { answer } from './api.ts'
import { emptyDashboard, openDashboard } from './page.tsx'
import { provider, settings } from './samples.ts'

const WARNING = 'All visitors count as one address'

it.each(['/admin', '/admin?tab=providers'])('warns managers on %s of a proxy that is ignored', async (path) => {
  emptyDashboard()
  answer('GET /api/settings', settings({ proxy_ignored: true }))
  await openDashboard(path)
  expect((await screen.findByText(WARNING)).parentElement?.textContent).toContain(
    'Set TRUST_PROXY_HOPS to the number of proxies in front of Leadwell, usually 1, and start it again.',
  )
})

it.each([
  ['viewers, who cannot change it', { id: 3, email: 'ada@leadwell.example', role: 'viewer' } as const, true],
  ['managers whose visitors can be told apart', {}, false],
])('says nothing to %s', async (_, person, proxy_ignored) => {
  emptyDashboard(person)
  answer('GET /api/settings', settings({ proxy_ignored }))
  answer('GET /api/providers', [provider(1, { name: 'Dr. Rosa Quill', wordpress_id: 4711 })])
  await openDashboard('/admin?tab=providers')
  // The link to WordPress needs the settings: they are there.
  await screen.findByRole('link', { name: 'Edit Dr. Rosa Quill in WordPress' })
  expect(screen.queryByText(WARNING)).toBeNull()
})
