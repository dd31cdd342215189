import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { CONSENT } from '../../core/contract/consent.ts'
import { answer, noAnswer, refusal } from './api.ts'
import * as on from './form-actions.ts'
import { findToast, openPage } from './page.tsx'

const { arrives, button, field, fill, fillInPerson, focused, knowZipCodes, problemAt, stepIs, takeLeads, VISITOR } = on
const UNKNOWN = 'We don’t recognize this zip code. Please check it.'
const QUIZ = {
  ...{ what: 'the quiz', path: '/start' },
  zip: { heading: 'Is there a provider near you?', press: 'Continue' },
  person: { heading: 'Tell us about you', press: 'Continue' },
}
const FINDER = {
  ...{ what: 'the search for a provider', path: '/homev2' },
  zip: { heading: 'Where Are You Located?', press: 'Find Providers' },
  person: { heading: 'Complete Your Information', press: 'Find My Provider' },
}
beforeEach(() => void knowZipCodes())

async function open({ path, zip }: typeof QUIZ, query = ''): Promise<UserEvent> {
  const user = openPage(`${path}${query}`)
  await stepIs(zip.heading)
  return user
}

async function enterZip(user: UserEvent, { zip }: typeof QUIZ, text: string): Promise<void> {
  await fill(user, 'Zip Code', text)
  await user.click(button(zip.press))
}

async function toSecondStep(user: UserEvent, form: typeof QUIZ, text = '78702'): Promise<void> {
  await enterZip(user, form, text)
  await stepIs(form.person.heading)
  await waitFor(() => expect(focused()).toBe('step-heading'))
}

describe('the first step of the quiz', () => {
  it('refuses what is no zip code, and then takes one, which is in the address with the clinic', async () => {
    const leads = takeLeads(7)
    const user = await open(QUIZ, '?providerId=7&utm_source=news')
    for (const zip of ['', '7870a', '     ', '00000']) {
      await enterZip(user, QUIZ, zip)
      const toast = await findToast('Invalid Zip Code')
      expect(toast.textContent).toContain(problemAt(field('Zip Code')))
      expect(focused()).toBe('zip_code')
    }
    await toSecondStep(user, QUIZ)
    expect(window.location.search).toBe('?providerId=7&utm_source=news&zip_code=78702')
    await fillInPerson(user)
    await user.click(button('Continue'))
    await arrives('/success?providerId=7')
    expect(leads).toMatchObject([{ query: { providerId: 7 } }])
  })

  it('questions a zip code that is in no list, and takes it at the second press', async () => {
    knowZipCodes({ except: ['99949'] })
    const user = await open(QUIZ)
    await enterZip(user, QUIZ, '99949')
    const words = `${UNKNOWN} If it is right, press ${QUIZ.zip.press} again.`
    await findToast('Unknown Zip Code', words)
    // The toast goes after a while.
    await waitFor(() => expect(problemAt(field('Zip Code'))).toBe(words))
    await waitFor(() => expect(focused()).toBe('zip_code'))
    await user.click(button(QUIZ.zip.press))
    await stepIs(QUIZ.person.heading)
    expect(window.location.search).toBe('?zip_code=99949')
  })
})

describe('the search for a provider', () => {
  it('wants something for a zip code, takes anything, and says at the end that it has received it', async () => {
    const leads = answer('POST /api/leads', () => Response.json({ id: 5 }, { status: 201 }))
    const user = await open(FINDER)
    for (const zip of ['', '   ']) {
      await enterZip(user, FINDER, zip)
      await findToast('ZIP Code Required', 'Please enter your ZIP code to continue.')
      expect(focused()).toBe('zip_code')
    }
    await toSecondStep(user, FINDER, 'abcde')
    field(CONSENT.finder.wording)
    await fillInPerson(user)
    await user.click(button(FINDER.person.press))
    await arrives('/success?noProvider=true')
    await findToast('Success!', "We've received your information.")
    expect(leads).toMatchObject([{ body: { zip_code: 'abcde', acceptance_message: CONSENT.finder.wording } }])
  })

  it.each([
    {
      why: 'the server says why',
      reply: () => refusal(503, { error: 'Not now.' }),
      said: 'Not now.',
      log: /^503: Not/,
    },
    { why: 'nobody answers', reply: noAnswer, said: 'Please try again later.', log: /^$/ },
  ])('that fails because $why says so, logs it, and can be tried again', async ({ reply, said, log }) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    answer('POST /api/leads', reply)
    const user = openPage('/homev2?zip_code=78702')
    await fillInPerson(user)
    await user.click(button(FINDER.person.press))
    const toast = await findToast('Something went wrong')
    expect(toast.querySelector('[data-description]')?.textContent).toBe(said)
    expect(logged.mock.calls).toEqual([[expect.objectContaining({ message: expect.stringMatching(log) })]])
    logged.mockRestore()
    expect(field('Email').value).toBe(VISITOR.email)
    takeLeads()
    await user.click(button(FINDER.person.press))
    await arrives()
  })
})

describe.each([QUIZ, FINDER])('$what', (form) => {
  it('takes a zip code that cannot be looked up', async () => {
    answer('GET /api/zip-codes/{zip}/reach', noAnswer)
    const user = await open(form)
    await toSecondStep(user, form)
    expect(screen.queryByText(/Austin/)).toBeNull()
  })

  it('leads back to a zip code that only the server refuses, says so, and keeps the rest', async () => {
    const problem = 'What the server says of it.'
    answer('POST /api/leads', () => refusal(422, { fields: { zip_code: problem } }))
    const user = await open(form)
    await toSecondStep(user, form)
    await fillInPerson(user)
    await user.click(button(form.person.press))
    await stepIs(form.zip.heading)
    expect([problemAt(field('Zip Code')), field('Zip Code').value, focused()]).toEqual([problem, '78702', 'zip_code'])
    await fill(user, 'Zip Code', '7870')
    expect(problemAt(field('Zip Code'))).toBe('')
    await fill(user, 'Zip Code', '78702')
    expect(problemAt(field('Zip Code'))).toBe(problem)
    const leads = takeLeads()
    await toSecondStep(user, form, '78703')
    await user.click(screen.getByRole('link', { name: 'Change zip code' }))
    await stepIs(form.zip.heading)
    await toSecondStep(user, form, '78704')
    expect([field('Email').value, field('Phone').value]).toEqual([VISITOR.email, VISITOR.phone])
    await user.click(button(form.person.press))
    await arrives()
    expect(leads).toMatchObject([{ body: { ...VISITOR, zip_code: '78704' } }])
  })
})
