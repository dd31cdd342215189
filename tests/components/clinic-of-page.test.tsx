import { screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { answer, heldAnswer, noAnswer, refusal } from './api.ts'
import { arrives, button, fillInPerson, knowZipCodes } from './form-actions.ts'
import { openPage } from './page.tsx'
import { micrositeProvider } from './samples.ts'

const BY_ID = 'GET /api/providers/{providerId}'
const BY_HOST = 'GET /api/providers/domain/{hostname}'
const MAIN_PAGE = 'Find a provider near you'
const QUILL = micrositeProvider(7, { practiceName: 'Quill Clinic' })
/** What the server tells when it could not find out whose host this is. */
const UNKNOWN_HOST = { mainDomain: 'www.leadwell.example', hostProvider: undefined }

describe('the clinic that the address names', () => {
  it.each(['/', '/microsite'])('is looked up where the server has not told (%s)', async (path) => {
    const held = heldAnswer(QUILL)
    const calls = answer(BY_ID, held.answer)
    openPage(`${path}?providerId=7`)
    await screen.findByText('Loading...')
    held.release()
    await screen.findByText('Submit the form to connect with Quill Clinic.')
    expect(calls.map(({ params }) => params)).toEqual([{ providerId: 7 }])
  })

  it.each(['/', '/microsite'])('is taken from the server where it has told (%s)', async (path) => {
    openPage(`${path}?providerId=7`, { chosen: { id: 7, provider: QUILL } })
    await screen.findByText('Submit the form to connect with Quill Clinic.')
  })

  it.each(['/?providerId=abc', '/microsite?providerId=', '/microsite?providerId=%20', '/microsite'])(
    'is not found, and nobody is asked, where there is none: %s',
    async (address) => {
      openPage(address)
      await screen.findByRole('heading', { name: 'Provider not found' })
    },
  )

  it.each([
    { what: 'it is nobody’s', reply: () => refusal(404, { code: 'not_found' }) },
    { what: 'the clinic is not active', reply: micrositeProvider(7, { status: 'f' }) },
  ])('is not found when $what', async ({ reply }) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    answer(BY_ID, reply)
    openPage('/?providerId=7')
    await screen.findByRole('heading', { name: 'Provider not found' })
    screen.getByText(/^No active provider has this address\./)
    vi.restoreAllMocks()
  })

  it.each([
    { what: 'the database is away', reply: () => refusal(503, { code: 'unavailable' }) },
    { what: 'nobody answers', reply: noAnswer },
    { what: 'the answer has no id', reply: () => Response.json({ name: 'Nobody' }) },
  ])('may be there although $what, which is said, and can be tried again', async ({ reply }) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    answer(BY_ID, reply)
    const user = openPage('/?providerId=7')
    await screen.findByRole('heading', { name: 'Provider not found' })
    screen.getByText(/^We cannot load this page right now\./)
    expect(document.body.textContent).not.toContain('No active provider')
    answer(BY_ID, QUILL)
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText('Submit the form to connect with Quill Clinic.')
    vi.restoreAllMocks()
  })

  it.each(['/?providerId=', '/?providerId=%20'])('is nobody in %s: the landing page', async (address) => {
    openPage(address)
    await screen.findByRole('heading', { name: MAIN_PAGE })
  })

  it('stays the clinic of every link to another page', async () => {
    openPage('/microsite?providerId=7&utm_source=ad', { chosen: { id: 7, provider: QUILL } })
    await screen.findByText('Submit the form to connect with Quill Clinic.')
    const link = (name: string | RegExp) =>
      screen.getAllByRole('link', { name }).map((each) => each.getAttribute('href'))
    expect(new Set(link('Provider Map'))).toEqual(new Set(['/map?providerId=7&provider=7']))
    expect(new Set(link(/ home$/))).toEqual(new Set(['/?providerId=7']))
    expect(link('Find a Provider')).toEqual(['/microsite?providerId=7&utm_source=ad#provider-form'])
  })

  it('is the one at which the map is opened from its own host', async () => {
    openPage('/terms', { hostProvider: QUILL })
    const links = await screen.findAllByRole('link', { name: 'Provider Map' })
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['/map?provider=7', '/map?provider=7'])
  })

  it('comes back from another page', async () => {
    openPage('/privacy?providerId=7', { chosen: { id: 7, provider: QUILL } })
    const link = await screen.findByRole('link', { name: 'Find a Provider' })
    expect(link.getAttribute('href')).toBe('/?providerId=7#provider-form')
    expect(screen.getByRole('link', { name: 'FAQs' }).getAttribute('href')).toBe('/?providerId=7#faq')
  })

  it.each(['/?providerId=abc', '/microsite'])(
    'leads from %s, which is nobody’s, to the form of the main site',
    async (at) => {
      openPage(at)
      const link = await screen.findByRole('link', { name: 'Find a Provider' })
      expect(link.getAttribute('href')).toBe('/#provider-form')
    },
  )

  it('stays while a request to it is reviewed', async () => {
    knowZipCodes()
    answer('POST /api/leads', () => Response.json({ id: 5, inReview: true }, { status: 201 }))
    const user = openPage('/homev2?providerId=7&zip_code=78702', { chosen: { id: 7, provider: QUILL } })
    await fillInPerson(user)
    await user.click(button('Find My Provider'))
    await arrives('/success?inReview=true&providerId=7')
    expect(screen.queryByText(/We've sent your contact info/)).toBeNull()
  })

  it('stays for whoever looks at what clinics are offered', async () => {
    answer('GET /api/providers', noAnswer)
    openPage('/map?providerId=7', { chosen: { id: 7, provider: QUILL } })
    const link = await screen.findByRole('link', { name: 'Become a Provider' })
    expect(link.getAttribute('href')).toBe('/clinics?providerId=7')
  })

  it('is in no link where nobody has that id', async () => {
    openPage('/privacy?providerId=99', { chosen: { id: 99, provider: null } })
    const link = await screen.findByRole('link', { name: 'Find a Provider' })
    expect(link.getAttribute('href')).toBe('/#provider-form')
  })
})

describe('the clinic whose host this is', () => {
  it('is looked up where the server has not told', async () => {
    const calls = answer(BY_HOST, QUILL)
    openPage('/', UNKNOWN_HOST)
    await screen.findByText('Submit the form to connect with Quill Clinic.')
    expect(calls.map(({ params }) => params)).toEqual([{ hostname: 'localhost' }])
  })

  it.each([
    { what: 'nobody can say', reply: () => refusal(500, { code: 'internal' }) },
    { what: 'it is nobody’s', reply: () => refusal(404, { code: 'not_found' }) },
    { what: 'the answer has no id', reply: () => Response.json({ name: 'Nobody' }) },
  ])('is replaced by the main page when $what', async ({ reply }) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    answer(BY_HOST, reply)
    openPage('/', UNKNOWN_HOST)
    await screen.findByRole('heading', { name: MAIN_PAGE })
    expect(logged).toHaveBeenCalledWith('The provider of this page could not be found.', expect.anything())
    vi.restoreAllMocks()
  })

  it('is asked for neither on the main host nor where the server has told that there is none', async () => {
    openPage('/', { mainDomain: 'localhost', hostProvider: undefined })
    await screen.findByRole('heading', { name: MAIN_PAGE })
  })
})
