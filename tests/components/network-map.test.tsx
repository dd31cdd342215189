import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { answer, refusal } from './api.ts'
import { answerPoints, giveMapsASize, pins } from './maps.ts'
import { openPage } from './page.tsx'
import { micrositeProvider, provider } from './samples.ts'

const QUILL = provider(1, { practiceName: 'Quill Clinic', name: 'Dr. Rosa Quill', website: 'quill.example' })
const CLOSED = provider(2, { practiceName: 'Closed Clinic', status: 'f', latitude: 39.74, longitude: -104.99 })
const AUSTIN = { zip: '78702', latitude: 30.27, longitude: -97.74, city: 'Austin', state: 'TX' }

beforeEach(() => giveMapsASize())
afterEach(() => {
  vi.restoreAllMocks()
})

describe('the map of the network', () => {
  it('shows a pin for each provider, active or not, and lists them', async () => {
    answerPoints({ active: [QUILL], inactive: [CLOSED] })
    openPage('/map')
    const list = within(await screen.findByRole('region', { name: 'In this part of the map' }))
    await list.findByRole('heading', { name: 'Quill Clinic' })
    list.getByRole('heading', { name: 'Closed Clinic' })
    expect(pins()).toHaveLength(2)
    expect(screen.getByRole('link', { name: 'Become a Provider' }).getAttribute('href')).toBe('/clinics')
    expect(screen.getByRole('link', { name: 'Find Providers Near Me' }).getAttribute('href')).toBe('/')
  })

  it('marks who takes no new patients, and tells no way to get in touch with them', async () => {
    answerPoints({ active: [QUILL], inactive: [CLOSED] })
    answer('GET /api/providers/{providerId}', micrositeProvider(2, { status: 'f', website: 'closed.example' }))
    const user = openPage('/map')
    const list = within(await screen.findByRole('region', { name: 'In this part of the map' }))
    const entryOf = async (name: string) =>
      within((await list.findByRole('heading', { name })).closest('li') as HTMLElement)
    const closed = await entryOf('Closed Clinic')
    closed.getByText('Not taking new patients')
    expect(closed.queryByRole('link')).toBeNull()
    const quill = await entryOf('Quill Clinic')
    quill.getByRole('link', { name: '(512) 555-0100' })
    expect(quill.queryByText('Not taking new patients')).toBeNull()

    await user.click(await screen.findByAltText('Closed Clinic, Dr. Test 2, not taking new patients'))
    const popup = within(await waitFor(() => document.querySelector('.leaflet-popup') as HTMLElement))
    await popup.findByText('Not taking new patients')
    expect(popup.queryByRole('link', { name: 'Visit Website' })).toBeNull()
  })

  it('calls each pin by its clinic', async () => {
    const other = provider(3, { practiceName: null, name: 'Dr. Ana Flores', latitude: 47.6, longitude: -122.33 })
    answerPoints({ active: [QUILL, other] })
    openPage('/map')
    await waitFor(() =>
      expect(pins().map((pin) => [pin.title, pin.getAttribute('alt')])).toEqual([
        ['Quill Clinic, Dr. Rosa Quill', 'Quill Clinic, Dr. Rosa Quill'],
        ['Dr. Ana Flores', 'Dr. Ana Flores'],
      ]),
    )
  })

  it('says that there is none in this part', async () => {
    answerPoints({})
    openPage('/map')
    await screen.findByText('No providers in this part of the map.')
    expect(pins()).toHaveLength(0)
  })

  it('says who a pin is when it is asked', async () => {
    answerPoints({ active: [QUILL] })
    const calls = answer(
      'GET /api/providers/{providerId}',
      micrositeProvider(1, { name: 'Dr. Rosa Quill', website: 'quill.example' }),
    )
    const user = openPage('/map')
    await waitFor(() => expect(pins()).toHaveLength(1))
    await user.click(pins()[0] as HTMLElement)
    const popup = within(await waitFor(() => document.querySelector('.leaflet-popup') as HTMLElement))
    await popup.findByText('Dr. Rosa Quill')
    expect(popup.getByRole('link', { name: 'Visit Website' }).getAttribute('href')).toBe('https://quill.example')
    expect(calls).toHaveLength(1)
  })

  it('tells the distances from a zip code, and what is wrong with one', async () => {
    answerPoints({ active: [QUILL] })
    answer('GET /api/zip-codes/{zip}', ({ params: { zip } }) =>
      zip === AUSTIN.zip ? AUSTIN : refusal(404, { error: 'Please enter a valid 5-digit zip code', code: 'not_found' }),
    )
    const user = openPage('/map')
    const zip = await screen.findByLabelText('Zip Code')
    await user.type(zip, '78703{Enter}')
    await screen.findByText('Please enter a valid 5-digit zip code')
    await user.clear(zip)
    await user.type(zip, '78702-1234{Enter}')
    await screen.findByText('0.0 miles from Austin, TX 78702')
  })

  it('asks for a zip code where there is none, and asks the server for nothing', async () => {
    answerPoints({ active: [QUILL] })
    const user = openPage('/map')
    const zip = await screen.findByLabelText('Zip Code')
    const search = screen.getByRole('button', { name: 'Search' })
    await user.click(search)
    screen.getByText('Enter your zip code')
    expect(document.activeElement).toBe(zip)
    await user.type(zip, '787')
    await user.click(search)
    screen.getByText('Please enter a valid 5-digit zip code')

    answer('GET /api/zip-codes/{zip}', () => refusal(503, { error: 'We cannot save anything right now.' }))
    await user.type(zip, '01{Enter}')
    await screen.findByText('The search failed. Please try again.')
  })

  it('shows what it knows when one list fails, and tries again when asked', async () => {
    answerPoints({ active: [QUILL], fail: ['inactive'] })
    const user = openPage('/map')
    within(await screen.findByRole('alert')).getByText('Failed to fetch inactive providers')
    await waitFor(() => expect(pins()).toHaveLength(1))
    answerPoints({ active: [QUILL], inactive: [CLOSED] })
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(pins()).toHaveLength(2))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('is as useful to a visitor who does not say where that is, and only logs it', async () => {
    answerPoints({ active: [QUILL] })
    const logged = vi.spyOn(console, 'info').mockImplementation(() => {})
    const user = openPage('/map')
    await user.click(await screen.findByRole('button', { name: 'Use my location' }))
    await waitFor(() => expect(logged).toHaveBeenCalledWith(expect.stringMatching(/^No location: /)))
    expect(screen.queryByTitle('Your Current Location')).toBeNull()
    expect(screen.queryByRole('alert')).toBeNull()
    await waitFor(() => expect(pins()).toHaveLength(1))
  })
})
