import { fireEvent, screen, within } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
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
  expect(card.getByRole('link', { name: '(512) 555-0100' }).getAttribute('href')).toBe('tel:5125550100')
  expect(card.getByRole('link', { name: 'Visit Website' }).getAttribute('href')).toBe('https://quill.example')
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
  expect(screen.getByRole('link', { name: 'Order Your Starter Kit' }).getAttribute('href')).toMatch(/^https:/)
})

it('tells the sender of a held request that it is reviewed, and promises no clinic and no search', async () => {
  openPage('/success?inReview=true')
  await screen.findByText("We've received your information, and our team will review your request.")
  screen.getByText(/^A person on our team looks at your request before it goes to a clinic\./)
  expect(document.body.textContent).not.toMatch(/No Provider Found|searching|close to your zip/)
})
