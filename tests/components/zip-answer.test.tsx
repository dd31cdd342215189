import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { answer, refusal } from './api.ts'
import { arrives, button, field, fill, fillInPerson, form, knowZipCodes, takeLeads, VISITOR } from './form-actions.ts'
import { openPage } from './page.tsx'
import { micrositeProvider } from './samples.ts'

const NEAR = 'Austin, TX · certified clinic about 1 mile away'
const NONE = 'Austin, TX · No clinic within 100 miles yet; leave your details and we keep looking'
const UNKNOWN = 'We do not know this zip code. Please check it.'

describe.each([
  { what: 'the landing page', path: '/' },
  { what: 'the quiz', path: '/start' },
  { what: 'the search for a provider', path: '/homev2' },
])('the answer to a zip code on $what', ({ path }) => {
  it('comes with the fifth digit, in an element that was there before, and goes when the zip code is changed', async () => {
    const calls = knowZipCodes()
    const user = await open(path)
    const status = form().getAllByRole('status')[0] as HTMLElement
    expect(status.textContent).toBe('')
    await user.type(field('Zip Code'), '7870')
    expect(calls).toEqual([])
    await user.type(field('Zip Code'), '2')
    await waitFor(() => expect(status.textContent).toBe(NEAR))
    expect(document.getElementById(field('Zip Code').getAttribute('aria-describedby') ?? '')).toBe(status)
    await user.type(field('Zip Code'), '{Backspace}')
    expect(status.textContent).toBe('')
    await user.type(field('Zip Code'), '2')
    await waitFor(() => expect(status.textContent).toBe(NEAR))
    expect(calls).toMatchObject([{ params: { zip: '78702' }, query: {} }])
  })

  it('says that no clinic is in reach yet, and that a zip code is in no list', async () => {
    knowZipCodes({ inReach: false, miles: null, noneWithinMiles: 100, except: ['99949'] })
    const user = await open(path)
    await fill(user, 'Zip Code', '78702')
    await screen.findByText(NONE)
    await fill(user, 'Zip Code', '99949')
    await screen.findByText(UNKNOWN)
  })

  it('says without a call that five digits can be no zip code', async () => {
    const calls = knowZipCodes()
    const user = await open(path)
    await user.type(field('Zip Code'), '00000')
    screen.getByText(UNKNOWN)
    expect(calls).toEqual([])
  })
})

describe('the answer to a zip code', () => {
  it('is of the clinic whose page this is', async () => {
    const calls = knowZipCodes({ miles: 3 })
    const user = await open('/', 7)
    await fill(user, 'Zip Code', '78702')
    await screen.findByText('Austin, TX · this clinic is about 3 miles away')
    expect(calls).toMatchObject([{ query: { providerId: 7 } }])
  })

  it('is silence when it cannot be had, and no obstacle', async () => {
    const leads = takeLeads()
    answer('GET /api/zip-codes/{zip}/reach', () => refusal(429, { code: 'rate_limited' }))
    const user = await open('/')
    await fillInPerson(user)
    await fill(user, 'Zip Code', VISITOR.zip_code)
    await user.click(button('Get Started Now!'))
    await arrives()
    expect(leads).toHaveLength(1)
  })

  it('is in the second step without a call when the server has sent it with the page', async () => {
    const reach = { zip: '78702', city: 'Austin', state: 'TX', inReach: true, miles: 0, noneWithinMiles: null }
    openPage('/start?zip_code=78702', { zipReach: { zip: '78702', reach } })
    await screen.findByText('Austin, TX · certified clinic less than a mile away')
  })
})

async function open(path: string, clinicId?: number): Promise<UserEvent> {
  const user = openPage(path, clinicId === undefined ? {} : { hostProvider: micrositeProvider(clinicId) })
  await waitFor(() => field('Zip Code'))
  return user
}
