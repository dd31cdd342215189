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
import { micrositeProvider } from './samples.ts'

const INVALID = 'Please enter a valid 5-digit zip code'
const UNKNOWN = 'We do not know this zip code. Please check it.'

beforeEach(() => void knowZipCodes())

describe('the first step of the quiz', () => {
  it('refuses what is no zip code, and then takes one', async () => {
    const user = await openQuiz()
    for (const zip of ['', '7870', '7870a', 'abcde', '     ', '00000', '99999']) {
      await enterZip(user, zip)
      await findToast('Invalid Zip Code', INVALID)
      expect(problemAt(field('Zip Code')), zip).toBe(INVALID)
      expect(focused()).toBe('zip_code')
      expect(window.location.search).toBe('')
    }
    await toSecondStep(user)
    expect(window.location.search).toBe('?zip_code=78702')
  })

  it('makes five digits of a pasted zip code', async () => {
    const user = await openQuiz()
    for (const text of ['90210-1234', ' 90210 ', '902101234']) {
      await fill(user, 'Zip Code', text)
      expect(field('Zip Code').value, text).toBe('90210')
    }
  })
})

describe('the zip code in the first step of the quiz', () => {
  it('is named by its place as soon as that is known, and in the second step too', async () => {
    const calls = knowZipCodes()
    const user = await openQuiz()
    await fill(user, 'Zip Code', '78702')
    await screen.findByText('Austin, TX')
    await user.click(button('Continue'))
    await stepIs('Tell us about you')
    await screen.findByText(/Austin, TX/)
    expect(calls).toHaveLength(1)
  })

  it('is questioned when nobody knows it, and taken at the second press', async () => {
    knowZipCodes({ except: ['99949'] })
    const user = await openQuiz()
    await fill(user, 'Zip Code', '99949')
    await user.click(button('Continue'))
    await findToast('Unknown Zip Code', `${UNKNOWN} If it is right, press Continue again.`)
    await waitFor(() => expect(problemAt(field('Zip Code'))).toBe(UNKNOWN))
    await waitFor(() => expect(focused()).toBe('zip_code'))
    expect(window.location.search).toBe('')
    await user.click(button('Continue'))
    await stepIs('Tell us about you')
    expect(window.location.search).toBe('?zip_code=99949')
  })

  it.each([
    { what: 'the database is away', reply: () => refusal(503, { code: 'unavailable' }) },
    { what: 'nobody answers', reply: noAnswer },
  ])('is taken when it cannot be looked up because $what', async ({ reply }) => {
    answer('GET /api/zip-codes/{zip}', reply)
    const user = await openQuiz()
    await fill(user, 'Zip Code', '78702')
    await user.click(button('Continue'))
    await stepIs('Tell us about you')
    expect(screen.queryByText(/Austin/)).toBeNull()
  })
})

describe('the second step of the quiz', () => {
  it('refuses to send without consent', async () => {
    const leads = takeLeads()
    const user = await openSecondStep()
    await fillInPerson(user)
    await user.click(checkbox())
    await user.click(button('Continue'))
    await findToast('Consent Required', 'You must agree to receive communications to continue.')
    expect(focused()).toBe('acceptance_consent')
    expect(leads).toEqual([])
  })

  it('leads back to the zip code, and keeps what was typed', async () => {
    const leads = takeLeads()
    const user = await openSecondStep()
    await fillInPerson(user)
    await user.click(screen.getByRole('link', { name: 'Change zip code' }))
    await stepIs('Is there a provider near you?')
    expect(field('Zip Code').value).toBe('78702')
    expect(focused()).toBe('step-heading')

    await toSecondStep(user, '99901')
    await screen.findByText('99901')
    expect(field('Email').value).toBe(VISITOR.email)
    await user.click(button('Continue'))
    await arrives()
    expect(leads).toMatchObject([{ body: { ...VISITOR, zip_code: '99901' } }])
  })

  it('leads back to a zip code that only the server refuses, says so, and keeps the rest', async () => {
    const zip = '78702'
    answer('POST /api/leads', () => refusal(422, { fields: { zip_code: INVALID } }))
    const user = await openQuiz()
    await toSecondStep(user, zip)
    await fillInPerson(user)
    await user.click(button('Continue'))
    await stepIs('Is there a provider near you?')
    expect(problemAt(field('Zip Code'))).toBe(INVALID)
    expect(field('Zip Code').value).toBe(zip)
    expect(focused()).toBe('zip_code')

    const leads = takeLeads()
    await toSecondStep(user, '78703')
    expect(field('Phone').value).toBe(VISITOR.phone)
    await user.click(button('Continue'))
    await arrives()
    expect(leads).toMatchObject([{ body: { ...VISITOR, zip_code: '78703' } }])
  })
})

describe('the clinic that a lead of the quiz goes to', () => {
  it('is the one that the address names, which is kept from step to step', async () => {
    const leads = takeLeads(7)
    const user = await openQuiz('/start?providerId=7&utm_source=news')
    await toSecondStep(user)
    expect(window.location.search).toBe('?providerId=7&utm_source=news&zip_code=78702')
    await fillInPerson(user)
    await user.click(button('Continue'))
    await arrives('/success?providerId=7')
    expect(leads).toMatchObject([{ query: { providerId: 7 } }])
  })

  it('is the one whose host it is', async () => {
    const leads = takeLeads(7)
    const user = openPage('/start?zip_code=78702', { hostProvider: micrositeProvider(7) })
    await fillInPerson(user)
    await user.click(button('Continue'))
    await arrives('/success?providerId=7')
    expect(leads).toMatchObject([{ query: { providerId: 7 } }])
  })
})

async function openQuiz(path = '/start'): Promise<UserEvent> {
  const user = openPage(path)
  await stepIs('Is there a provider near you?')
  return user
}

async function openSecondStep(): Promise<UserEvent> {
  const user = await openQuiz()
  await toSecondStep(user)
  return user
}

async function enterZip(user: UserEvent, zip: string): Promise<void> {
  await fill(user, 'Zip Code', zip)
  await user.click(button('Continue'))
}

async function toSecondStep(user: UserEvent, zip = '78702'): Promise<void> {
  await enterZip(user, zip)
  await stepIs('Tell us about you')
  await waitFor(() => expect(focused()).toBe('step-heading'))
}
