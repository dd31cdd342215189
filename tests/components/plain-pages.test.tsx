import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { PageData } from '../../core/contract/page.ts'
import { openPage } from './page.tsx'
import { micrositeProvider } from './samples.ts'

const PAGES: { path: string; title: string; data?: Partial<PageData> }[] = [
  { path: '/do-not-contact', title: 'Stop all contact?', data: { optOut: { of: 'person', state: 'ask' } } },
  { path: '/do-not-contact/clinic', title: 'Has contact stopped?', data: { optOut: { of: 'clinic', state: 'ask' } } },
  { path: '/called/sample', title: 'Did the clinic call you?', data: { called: { state: 'ask' } } },
  {
    path: '/phone-number/sample',
    title: 'What is your right phone number?',
    data: { phoneNumber: { state: 'ask', clinic: 'Oakmont Clinic' } },
  },
]

it.each(PAGES)('$path has neither the banner nor a form to sell anything', async ({ path, title, data }) => {
  // A clinic's own site would show its offers.
  openPage(path, { ...data, hostProvider: micrositeProvider(7, { google_ads_id: 'AW-1' }) })
  await screen.findByRole('heading', { level: 1, name: title })
  expect(document.body.textContent).not.toMatch(/Increase Size|Find a Provider|No Surgery/)
  expect(screen.queryByRole('navigation')).toBeNull()
  screen.getByText(/^A question\?/)
  expect(screen.getByRole('link', { name: 'Privacy Policy' }).getAttribute('href')).toBe('/privacy')
})
