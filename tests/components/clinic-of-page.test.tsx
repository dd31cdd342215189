import { screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { answer, heldAnswer, refusal } from './api.ts'
import { openPage } from './page.tsx'
import { micrositeProvider } from './samples.ts'

const BY_ID = 'GET /api/providers/{providerId}'
const BY_HOST = 'GET /api/providers/domain/{hostname}'
const MAIN_PAGE = 'Find a provider near you'
const QUILL = micrositeProvider(7, { practiceName: 'Quill Clinic' })
/** What the server tells when it could not find out whose host this is. */
const UNKNOWN_HOST = { mainDomain: 'www.velmora.example', hostProvider: undefined }

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

  it.each(['/?providerId=abc', '/microsite?providerId=', '/microsite'])(
    'is not found, and nobody is asked, where there is none: %s',
    async (address) => {
      openPage(address)
      await screen.findByRole('heading', { name: 'Provider not found' })
    },
  )

  it.each([
    { what: 'it is nobody’s', reply: () => refusal(404, { code: 'not_found' }) },
    { what: 'the clinic is not active', reply: micrositeProvider(7, { status: 'f' }) },
    { what: 'the database is away', reply: () => refusal(503, { code: 'unavailable' }) },
  ])('is not found when $what', async ({ reply }) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    answer(BY_ID, reply)
    openPage('/?providerId=7')
    await screen.findByRole('heading', { name: 'Provider not found' })
    vi.restoreAllMocks()
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
