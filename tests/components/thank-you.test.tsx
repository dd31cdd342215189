import { fireEvent, screen, within } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { brand } from '../../core/brand/brand.ts'
import { answer, heldAnswer, refusal } from './api.ts'
import { loadImages, openPage } from './page.tsx'
import { micrositeProvider } from './samples.ts'

const PROVIDER = 'GET /api/providers/{providerId}'
const NO_INFORMATION = 'Provider information not available.'

afterEach(() => {
  vi.restoreAllMocks()
})

it('says that the provider is being loaded, and then who that is', async () => {
  const held = heldAnswer(
    micrositeProvider(7, { name: 'Dr. Rosa Quill', practiceName: 'Quill Clinic', website: 'quill.example' }),
  )
  answer(PROVIDER, held.answer)
  openPage('/success?providerId=7')
  await screen.findByText('Loading provider information...')
  held.release()

  const card = within(await screen.findByRole('region', { name: 'Provider Near You:' }))
  await card.findByText('Dr. Rosa Quill')
  card.getByText('Quill Clinic')
  card.getByText('1 Main Street, 78701')
  expect(card.getByRole('link', { name: '(512) 555-0100' }).getAttribute('href')).toBe('tel:+15125550100')
  expect(card.getByRole('link', { name: 'Visit Website' }).getAttribute('href')).toBe('https://quill.example')
})

const stepsOf = () =>
  within(screen.getByRole('region', { name: 'What Happens Next' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

it('says what happens next, with the number to save', async () => {
  const provider = micrositeProvider(7, { practiceName: 'Quill Clinic', phone: '512-555-0100' })
  openPage('/success?providerId=7', { chosen: { id: 7, provider } })
  await screen.findByText('We told Quill Clinic about your request.')
  expect(stepsOf()).toEqual([
    '1Just nowWe told Quill Clinic about your request.',
    '2Within one business dayThey call you, usually from (512) 555-0100. Save contact',
    `3After two business daysHeard nothing? Call them, or write to us at ${brand.email} or call ${brand.phone}.`,
  ])
  const link = (name: string) => screen.getByRole('link', { name }).getAttribute('href')
  expect(link('Save contact')).toBe('/api/providers/7/contact.vcf')
  expect([link('Call'), link('Call them')]).toEqual(['tel:+15125550100', 'tel:+15125550100'])
  expect(link('Directions')).toContain('google.com/maps/dir/')
})

it('promises no number and offers no call where the clinic has no phone', async () => {
  const provider = micrositeProvider(7, { practiceName: 'Quill Clinic', phone: null })
  openPage('/success?providerId=7', { chosen: { id: 7, provider } })
  await screen.findByText('We told Quill Clinic about your request.')
  expect(stepsOf().slice(1)).toEqual([
    '2Within one business dayThey call you.',
    `3After two business daysHeard nothing? Write to us at ${brand.email} or call ${brand.phone}.`,
  ])
  for (const name of ['Call', 'Save contact']) expect(screen.queryByRole('link', { name })).toBeNull()
  screen.getByRole('link', { name: 'Directions' })
})

it('gives no number of a clinic that is no longer active, also to staff', async () => {
  const coordinates = { latitude: 30.27, longitude: -97.74 }
  answer(PROVIDER, micrositeProvider(7, { practiceName: 'Quill Clinic', status: 'f', ...coordinates }))
  openPage('/success?providerId=7')
  await screen.findByText('We told Quill Clinic about your request.')
  expect(stepsOf()[1]).toBe('2Within one business dayThey call you.')
  for (const name of ['Call', 'Save contact', 'Visit Website']) expect(screen.queryByRole('link', { name })).toBeNull()
  expect(screen.queryByRole('img', { name: /^Map/ })).toBeNull()
})

it.each(['/success?providerId=7', '/success?noProvider=true', '/success?inReview=true', '/success'])(
  'asks for no second request: %s',
  async (path) => {
    openPage(path, { chosen: { id: 7, provider: micrositeProvider(7) } })
    await screen.findByRole('heading', { name: 'What Happens Next' })
    screen.getByText('NEW ... Increase Size!')
    expect(screen.queryByRole('form')).toBeNull()
    const links = screen.getAllByRole('link').map((link) => link.getAttribute('href') ?? '')
    expect(links.filter((href) => /provider-form|^\/(start|homev2)/.test(href))).toEqual([])
  },
)

it('leads to our team where the provider is not available', async () => {
  openPage('/success?providerId=abc')
  await screen.findByText(NO_INFORMATION)
  expect(screen.getByRole('link', { name: `Call ${brand.phone}` }).getAttribute('href')).toMatch(/^tel:/)
  expect(screen.getByRole('link', { name: 'Write to our care team' }).getAttribute('href')).toBe(
    `mailto:${brand.email}`,
  )
})

it.each(['abc', ''])('has no information about an id that is none, and asks nobody: %j', async (id) => {
  openPage(`/success?providerId=${id}`)
  await screen.findByText(NO_INFORMATION)
})

it.each([404, 503])('has no information when the answer is %i', async (status) => {
  answer(PROVIDER, () => refusal(status))
  openPage('/success?providerId=999999')
  await screen.findByText(NO_INFORMATION)
})

it('shows the picture of the provider, and the first letter of the name when it is broken', async () => {
  loadImages()
  const provider = micrositeProvider(7, { name: 'Omar Reyes', image_url: '/demo/clinic-1.svg' })
  openPage('/success?providerId=7', { chosen: { id: 7, provider } })
  const card = await screen.findByRole('region', { name: 'Provider Near You:' })
  const picture = card.querySelector('img') as HTMLImageElement
  expect(picture.getAttribute('src')).toBe('/demo/clinic-1.svg')
  expect(within(card).queryByText('O')).toBeNull()
  fireEvent.error(picture)
  within(card).getByText('O')
})

it('says that nobody is in reach, and what happens then', async () => {
  openPage('/success?noProvider=true')
  for (const text of [
    "We've received your information and our team will search for providers in your area!",
    'Your Path to Natural Male Enhancement Has Begun!',
    'No Provider Found Yet',
    "We'll continue searching for providers in your area",
  ]) {
    await screen.findByText(text)
  }
  screen.getByText(/ask a men’s clinic near you to become certified/)
  expect(stepsOf()[1]).toMatch(
    /^2From now onOur team looks for a provider\. Once we find one, they get your contact details/,
  )
  expect(screen.getByRole('link', { name: 'Order Your Starter Kit' }).getAttribute('href')).toMatch(/^https:/)
})

it('tells the sender of a held request that it is reviewed, and promises no clinic and no search', async () => {
  openPage('/success?inReview=true')
  await screen.findByText("We've received your information, and our team will review your request.")
  screen.getByText(/^A person on our team looks at your request before it goes to a clinic\..* the same email address/)
  expect(stepsOf()[2]).toBe(
    `3After two business daysIf you do not hear from us, write to us at ${brand.email} or call ${brand.phone}.`,
  )
  expect(document.body.textContent).not.toMatch(/No Provider Found|searching|close to your zip/)
})
