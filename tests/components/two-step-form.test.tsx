import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { answer, noAnswer, refusal } from './api.ts'
import {
  arrives,
  button,
  checkbox,
  field,
  fill,
  fillInPerson,
  focused,
  knowZipCodes,
  problemAt,
  stepIs,
  takeLeads,
  VISITOR,
} from './form-actions.ts'
import { findToast, openPage } from './page.tsx'

const UNKNOWN = 'We do not know this zip code. Please check it.'

const QUIZ = {
  what: 'the quiz',
  path: '/start',
  zip: { heading: 'Is there a provider near you?', press: 'Continue' },
  person: { heading: 'Tell us about you', press: 'Continue' },
}
const FINDER = {
  what: 'the search for a provider',
  path: '/homev2',
  zip: { heading: 'Where Are You Located?', press: 'Find Providers' },
  person: { heading: 'Complete Your Information', press: 'Find My Provider' },
}

beforeEach(() => void knowZipCodes())

describe('a zip code that is in no list', () => {
  beforeEach(() => void knowZipCodes({ except: ['99949'] }))

  it('is questioned by the quiz, and taken at the second press', async () => {
    const user = openPage(QUIZ.path)
    await stepIs(QUIZ.zip.heading)
    await fill(user, 'Zip Code', '99949')
    await user.click(button(QUIZ.zip.press))
    const words = `${UNKNOWN} If it is right, press ${QUIZ.zip.press} again.`
    await findToast('Unknown Zip Code', words)
    // The toast goes after a while.
    await waitFor(() => expect(problemAt(field('Zip Code'))).toBe(words))
    await waitFor(() => expect(focused()).toBe('zip_code'))
    expect(window.location.search).toBe('')
    await user.click(button(QUIZ.zip.press))
    await stepIs(QUIZ.person.heading)
    expect(window.location.search).toBe('?zip_code=99949')
  })

  it('is taken by the search for a provider', async () => {
    const user = openPage(FINDER.path)
    await stepIs(FINDER.zip.heading)
    await fill(user, 'Zip Code', '99949')
    await user.click(button(FINDER.zip.press))
    await stepIs(FINDER.person.heading)
  })
})

describe.each([QUIZ, FINDER])('$what', ({ path, zip, person }) => {
  const open = async () => {
    const user = openPage(path)
    await stepIs(zip.heading)
    return user
  }
  const enterZip = async (user: UserEvent, text: string) => {
    await fill(user, 'Zip Code', text)
    await user.click(button(zip.press))
  }
  const toSecondStep = async (user: UserEvent, text = '78702') => {
    await enterZip(user, text)
    await stepIs(person.heading)
  }

  it('names the place of a zip code as soon as it is known, and in the second step too', async () => {
    const calls = knowZipCodes()
    const user = await open()
    await fill(user, 'Zip Code', '78702')
    await screen.findByText('Austin, TX · certified clinic about 1 mile away')
    await user.click(button(zip.press))
    await stepIs(person.heading)
    await screen.findByText(/Austin, TX/)
    expect(calls).toHaveLength(1)
  })

  it.each([
    { what: 'the database is away', reply: () => refusal(503, { code: 'unavailable' }) },
    { what: 'the network is down', reply: noAnswer },
  ])('takes a zip code that cannot be looked up because $what', async ({ reply }) => {
    answer('GET /api/zip-codes/{zip}/reach', reply)
    const user = await open()
    await toSecondStep(user)
    expect(screen.queryByText(/Austin/)).toBeNull()
  })

  it('leads back to a zip code that only the server refuses, says so, and keeps the rest', async () => {
    const invalid = 'Please enter a valid 5-digit zip code'
    answer('POST /api/leads', () => refusal(422, { fields: { zip_code: invalid } }))
    const user = await open()
    await toSecondStep(user)
    await fillInPerson(user)
    await user.click(button(person.press))
    await stepIs(zip.heading)
    expect(problemAt(field('Zip Code'))).toBe(invalid)
    expect(field('Zip Code').value).toBe('78702')
    expect(focused()).toBe('zip_code')
    await fill(user, 'Zip Code', '7870')
    expect(problemAt(field('Zip Code'))).toBe('')
    await fill(user, 'Zip Code', '78702')
    expect(problemAt(field('Zip Code'))).toBe(invalid)

    const leads = takeLeads()
    await toSecondStep(user, '78703')
    expect(field('Email').value).toBe(VISITOR.email)
    expect(field('Phone').value).toBe(VISITOR.phone)
    await user.click(button(person.press))
    await arrives()
    expect(leads).toMatchObject([{ body: { ...VISITOR, zip_code: '78703' } }])
  })

  it('refuses to send without consent', async () => {
    const leads = takeLeads()
    const user = await open()
    await toSecondStep(user)
    await fillInPerson(user)
    await user.click(checkbox())
    await user.click(button(person.press))
    await findToast('Consent Required', 'You must agree to receive communications to continue.')
    expect(focused()).toBe('acceptance_consent')
    expect(leads).toEqual([])

    await user.click(screen.getByRole('link', { name: 'Change zip code' }))
    await stepIs(zip.heading)
    // Not only when its time is up.
    const shown = () => document.querySelector('[data-sonner-toast][data-removed="false"]')
    await waitFor(() => expect(shown()).toBeNull(), { timeout: 1_500 })
  })
})
