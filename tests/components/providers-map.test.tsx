import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { answer, refusal } from './api.ts'
import { emptyDashboard, openDashboard } from './page.tsx'
import { provider, settings } from './samples.ts'

const TAB = '/admin?tab=providers'
const DENVER = { latitude: 39.74, longitude: -104.99 }

beforeEach(() => {
  // A map shows what is within its window, which has no size here.
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1200)
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800)
  emptyDashboard()
  answer('GET /api/settings', settings())
  answer('GET /api/providers', ({ query }) =>
    query.status === 'active'
      ? [provider(1, { name: 'Dr. Rosa Quill' }), provider(3, { latitude: null, longitude: null })]
      : [provider(2, { name: 'Dr. Gone', address: '9 Pike Street', status: 'f', ...DENVER })],
  )
})
afterEach(() => vi.restoreAllMocks())

describe('the map of providers', () => {
  it('shows each that has a place, active or not, and how many have none', async () => {
    await openDashboard(TAB)
    await screen.findByAltText('Dr. Rosa Quill')
    screen.getByAltText('Dr. Gone')
    expect(pins()).toHaveLength(2)
    screen.getByText('1 provider has no coordinates and is not on the map.')
    expect(tiles()[0]?.getAttribute('src')).toMatch(/^https:\/\/tiles\.example\/4\/\d+\/\d+\.png$/)
  })

  it('says who a pin is', async () => {
    const user = await openDashboard(TAB)
    await user.click(await screen.findByAltText('Dr. Gone'))
    const popup = within(await waitFor(() => document.querySelector<HTMLElement>('.leaflet-popup') as HTMLElement))
    for (const text of ['Dr. Gone', '9 Pike Street', 'Inactive']) await popup.findByText(text)
  })

  it('has pins where nobody can tell it where its tiles are', async () => {
    answer('GET /api/settings', () => refusal(500))
    await openDashboard(TAB)
    await screen.findByAltText('Dr. Rosa Quill')
    expect(tiles()).toEqual([])
  })

  it('is there also where there is nothing to show', async () => {
    answer('GET /api/providers', [])
    await openDashboard(TAB)
    await screen.findByRole('region', { name: 'Map of all providers' })
    expect(pins()).toEqual([])
  })
})

const pins = () => [...document.querySelectorAll('.leaflet-marker-icon')]
const tiles = () => [...document.querySelectorAll('.leaflet-tile')]
