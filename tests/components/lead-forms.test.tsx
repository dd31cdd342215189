import { waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { CONSENT } from '../../core/contract/consent.ts'
import type { PageData } from '../../core/contract/page.ts'
import { answer, heldAnswer, noAnswer, refusal } from './api.ts'
import {
  arrives,
  button,
  checkbox,
  field,
  fill,
  fillInPerson,
  focused,
  hasKeptPerson,
  knowZipCodes,
  problemAt,
  takeLeads,
  VISITOR,
} from './form-actions.ts'
import { findToast, openPage } from './page.tsx'
import { micrositeProvider } from './samples.ts'

type Form = {
  name: string
  path: string
  button: string
  busy: string
  steps: 1 | 2
  consent: string
  data?: Partial<PageData>
}

const ONE_PAGE = { path: '/', busy: 'Wait! Submitting...', steps: 1, consent: CONSENT.form.wording } as const
const LANDING: Form = { ...ONE_PAGE, name: 'the landing page', button: 'Get Started Now!' }
const CLINIC: Form = {
  ...ONE_PAGE,
  name: 'a clinic’s own site',
  button: 'Learn More!',
  data: { hostProvider: micrositeProvider(1) },
}
const QUIZ: Form = { ...ONE_PAGE, name: 'the quiz', path: '/start', button: 'Continue', steps: 2 }
const FINDER: Form = {
  name: 'the search for a provider',
  path: '/homev2',
  button: 'Find My Provider',
  busy: 'Submitting...',
  steps: 2,
  consent: CONSENT.finder.wording,
}

const CONSENT_MISSING = 'You must agree to receive communications to continue.'
const MISSING = [
  ['First Name', 'First name is required'],
  ['Last Name', 'Last name is required'],
  ['Email', 'Email is required'],
  ['Phone', 'Phone number is required'],
  ['Zip Code', 'Zip code is required'],
] as const

describe.each([LANDING, CLINIC, QUIZ, FINDER])('the form of $name', (form) => {
  it('sends what was typed once, however often it is clicked, and says meanwhile that it is being sent', async () => {
    takeLeads()
    const held = heldAnswer(Response.json({ id: 5, providerId: 1 }, { status: 201 }))
    const leads = answer('POST /api/leads', held.answer)
    const user = await openFilledIn(form)
    await user.dblClick(button(form.button))
    await waitFor(() => expect(button(form.busy).disabled).toBe(true))
    held.release()

    await arrives()
    expect(leads).toMatchObject([{ body: { ...VISITOR, acceptance_message: form.consent } }])
    expect(leads[0]?.query).toEqual(form === CLINIC ? { providerId: 1 } : {})
    expect(window.dataLayer).toEqual([{ event: 'form_submit', value: 1, lead_id: 5 }])
  })

  it('says at each field what is missing, goes to the first, and sends nothing', async () => {
    const leads = takeLeads()
    const user = await openForm(form)
    await user.click(button(form.button))
    const shown = form.steps === 1 ? MISSING : MISSING.slice(0, 4)
    for (const [label, problem] of shown) await waitFor(() => expect(problemAt(field(label)), label).toBe(problem))
    expect(problemAt(checkbox())).toBe(CONSENT_MISSING)
    expect(focused()).toBe('first_name')

    await fill(user, 'First Name', 'Jordan')
    await fill(user, 'Last Name', 'Avery')
    await user.click(button(form.button))
    await waitFor(() => expect(focused()).toBe('email'))
    expect(problemAt(field('First Name'))).toBe('')
    expect(leads).toEqual([])
  })
})

describe.each([LANDING, QUIZ])('a lead of $name', (form) => {
  it('is sent again after the server has found fields wrong: it says which, and goes to the first', async () => {
    const fields = { phone: 'Phone number is required', email: 'Invalid email format' }
    answer('POST /api/leads', () => refusal(422, { error: 'Two fields are wrong.', fields }))
    const user = await openFilledIn(form)
    await user.click(button(form.button))
    await findToast('Error', '422: Two fields are wrong.')
    expect(problemAt(field('Email'))).toBe('Invalid email format')
    expect(problemAt(field('Phone'))).toBe('Phone number is required')
    expect(focused()).toBe('email')
    hasKeptPerson()

    takeLeads()
    await user.click(button(form.button))
    await arrives()
  })

  it('is the same when it is sent again after going back, and another one when it was changed', async () => {
    const leads = takeLeads()
    const user = await openFilledIn(form)
    await user.click(button(form.button))
    await arrives()
    for (const phone of [VISITOR.phone, '(512) 555-0102']) {
      window.history.back()
      await fillIn(user, form)
      await fill(user, 'Phone', phone)
      await user.click(button(form.button))
      await arrives()
    }
    const [first, again, changed] = leads.map(({ headers }) => headers.get('idempotency-key'))
    expect(first).toMatch(/^[\da-f-]{36}$/)
    expect(again).toBe(first)
    expect(changed).not.toBe(first)
  })

  it('tells what a program has put into the field that people do not see', async () => {
    const leads = takeLeads()
    const user = await openFilledIn(form)
    const trap = document.querySelector<HTMLInputElement>('input[name="topic"]')
    if (trap) trap.value = 'cheap watches'
    await user.click(button(form.button))
    await arrives()
    expect(leads[0]?.body).toMatchObject({ topic: 'cheap watches', elapsed_ms: expect.any(Number), touched: false })
  })
})

describe('a lead that cannot be sent', () => {
  const SENTENCE = 'We cannot save anything right now.'
  const away = () => refusal(503, { error: SENTENCE, code: 'unavailable' })
  const limited = () => refusal(429, { error: 'Too many forms came.', code: 'rate_limited' })
  const proxy = () => new Response('<h1>Oh no</h1>', { status: 502, statusText: 'Bad Gateway' })
  const empty = () => new Response('', { status: 201 })

  it.each([
    { why: 'nobody answers', reply: noAnswer, said: 'Failed to submit form. Please try again later.' },
    { why: 'the server says why', reply: away, said: `503: ${SENTENCE}` },
    { why: 'too many came from this address', reply: limited, said: '429: Too many forms came.' },
    { why: 'a proxy answers with a page of its own', reply: proxy, said: '502: Bad Gateway' },
    { why: 'the answer is empty', reply: empty, said: 'No data received from server' },
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
})

describe('the fields of the landing page', () => {
  it('say when they are left what is wrong, and no more once it is mended', async () => {
    const user = await openForm(LANDING)
    for (const [label, problem] of [...MISSING, ['Email', 'Invalid email format']] as const) {
      await fill(user, label, problem === 'Invalid email format' ? 'jordan@' : '')
      await user.tab()
      await waitFor(() => expect(problemAt(field(label)), label).toBe(problem))
      await fill(user, label, label === 'Email' ? VISITOR.email : VISITOR.zip_code)
      await waitFor(() => expect(problemAt(field(label)), label).toBe(''))
    }
    checkbox().focus()
    await user.tab()
    await waitFor(() => expect(problemAt(checkbox())).toBe(CONSENT_MISSING))
    await user.click(checkbox())
    await waitFor(() => expect(problemAt(checkbox())).toBe(''))
  })

  it('make five digits of a pasted zip code, and send those', async () => {
    const leads = takeLeads()
    const user = await openFilledIn(LANDING)
    for (const text of ['90210-1234', ' 90210 ', '902101234']) {
      await user.clear(field('Zip Code'))
      await user.tab()
      await waitFor(() => expect(problemAt(field('Zip Code'))).toBe('Zip code is required'))
      await user.click(field('Zip Code'))
      await user.paste(text)
      expect(field('Zip Code').value, text).toBe('90210')
      await waitFor(() => expect(problemAt(field('Zip Code'))).toBe(''))
    }
    await user.click(button(LANDING.button))
    await arrives()
    expect(leads[0]?.body.zip_code).toBe('90210')
  })

  it('can be sent again by those who go back before the next page is drawn', async () => {
    takeLeads()
    const user = await openFilledIn(LANDING)
    const { history } = window
    const push = history.pushState.bind(history)
    const goBackAtOnce = vi.spyOn(history, 'pushState').mockImplementationOnce((...to) => {
      push(...to)
      history.replaceState(null, '', LANDING.path)
      window.dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
    })
    await user.click(button(LANDING.button))
    await waitFor(() => expect(goBackAtOnce).toHaveBeenCalledOnce())
    await waitFor(() => expect(button(LANDING.button).disabled).toBe(false))
    await user.click(button(LANDING.button))
    await arrives()
  })

  it('are sent once by Enter, pressed twice; without a provider in reach the next page says so', async () => {
    const held = heldAnswer(Response.json({ id: 5 }, { status: 201 }))
    const leads = answer('POST /api/leads', held.answer)
    const user = await openFilledIn(LANDING)
    await user.type(field('Zip Code'), '{Enter}{Enter}')
    held.release()
    await arrives('/success?noProvider=true')
    expect(leads).toHaveLength(1)
  })
})

/** Opens a page where its form asks for the person. */
async function openForm({ path, steps, data }: Form): Promise<UserEvent> {
  knowZipCodes()
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
