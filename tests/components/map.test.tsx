import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FoundPlace } from '../../core/contract/places.ts'
import { answer, refusal } from './api.ts'
import { answerPoints, giveMapsASize, pins, putAllInSight } from './maps.ts'
import { openPage } from './page.tsx'
import { micrositeProvider, provider } from './samples.ts'

const QUILL = provider(1, {
  ...{ practiceName: 'Quill Clinic', name: 'Dr. Rosa Quill', address: '1 Main Street, Austin, TX' },
  ...{ website: 'quill.example', accepts_free_consultation: true },
})
const CLOSED = provider(2, { practiceName: 'Closed Clinic', status: 'f', latitude: 39.74, longitude: -104.99 })
const OTHER = provider(3, {
  ...{ practiceName: 'Other Clinic', address: '2 Elm Street, Round Rock, TX 78664', accepts_financing: true },
  ...{ latitude: 30.51, longitude: -97.68 },
})
const place = (name: string, overrides: Partial<FoundPlace> = {}): FoundPlace => ({
  ...{ kind: 'zip', name, latitude: 30.27, longitude: -97.74, zip: '78702', providerId: null, bounds: null },
  ...overrides,
})

beforeEach(() => {
  giveMapsASize()
  putAllInSight()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('the map of the network', () => {
  it('shows a pin for each provider, active or not, and lists them', async () => {
    answerPoints({ active: [QUILL], inactive: [CLOSED] })
    openPage('/map')
    const list = within(await screen.findByRole('region', { name: 'All clinics' }))
    await list.findByRole('heading', { name: 'Quill Clinic' })
    list.getByRole('heading', { name: 'Closed Clinic' })
    list.getByText('1 clinic')
    await waitFor(() => expect(pins()).toHaveLength(2))
    expect(linkTo('Find a Provider')).toBe('/')
    expect(within(screen.getByRole('main')).getByRole('link', { name: 'Become a Provider' }).getAttribute('href')).toBe(
      '/clinics',
    )
    expect(linkTo('Find Providers Near Me')).toBe('/')
  })

  it('offers at each entry what to do next', async () => {
    answerPoints({ active: [QUILL] })
    openPage('/map')
    const entry = await entryOf('Quill Clinic')
    entry.getByText('Dr. Rosa Quill')
    entry.getByText('1 Main Street, Austin, TX 78701')
    entry.getByText('Free consultation')
    expect(entry.queryByText('Financing')).toBeNull()
    const linkOf = (name: RegExp) => entry.getByRole('link', { name }).getAttribute('href')
    expect(linkOf(/^Request consultation/)).toBe('/microsite?providerId=1#provider-form')
    expect(linkOf(/Call \(512\) 555-0100$/)).toBe('tel:+15125550100')
    expect(linkOf(/^Directions/)).toContain('destination=Quill+Clinic%2C+1+Main+Street%2C+Austin%2C+TX+78701')
    expect(linkOf(/^Visit Website/)).toBe('https://quill.example')
  })

  it('marks who takes no new patients, and tells no way to get in touch with them', async () => {
    answerPoints({ active: [QUILL], inactive: [CLOSED] })
    answer('GET /api/providers/{providerId}', micrositeProvider(2, { status: 'f', website: 'closed.example' }))
    const user = openPage('/map')
    const closed = await entryOf('Closed Clinic')
    closed.getByText('Not taking new patients')
    expect(closed.queryByRole('link')).toBeNull()
    expect((await entryOf('Quill Clinic')).queryByText('Not taking new patients')).toBeNull()
    await user.click(await screen.findByAltText(/^Closed Clinic, Dr. Test 2.*, not taking new patients$/))
    await popup().findByText('Not taking new patients')
    expect(popup().queryByRole('link', { name: /Visit Website|Request/ })).toBeNull()
  })

  it('says who a pin is when it is asked, and selects the entry', async () => {
    answerPoints({ active: [QUILL] })
    const calls = answer('GET /api/providers/{providerId}', micrositeProvider(1, { ...publicOf(QUILL) }))
    const user = openPage('/map')
    await waitFor(() => expect(pins()).toHaveLength(1))
    await user.click(pins()[0] as HTMLElement)
    await popup().findByText('Dr. Rosa Quill')
    popup().getByRole('link', { name: /^Request consultation/ })
    expect(calls).toHaveLength(1)
    expect((await itemOf('Quill Clinic')).getAttribute('aria-current')).toBe('true')
    expect(window.location.search).toBe('?provider=1')
  })
})

describe('the search on the map', () => {
  it('suggests places, of which the keyboard chooses one', async () => {
    answerPoints({ active: [QUILL, OTHER] })
    const calls = answer('GET /api/places', [
      place('Austin, TX', { kind: 'city' }),
      place('Austin, MN', { kind: 'city', latitude: 43.67, longitude: -92.97 }),
    ])
    const user = openPage('/map')
    const field = await screen.findByRole('combobox', { name: 'Zip code or city' })
    await user.type(field, 'aus')
    const options = await screen.findAllByRole('option')
    expect(options.map(({ textContent }) => textContent)).toEqual(['Austin, TXCity', 'Austin, MNCity'])
    screen.getByText('2 suggestions, use the arrow keys')
    expect(field.getAttribute('aria-expanded')).toBe('true')
    await user.keyboard('{ArrowDown}')
    expect(field.getAttribute('aria-activedescendant')).toBe(options[0]?.id)
    await user.keyboard('{Enter}')
    const list = within(await screen.findByRole('region', { name: 'Nearest to Austin, TX' }))
    list.getByText('2 clinics within 50 miles')
    expect(list.getAllByText(/miles from Austin, TX$/).map(({ textContent }) => textContent)).toEqual([
      '0.0 miles from Austin, TX',
      expect.stringMatching(/^1\d miles from Austin, TX$/),
    ])
    await waitFor(() => screen.getByText('2 clinics near Austin, TX; nearest 0.0 miles'))
    expect((field as HTMLInputElement).value).toBe('Austin, TX')
    expect(screen.queryByRole('option')).toBeNull()
    expect(new URLSearchParams(window.location.search).get('place')).toBe('Austin, TX')
    expect(calls).toHaveLength(1)
  })

  it('says what is wrong with a text, and asks the server for nothing where it is clear', async () => {
    answerPoints({ active: [QUILL] })
    const user = openPage('/map')
    const field = await screen.findByLabelText('Zip code or city')
    const search = screen.getByRole('button', { name: 'Search' })
    await user.click(search)
    screen.getByText('Enter a zip code or a city')
    expect(document.activeElement).toBe(field)
    const calls = answer('GET /api/places', [])
    await user.type(field, '787{Enter}')
    screen.getByText('Please enter a valid 5-digit zip code')
    expect(calls.filter(({ query }) => query.q === '787').length).toBeLessThanOrEqual(1)
    await user.clear(field)
    await user.type(field, 'Xanadu{Enter}')
    await screen.findByText('We couldn’t find “Xanadu”. Try a zip code, or a city and state.')
    expect(document.activeElement).toBe(field)
    expect(field.getAttribute('aria-invalid')).toBe('true')
    answer('GET /api/places', () => refusal(503, { error: 'We cannot save anything right now.' }))
    await user.type(field, '2{Enter}')
    await screen.findByText('The search failed. Please try again.')
  })

  it('leads on where there is no clinic within reach', async () => {
    answerPoints({ active: [QUILL] })
    answer('GET /api/places', [place('Barrow, AK 99723', { zip: '99723', latitude: 71.3, longitude: -156.8 })])
    openPage('/map?zip=99723')
    await screen.findByText('No clinic within 100 miles of Barrow, AK yet')
    expect(linkTo('Ask us to find one')).toBe('/start?zip_code=99723')
    screen.getByText('No clinic within 100 miles of Barrow, AK')
    screen.getByText(/^[\d,]+ miles away$/)
    expect(screen.queryByText('No clinic within 100 miles')).toBeNull()
    expect(screen.getAllByRole('heading', { level: 3 })).toHaveLength(1)
  })

  it('filters list and pins by what a clinic offers, and says which filter to lift', async () => {
    answerPoints({ active: [QUILL, OTHER] })
    const user = openPage('/map')
    await screen.findByRole('heading', { name: 'Quill Clinic' })
    const free = screen.getByRole('checkbox', { name: 'Free consultation (1)' })
    await user.click(free)
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Other Clinic' })).toBeNull())
    await waitFor(() => expect(pins()).toHaveLength(1))
    expect(window.location.search).toBe('?free=1')
    screen.getByRole('checkbox', { name: 'Financing (0)' })
    await user.click(screen.getByRole('checkbox', { name: 'Financing (0)' }))
    await screen.findByText('No clinic here offers a free consultation and has financing')
    await user.click(screen.getByRole('button', { name: 'Without “Free consultation”' }))
    await screen.findByRole('heading', { name: 'Other Clinic' })
    expect(window.location.search).toBe('?financing=1')
  })
})

it('the map where something fails shows what it knows when one list fails, and tries again when asked', async () => {
  answerPoints({ active: [QUILL], fail: ['inactive'] })
  const user = openPage('/map')
  within(await screen.findByRole('alert')).getByText('Failed to fetch inactive providers')
  await waitFor(() => expect(pins()).toHaveLength(1))
  answerPoints({ active: [QUILL], inactive: [CLOSED] })
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(pins()).toHaveLength(2))
  expect(screen.queryByRole('alert')).toBeNull()
})

async function itemOf(name: string): Promise<HTMLElement> {
  return (await screen.findByRole('heading', { name })).closest('li') as HTMLElement
}

const entryOf = async (name: string) => within(await itemOf(name))
const popup = () => within(document.querySelector('.leaflet-popup') as HTMLElement)
const linkTo = (name: string) => screen.getByRole('link', { name }).getAttribute('href')

function publicOf({ email, mpxapi, ...known }: ReturnType<typeof provider>) {
  return known
}
