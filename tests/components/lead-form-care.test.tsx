import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { brand } from '../../core/brand/brand.ts'
import { answer, heldAnswer, refusal } from './api.ts'
import {
  arrives,
  button,
  checkbox,
  field,
  fill,
  fillInPerson,
  focused,
  form,
  knowZipCodes,
  stepIs,
  takeLeads,
  VISITOR,
} from './form-actions.ts'
import { findToast, openPage } from './page.tsx'
import { micrositeProvider } from './samples.ts'

const SENTENCE = 'We cannot save anything right now.'
const FAILED = /^That did not go through\./

beforeEach(() => void knowZipCodes())

describe('a lead that did not go through', () => {
  it('stands in words above the button until the next try, with a number to call', async () => {
    answer('POST /api/leads', () => refusal(503, { error: SENTENCE, code: 'unavailable' }))
    const user = await openFilledIn()
    await user.click(button('Get Started Now!'))
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toBe(
      `That did not go through. ${SENTENCE} Nothing is lost: what you typed is still here. Try again, or call ${brand.phone}.`,
    )
    expect(within(alert).getByRole('link', { name: brand.phone }).getAttribute('href')).toMatch(/^tel:/)
    expect(alert.nextElementSibling).toBe(button('Get Started Now!'))

    takeLeads()
    await user.click(button('Get Started Now!'))
    await arrives()
    expect(screen.queryByText(FAILED)).toBeNull()
  })

  it('is told to a screen reader as waiting until then, and the fault of a field as soon as it is left', async () => {
    const held = heldAnswer(refusal(503, { error: SENTENCE }))
    answer('POST /api/leads', held.answer)
    const user = await openFilledIn()
    await fill(user, 'Email', 'jordan')
    await user.tab()
    expect((await screen.findByText('Invalid email format')).getAttribute('aria-live')).toBe('polite')
    await fill(user, 'Email', VISITOR.email)
    await user.click(button('Get Started Now!'))
    await waitFor(() => expect(statuses()).toContain('Wait! Submitting...'))
    held.release()
    await screen.findByText(FAILED)
    expect(statuses()).not.toContain('Wait! Submitting...')
  })

  it('leads to the clinic itself on its own site', async () => {
    answer('POST /api/leads', () => refusal(503, { error: SENTENCE, code: 'unavailable' }))
    const user = openPage('/', { hostProvider: micrositeProvider(7, { phone: '5125550117' }) })
    await fillInPerson(user)
    await fill(user, 'Zip Code', VISITOR.zip_code)
    await user.click(button('Learn More!'))
    const alert = within(await screen.findByRole('alert'))
    expect(alert.getByRole('link', { name: '(512) 555-0117' }).getAttribute('href')).toBe('tel:+15125550117')
  })

  it('is said once to a screen reader: by the alert, and by the toast only where fields are wrong', async () => {
    answer('POST /api/leads', () => refusal(503, { error: SENTENCE, code: 'unavailable' }))
    const user = await openFilledIn()
    await user.click(button('Get Started Now!'))
    const toast = await findToast('Error', `503: ${SENTENCE}`)
    expect(toast.querySelector('[data-title] [aria-hidden="true"]')?.textContent).toBe('Error')
    expect(toast.querySelector('[data-description] [aria-hidden="true"]')?.textContent).toBe(`503: ${SENTENCE}`)

    answer('POST /api/leads', () =>
      refusal(422, { error: 'A field is wrong.', fields: { email: 'Invalid email format' } }),
    )
    await user.click(button('Get Started Now!'))
    const second = await findToast('Error', '422: A field is wrong.')
    expect(second.querySelector('[data-content] [aria-hidden="true"]')).toBeNull()
    expect(screen.queryByText(FAILED)).toBeNull()
  })
})

describe('a toast about a problem', () => {
  it('leaves when the form is sent again, and is not on the thank-you page', async () => {
    answer('POST /api/leads', () => refusal(503, { error: SENTENCE, code: 'unavailable' }))
    const user = await openFilledIn()
    await user.click(button('Get Started Now!'))
    await findToast('Error', SENTENCE)
    takeLeads()
    await user.click(button('Get Started Now!'))
    await arrives()
    await noToast()
  })

  it('leaves when the zip code is accepted', async () => {
    const user = openPage('/start')
    await stepIs('Is there a provider near you?')
    await fill(user, 'Zip Code', '787')
    await user.click(button('Continue'))
    await findToast('Invalid Zip Code')
    await fill(user, 'Zip Code', '78702')
    await user.click(button('Continue'))
    await stepIs('Tell us about you')
    await noToast()
  })

  it('leaves with the page', async () => {
    const user = openPage('/start')
    await stepIs('Is there a provider near you?')
    await user.click(button('Continue'))
    await findToast('Invalid Zip Code')
    fireEvent.click(within(screen.getByRole('banner')).getByRole('link', { name: `${brand.company} home` }))
    await waitFor(() => button('Get Started Now!'))
    await noToast()
  })
})

describe('a missing consent', () => {
  it('has the focus, in the middle of the window, and a frame', async () => {
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(() => {})
    const user = await openFilledIn()
    await user.click(checkbox())
    await user.click(button('Get Started Now!'))
    await waitFor(() => expect(focused()).toBe('acceptance_consent'))
    await waitFor(() => expect(scrolled.mock.contexts).toContain(checkbox()))
    expect(scrolled.mock.calls).toContainEqual([{ block: 'center' }])
    expect(checkbox().closest('.border-bad')).not.toBeNull()
    await user.click(checkbox())
    await waitFor(() => expect(checkbox().closest('.border-bad')).toBeNull())
    scrolled.mockRestore()
  })
})

describe('a phone number', () => {
  it('is formatted when its field is left, stays so when it is entered again, and is sent formatted', async () => {
    const leads = takeLeads()
    const user = await openFilledIn()
    await fill(user, 'Phone', '512.555.0188')
    expect(field('Phone').value).toBe('512.555.0188')
    await user.tab()
    expect(field('Phone').value).toBe('(512) 555-0188')
    await user.click(field('Phone'))
    expect(field('Phone').value).toBe('(512) 555-0188')
    await user.type(field('Phone'), '{Enter}')
    await arrives()
    expect(leads).toMatchObject([{ body: { phone: '(512) 555-0188' } }])
  })

  it('that is none of the USA stays as it was typed', async () => {
    const leads = takeLeads()
    const user = await openFilledIn()
    for (const phone of ['+44 20 7946 0958', 'ask at the desk', '512 555 0188 x12']) {
      await fill(user, 'Phone', phone)
      await user.tab()
      expect(field('Phone').value).toBe(phone)
    }
    await user.click(button('Get Started Now!'))
    await arrives()
    expect(leads).toMatchObject([{ body: { phone: '512 555 0188 x12' } }])
  })
})

describe('what was typed', () => {
  it('is in the form of the next page, without the consent', async () => {
    const user = await openFilledIn()
    await fill(user, 'Phone', '5125550188')
    await goTo(user, 'FAQs')
    window.history.pushState(null, '', '/start')
    fireEvent.popState(window)
    await stepIs('Is there a provider near you?')
    expect(field('Zip Code').value).toBe(VISITOR.zip_code)
    await user.click(button('Continue'))
    await stepIs('Tell us about you')
    expect(field('First Name').value).toBe(VISITOR.first_name)
    expect(field('Email').value).toBe(VISITOR.email)
    expect(field('Phone').value).toBe('(512) 555-0188')
    expect(checkbox().checked).toBe(false)
    expect(window.location.search).toBe('?zip_code=78702')
  })

  it('goes from the first step of the quiz to the landing page, in place of an earlier zip code', async () => {
    const user = openPage('/')
    await waitFor(() => field('Zip Code'))
    await fill(user, 'Zip Code', '10001')
    window.history.pushState(null, '', '/start')
    fireEvent.popState(window)
    await stepIs('Is there a provider near you?')
    expect(field('Zip Code').value).toBe('10001')
    await fill(user, 'Zip Code', '78702')
    fireEvent.click(within(screen.getByRole('banner')).getByRole('link', { name: `${brand.company} home` }))
    await waitFor(() => expect(field('Zip Code').value).toBe('78702'))
    await screen.findByText('Austin, TX · certified clinic about 1 mile away')
  })

  it('is forgotten once it was sent', async () => {
    takeLeads()
    const user = await openFilledIn()
    await user.click(button('Get Started Now!'))
    await arrives()
    window.history.pushState(null, '', '/')
    fireEvent.popState(window)
    await waitFor(() => expect(field('First Name').value).toBe(''))
  })
})

describe('below the button', () => {
  it('stands how private it is, and a policy in its dialog', async () => {
    const user = await openFilledIn()
    screen.getByText(
      /^Private: we share it with the clinic, and with the services that run this site for us\. Never sold\./,
    )
    const main = within(screen.getByRole('main'))
    await user.click(main.getByRole('link', { name: 'Privacy Policy' }))
    await screen.findByRole('dialog', { name: 'Privacy Policy' })
    expect(window.location.pathname).toBe('/')
    expect(field('First Name').value).toBe(VISITOR.first_name)
  })

  it('stands how many clinics there are, if the server says so', async () => {
    openPage('/start', { network: { clinics: 1078, states: 31 } })
    await screen.findByText('1,078 certified clinics in 31 states')
  })

  it('stands no number that is not known', async () => {
    openPage('/start')
    await screen.findByText(/^Private: /)
    expect(screen.queryByText(/certified clinics in/)).toBeNull()
  })
})

async function openFilledIn(): Promise<UserEvent> {
  const user = openPage('/')
  await fillInPerson(user)
  await fill(user, 'Zip Code', VISITOR.zip_code)
  return user
}

/** What a screen reader is told without being there. */
function statuses(): (string | null)[] {
  return form()
    .getAllByRole('status')
    .map(({ textContent }) => textContent)
}

/** Goes to a section, and so away from the field. */
async function goTo(user: UserEvent, name: string): Promise<void> {
  await user.click(within(screen.getByRole('banner')).getByRole('link', { name }))
}

/** Waits until no toast is shown. */
function noToast(): Promise<void> {
  return waitFor(() => expect(document.querySelector('[data-sonner-toast][data-removed="false"]')).toBeNull())
}
