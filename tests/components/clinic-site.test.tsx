import { fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { brand } from '../../core/brand/brand.ts'
import { answer, heldAnswer, noAnswer, refusal } from './api.ts'
import { loadImages, openPage } from './page.tsx'
import { micrositeProvider } from './samples.ts'

const BY_ID = 'GET /api/providers/{providerId}'
const BY_HOST = 'GET /api/providers/domain/{hostname}'
const FORM = 'Submit the form to connect with Quill Clinic.'
const QUILL = micrositeProvider(7, { practiceName: 'Quill Clinic' })
/** What the server tells when it could not find out whose host this is. */
const UNKNOWN_HOST = { mainDomain: 'www.leadwell.example', hostProvider: undefined }
const noId = () => Response.json({ name: 'Nobody' })
let logged: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  logged = vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

describe('the clinic that the address names', () => {
  it.each(['/', '/microsite'])('is looked up where the server has not told (%s)', async (path) => {
    const held = heldAnswer(QUILL)
    const calls = answer(BY_ID, held.answer)
    openPage(`${path}?providerId=7`)
    await screen.findByText('Loading...')
    held.release()
    await screen.findByText(FORM)
    expect(calls.map(({ params }) => params)).toEqual([{ providerId: 7 }])
  })

  it.each(['/?providerId=abc', '/microsite?providerId=%20', '/microsite'])(
    'is not found, and nobody is asked, where there is none: %s, which leads to the main site',
    async (address) => {
      openPage(address)
      await screen.findByRole('heading', { name: 'Provider not found' })
      expect(screen.getByRole('link', { name: 'Find a Provider' }).getAttribute('href')).toBe('/#provider-form')
    },
  )

  it.each([
    { what: 'it is nobody’s', reply: () => refusal(404, { code: 'not_found' }) },
    { what: 'the clinic is not active', reply: micrositeProvider(7, { status: 'f' }) },
  ])('is not found when $what', async ({ reply }) => {
    answer(BY_ID, reply)
    openPage('/?providerId=7')
    await screen.findByText(/^There is no active provider at this address\./)
  })

  it.each([
    { what: 'the database is away', reply: () => refusal(503, { code: 'unavailable' }) },
    { what: 'nobody answers', reply: noAnswer },
    { what: 'the answer has no id', reply: noId },
  ])('may be there although $what, which is said, and can be tried again', async ({ reply }) => {
    answer(BY_ID, reply)
    const user = openPage('/?providerId=7')
    await screen.findByText(/^We cannot load this page right now\./)
    expect(document.body.textContent).not.toContain('no active provider')
    answer(BY_ID, QUILL)
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText(FORM)
  })

  it('stays the clinic of every link to another page', async () => {
    openPage('/microsite?providerId=7&utm_source=ad', { chosen: { id: 7, provider: QUILL } })
    await screen.findByText(FORM)
    const links = (name: string | RegExp) =>
      new Set(screen.getAllByRole('link', { name }).map((each) => each.getAttribute('href')))
    expect(links('Provider Map')).toEqual(new Set(['/map?providerId=7&provider=7']))
    expect(links(/ home$/)).toEqual(new Set(['/?providerId=7']))
  })
})

describe('the clinic whose host this is', () => {
  it('is looked up where the server has not told', async () => {
    const calls = answer(BY_HOST, QUILL)
    openPage('/', UNKNOWN_HOST)
    await screen.findByText(FORM)
    expect(calls.map(({ params }) => params)).toEqual([{ hostname: 'localhost' }])
  })

  it.each([
    { what: 'nobody can say', reply: () => refusal(500, { code: 'internal' }) },
    { what: 'the answer has no id', reply: noId },
  ])('is replaced by the main page when $what', async ({ reply }) => {
    answer(BY_HOST, reply)
    openPage('/', UNKNOWN_HOST)
    await screen.findByRole('heading', { name: 'Find a provider near you' })
    expect(logged).toHaveBeenCalledWith('The provider of this page could not be found.', expect.anything())
  })
})

describe('the thank-you page', () => {
  const card = () => screen.findByRole('region', { name: 'Provider Near You:' })
  const stepsOf = () =>
    within(screen.getByRole('region', { name: 'What Happens Next' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
  const linkTo = (name: string) => screen.getByRole('link', { name }).getAttribute('href')

  it('says that the provider is being loaded, then who that is, and what happens next, with the number to save', async () => {
    const held = heldAnswer({ ...QUILL, name: 'Dr. Rosa Quill', website: 'quill.example', phone: '512-555-0100' })
    answer(BY_ID, held.answer)
    openPage('/success?providerId=7')
    await screen.findByText('Loading provider information...')
    held.release()
    const shown = within(await card())
    for (const text of ['Dr. Rosa Quill', 'Quill Clinic', '1 Main Street, 78701']) await shown.findByText(text)
    expect(linkTo('Visit Website')).toBe('https://quill.example')
    expect(stepsOf()).toEqual([
      '1Just nowWe told Quill Clinic about your request.',
      '2Within one business dayThey call you, usually from (512) 555-0100. Save contact',
      `3After two business daysHeard nothing? Call them, or write to us at ${brand.email} or call ${brand.phone}.`,
    ])
    expect(linkTo('Save contact')).toBe('/api/providers/7/contact.vcf')
    expect([linkTo('Call'), linkTo('Call them')]).toEqual(['tel:+15125550100', 'tel:+15125550100'])
    expect(linkTo('Directions')).toContain('google.com/maps/dir/')
  })

  it('gives no number of a clinic that is no longer active, also to staff', async () => {
    answer(BY_ID, { ...QUILL, status: 'f', latitude: 30.27, longitude: -97.74 })
    openPage('/success?providerId=7')
    await screen.findByText('We told Quill Clinic about your request.')
    expect(stepsOf()[1]).toBe('2Within one business dayThey call you.')
    for (const name of ['Call', 'Save contact', 'Visit Website'])
      expect(screen.queryByRole('link', { name })).toBeNull()
    expect(screen.queryByRole('img', { name: /^Map/ })).toBeNull()
  })

  it.each(['providerId=7', 'noProvider=true', 'inReview=true'])('asks for no second request: %s', async (query) => {
    openPage(`/success?${query}`, { chosen: { id: 7, provider: QUILL } })
    await screen.findByRole('heading', { name: 'What Happens Next' })
    expect(screen.queryByRole('form')).toBeNull()
    const links = screen.getAllByRole('link').map((link) => link.getAttribute('href') ?? '')
    expect(links.filter((href) => /provider-form|^\/(start|homev2)/.test(href))).toEqual([])
  })

  it.each([404, 503])('leads to our team when the answer is %i', async (status) => {
    answer(BY_ID, () => refusal(status))
    openPage('/success?providerId=999999')
    await screen.findByText('Provider information not available.')
    expect(linkTo('Write to our care team')).toBe(`mailto:${brand.email}`)
  })

  it('shows the picture of the provider, and the first letter of the name when it is broken', async () => {
    loadImages()
    const provider = { ...QUILL, name: 'Omar Reyes', image_url: '/demo/clinic-1.svg' }
    openPage('/success?providerId=7', { chosen: { id: 7, provider } })
    const picture = (await card()).querySelector('img') as HTMLImageElement
    expect(picture.getAttribute('src')).toBe('/demo/clinic-1.svg')
    expect(within(await card()).queryByText('O')).toBeNull()
    fireEvent.error(picture)
    within(await card()).getByText('O')
  })

  it('says that nobody is in reach, and what happens then', async () => {
    openPage('/success?noProvider=true')
    for (const text of [
      "We've received your information and our team will search for providers in your area!",
      'Your Path to Natural Male Enhancement Has Begun!',
      'No Provider Found Yet',
      "We'll continue searching for providers in your area",
    ])
      await screen.findByText(text)
    expect(stepsOf()[1]).toMatch(/^2From now onOur team looks for a provider\. Once we find one, they get your contact/)
    expect(linkTo('Order Your Starter Kit')).toMatch(/^https:/)
  })

  it('tells the sender of a held request that it is reviewed, and promises no clinic and no search', async () => {
    openPage('/success?inReview=true')
    await screen.findByText("We've received your information, and our team will review your request.")
    screen.getByText(/^Someone on our team reviews your request before it goes to a clinic.* the same email/)
    expect(document.body.textContent).not.toMatch(/No Provider Found|searching|close to your zip/)
  })
})
