import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { brand } from '../../core/brand/brand.ts'
import { CONSENT } from '../../core/contract/consent.ts'
import type { PageData } from '../../core/contract/page.ts'
import { answer, heldAnswer, noAnswer, refusal } from './api.ts'
import * as on from './form-actions.ts'
import { findToast, openPage } from './page.tsx'
import { micrositeProvider } from './samples.ts'

const { arrives, button, checkbox, field, fill, fillInPerson, focused, hasKeptPerson } = on
const { knowZipCodes, problemAt, stepIs, takeLeads, VISITOR } = on

type Form = { name: string; path: string; button: string; busy: string; steps: 1 | 2; data?: Partial<PageData> }
const ONE_PAGE = { path: '/', busy: 'Wait! Submitting...', steps: 1 } as const
const LANDING: Form = { ...ONE_PAGE, name: 'the landing page', button: 'Get Started Now!' }
const CLINIC: Form = {
  ...{ ...ONE_PAGE, name: 'a clinic’s own site', button: 'Learn More!' },
  data: { hostProvider: micrositeProvider(1) },
}
const QUIZ: Form = { ...ONE_PAGE, name: 'the quiz', path: '/start', button: 'Continue', steps: 2 }
const FINDER: Form = {
  ...{ name: 'the search for a provider', path: '/homev2', button: 'Find My Provider' },
  ...{ busy: 'Submitting...', steps: 2 },
}
const FIELDS = ['First Name', 'Last Name', 'Email', 'Phone', 'Zip Code']

const SENTENCE = 'We cannot save anything right now.'
const FAILED = /^That did not go through\./
const away = () => refusal(503, { error: SENTENCE, code: 'unavailable' })
beforeEach(() => void knowZipCodes())

describe.each([LANDING, CLINIC, QUIZ, FINDER])('the form of $name', (form) => {
  it('sends what was typed once, however often it is clicked, and says meanwhile that it is being sent', async () => {
    takeLeads()
    const held = heldAnswer(Response.json({ id: 5, providerId: 1 }, { status: 201 }))
    const leads = answer('POST /api/leads', held.answer)
    await openFilledIn(form)
    await on.clickTwice(button(form.button))
    await waitFor(() => expect(button(form.busy).disabled).toBe(true))
    held.release()
    await arrives()
    const consent = form === FINDER ? CONSENT.finder : CONSENT.form
    expect(leads).toMatchObject([{ body: { ...VISITOR, acceptance_message: consent.wording } }])
    expect(leads[0]?.query).toEqual(form === CLINIC ? { providerId: 1 } : {})
    expect(window.dataLayer).toEqual([{ event: 'form_submit', value: 1, lead_id: 5 }])
  })

  it('says at each field what is missing, goes to the first, and sends nothing', async () => {
    const leads = takeLeads()
    const user = await openForm(form)
    await user.click(button(form.button))
    const shown = form.steps === 1 ? FIELDS : FIELDS.slice(0, 4)
    for (const label of shown) await waitFor(() => expect(problemAt(field(label)), label).toMatch(/is required$/))
    expect(problemAt(checkbox())).not.toBe('')
    expect(focused()).toBe('first_name')
    await fill(user, 'First Name', 'Jordan')
    await fill(user, 'Last Name', 'Avery')
    await user.click(button(form.button))
    await waitFor(() => expect(focused()).toBe('email'))
    expect(problemAt(field('First Name'))).toBe('')
    expect(leads).toEqual([])
  })
})

describe('a lead', () => {
  it('is sent again after the server has found fields wrong: it says which, and goes to the first', async () => {
    const fields = { phone: 'Wrong, says the server.', email: 'Wrong as well.' }
    answer('POST /api/leads', () => refusal(422, { error: 'Two fields are wrong.', fields }))
    const user = await openFilledIn(QUIZ)
    await user.click(button(QUIZ.button))
    await findToast('Error', '422: Two fields are wrong.')
    expect([problemAt(field('Email')), problemAt(field('Phone'))]).toEqual([fields.email, fields.phone])
    expect(focused()).toBe('email')
    expect(screen.queryByText(FAILED)).toBeNull()
    hasKeptPerson()
    takeLeads()
    await user.click(button(QUIZ.button))
    await arrives()
  })

  it('is the same when it is sent again after going back, and another one when it was changed', async () => {
    const leads = takeLeads()
    const user = await openFilledIn(LANDING)
    await user.click(button(LANDING.button))
    await arrives()
    for (const phone of [VISITOR.phone, '(512) 555-0102']) {
      window.history.back()
      await fillIn(user, LANDING)
      await fill(user, 'Phone', phone)
      await user.click(button(LANDING.button))
      await arrives()
    }
    const [first, again, changed] = leads.map(({ headers }) => headers.get('idempotency-key'))
    expect(first).toMatch(/^[\da-f-]{36}$/)
    expect(again).toBe(first)
    expect(changed).not.toBe(first)
  })

  it('tells what a program has put into the field that people do not see', async () => {
    const leads = takeLeads()
    const user = await openFilledIn(LANDING)
    const trap = document.querySelector<HTMLInputElement>('input[name="topic"]')
    if (trap) trap.value = 'cheap watches'
    await user.click(button(LANDING.button))
    await arrives()
    expect(leads[0]?.body).toMatchObject({ topic: 'cheap watches', elapsed_ms: expect.any(Number), touched: false })
  })

  const limited = () => refusal(429, { error: 'Too many forms came.', code: 'rate_limited' })
  const proxy = () => new Response('<h1>Oh no</h1>', { status: 502, statusText: 'Bad Gateway' })
  it.each([
    { why: 'nobody answers', reply: noAnswer, said: 'Failed to submit form. Please try again later.' },
    { why: 'the server says why', reply: away, said: `503: ${SENTENCE}` },
    { why: 'too many came from this address', reply: limited, said: '429: Too many forms came.' },
    { why: 'a proxy answers with a page of its own', reply: proxy, said: '502: Bad Gateway' },
    {
      why: 'the answer is empty',
      reply: () => new Response('', { status: 201 }),
      said: 'No data received from server',
    },
  ])('stays in the form because $why, is not measured, and is the same when it is sent again', async (failure) => {
    const failed = answer('POST /api/leads', failure.reply)
    const user = await openFilledIn(QUIZ)
    await user.click(button(QUIZ.button))
    await findToast('Error', failure.said)
    hasKeptPerson()
    expect(window.dataLayer).toBeUndefined()
    const leads = takeLeads()
    await user.click(button(QUIZ.button))
    await arrives()
    expect(leads[0]?.headers.get('idempotency-key')).toBe(failed[0]?.headers.get('idempotency-key'))
  })

  it('that did not go through stands in words above the button until the next try, with a number to call', async () => {
    const held = heldAnswer(away())
    answer('POST /api/leads', held.answer)
    const user = await openFilledIn(LANDING)
    await user.click(button(LANDING.button))
    const statuses = () =>
      on
        .form()
        .getAllByRole('status')
        .map(({ textContent }) => textContent)
    await waitFor(() => expect(statuses()).toContain('Wait! Submitting...'))
    held.release()
    const alert = await screen.findByRole('alert')
    expect(statuses()).not.toContain('Wait! Submitting...')
    expect(alert.textContent).toBe(
      `That did not go through. ${SENTENCE} Nothing is lost: what you typed is still here. Try again, or call ${brand.phone}.`,
    )
    expect(within(alert).getByRole('link', { name: brand.phone }).getAttribute('href')).toMatch(/^tel:/)
    expect(alert.nextElementSibling).toBe(button(LANDING.button))
    takeLeads()
    await user.click(button(LANDING.button))
    await arrives()
    expect(screen.queryByText(FAILED)).toBeNull()
    // Nor is the toast about it on the thank-you page.
    await waitFor(() => expect(document.querySelector('[data-sonner-toast][data-removed="false"]')).toBeNull())
  })
})

describe('the fields of the landing page', () => {
  it('say when they are left what is wrong, also to a screen reader, and no more once it is mended', async () => {
    const user = await openForm(LANDING)
    for (const [label, wrong, right] of [
      ['First Name', '', VISITOR.first_name],
      ['Email', 'jordan@', VISITOR.email],
      ['Zip Code', '7870', VISITOR.zip_code],
    ] as const) {
      await fill(user, label, wrong)
      await user.tab()
      await waitFor(() => expect(problemAt(field(label)), label).not.toBe(''))
      expect(screen.getByText(problemAt(field(label))).getAttribute('aria-live')).toBe('polite')
      await fill(user, label, right)
      await waitFor(() => expect(problemAt(field(label)), label).toBe(''))
    }
  })

  it('have the consent in the middle of the window where it is missing, with the focus and a frame', async () => {
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(() => {})
    const user = await openFilledIn(LANDING)
    await user.click(checkbox())
    await user.click(button(LANDING.button))
    await waitFor(() => expect(focused()).toBe('acceptance_consent'))
    await waitFor(() => expect(scrolled.mock.contexts).toContain(checkbox()))
    expect(scrolled.mock.calls).toContainEqual([{ block: 'center' }])
    expect(checkbox().closest('.border-bad')).not.toBeNull()
    await user.click(checkbox())
    await waitFor(() => expect(checkbox().closest('.border-bad')).toBeNull())
    scrolled.mockRestore()
  })

  it('make five digits of a pasted zip code and a phone number of its digits, and send those', async () => {
    const leads = takeLeads()
    const user = await openFilledIn(LANDING)
    await fill(user, 'Zip Code', ' 90210-1234 ')
    expect(field('Zip Code').value).toBe('90210')
    await fill(user, 'Phone', '512.555.0188')
    expect(field('Phone').value).toBe('512.555.0188')
    await user.tab()
    expect(field('Phone').value).toBe('(512) 555-0188')
    await user.type(field('Phone'), '{Enter}')
    await arrives()
    expect(leads).toMatchObject([{ body: { zip_code: '90210', phone: '(512) 555-0188' } }])
  })

  it('are filled in on the next page, without the consent, until they are sent', async () => {
    const goTo = (path: string) => {
      window.history.pushState(null, '', path)
      fireEvent.popState(window)
    }
    takeLeads()
    const user = await openFilledIn(LANDING)
    goTo('/start')
    await stepIs('Is there a provider near you?')
    expect(field('Zip Code').value).toBe(VISITOR.zip_code)
    await user.click(button('Continue'))
    await stepIs('Tell us about you')
    expect([field('First Name').value, field('Email').value]).toEqual([VISITOR.first_name, VISITOR.email])
    expect(checkbox().checked).toBe(false)
    expect(window.location.search).toBe('?zip_code=78702')
    await user.click(checkbox())
    await user.click(button('Continue'))
    await arrives()
    goTo('/')
    await waitFor(() => expect(field('First Name').value).toBe(''))
  })
})

it('the answer to a zip code comes with the fifth digit, in an element that was there before, and goes when the zip code is changed', async () => {
  const calls = knowZipCodes()
  const user = await openForm(LANDING)
  const status = on.form().getAllByRole('status')[0] as HTMLElement
  await user.type(field('Zip Code'), '7870')
  expect([status.textContent, calls]).toEqual(['', []])
  const near = 'Yes. About 1 mile from you, in Austin, TX.'
  await user.type(field('Zip Code'), '2')
  await waitFor(() => expect(status.textContent).toBe(near))
  await user.type(field('Zip Code'), '{Backspace}')
  expect(status.textContent).toBe('')
  await user.type(field('Zip Code'), '2')
  await waitFor(() => expect(status.textContent).toBe(near))
  expect(calls).toMatchObject([{ params: { zip: '78702' }, query: {} }])
})

it.each([LANDING, QUIZ])('$name promises no call by a clinic to who has none', async (form) => {
  knowZipCodes({ inReach: false, miles: null, clinicPlace: null, noneWithinMiles: 100 })
  const user = await openForm(form)
  if (form.steps === 1) await user.type(field('Zip Code'), VISITOR.zip_code)
  await screen.findByText('No clinic within 100 miles of Austin, TX yet. Leave your details, and we’ll keep looking.')
  await waitFor(() => expect(screen.queryByText(/ask the clinic to call/)).toBeNull())
})

/** Opens a page where its form asks for the person. */
async function openForm({ path, steps, data }: Form): Promise<UserEvent> {
  const user = openPage(steps === 2 ? `${path}?zip_code=${VISITOR.zip_code}` : path, data)
  await waitFor(() => field('First Name'))
  return user
}

async function openFilledIn(form: Form): Promise<UserEvent> {
  const user = await openForm(form)
  await fillIn(user, form)
  return user
}

async function fillIn(user: UserEvent, { steps }: Form): Promise<void> {
  await fillInPerson(user)
  if (steps === 1) await fill(user, 'Zip Code', VISITOR.zip_code)
}
