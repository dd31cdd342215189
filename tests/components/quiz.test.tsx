import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'

import {
  arrives,
  button,
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

describe('the second step of the quiz', () => {
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
