import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CONSENT } from '../../core/contract/consent.ts'
import { MINUTE, SECOND } from '../../core/contract/time.ts'
import { PageDataContext } from '../../web/lib/page-data.ts'
import { Hero } from '../../web/site/pages/clinics-page.tsx'
import { OfferClock, SpecialOffer } from '../../web/site/recruitment/offer.tsx'
import { answer, heldAnswer } from './api.ts'
import { button, checkbox, clickTwice, field, fill, focused, form, problemAt } from './form-actions.ts'
import { MAIN_SITE, openPage } from './page.tsx'

describe('the application', () => {
  const CALL = 'POST /api/provider-applications'
  const SEND = 'Submit Your Application'
  const TYPED = {
    Name: 'Dr. Ines Calloway',
    'Practice Name': 'Calloway Clinic',
    Email: 'ines@clinics.example',
    Phone: '(512) 555-0100',
    'Zip Code': '78701',
    'Website (optional)': 'calloway.example',
    'Message (optional)': 'Call us in the morning.',
  }
  const SENT = {
    ...{ name: 'Dr. Ines Calloway', practice_name: 'Calloway Clinic', email: 'ines@clinics.example' },
    ...{ phone: '(512) 555-0100', zip_code: '78701', website: 'https://calloway.example' },
    ...{ message: 'Call us in the morning.', acceptance_consent: true },
    acceptance_message: CONSENT.application.wording,
  }

  describe('the application of a clinic', () => {
    it('is sent once, however often the button is pressed, and is confirmed where the form was', async () => {
      const held = heldAnswer(Response.json({ id: 3 }, { status: 201 }))
      const sent = answer(CALL, held.answer)
      await openFilledIn()
      await clickTwice(button(SEND))
      await waitFor(() => expect(button('Wait! Submitting...').disabled).toBe(true))
      screen.getByText(/^Tell us who you are/)
      held.release()
      await isReceived()
      expect(screen.queryByText(/Tell us who you are/)).toBeNull()
      expect(sent).toMatchObject([{ body: SENT }])
    })

    it('says at each field what is wrong', async () => {
      const user = await openForm()
      const filled = { Name: '', 'Practice Name': ' ', Email: 'ines', Phone: '', 'Website (optional)': 'no address' }
      for (const [label, typed] of Object.entries(filled)) {
        await fill(user, label, typed)
      }
      await user.click(button(SEND))
      await waitFor(() => expect(problemAt(field('Zip Code'))).not.toBe(''))
      expect(problemAt(checkbox())).not.toBe('')
      expect(focused()).toBe('name')
      expect(document.querySelectorAll('main form [aria-invalid="true"]')).toHaveLength(7)
    })
  })

  async function openForm(): Promise<UserEvent> {
    const user = openPage('/clinics')
    await waitFor(() => form())
    return user
  }

  async function openFilledIn(typed = TYPED): Promise<UserEvent> {
    const user = await openForm()
    for (const [label, text] of Object.entries(typed)) await fill(user, label, text)
    await user.click(checkbox())
    return user
  }

  /** Waits for what is in place of the form, which the keyboard has moved to. */
  async function isReceived(): Promise<void> {
    await waitFor(() => expect(screen.queryByRole('form', { name: 'Provider application' })).toBeNull())
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Application received'))
  }
})

describe('the special offer', () => {
  const NOON = Date.parse('2027-01-10T12:00:00-06:00')
  const DEADLINE = '2027-01-13T15:04:05-06:00'
  beforeEach(() => {
    vi.useFakeTimers({ now: NOON })
  })
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
  })

  /** The parts of the page for clinics that know of the offer. They load nothing: the clock is the only thing to wait for. */
  const openOffer = (offer: { offerDeadline?: string } = {}) =>
    render(
      <PageDataContext value={{ ...MAIN_SITE, ...offer }}>
        <OfferClock>
          <Hero />
          <SpecialOffer />
        </OfferClock>
      </PageDataContext>,
    )
  const pass = (time: number) => act(() => void vi.advanceTimersByTime(time))
  /** Days, hours, minutes and seconds. */
  const left = () =>
    [...screen.getByRole('timer').querySelectorAll('.tabular-nums')].map(({ textContent }) => textContent).join(':')
  const whereOfferLeads = () => screen.getByRole('link', { name: 'Become a Provider' }).getAttribute('href')

  it('counts down each second, and can be kept from moving; the time goes on, and is right afterwards', () => {
    openOffer()
    expect(left()).toBe('14:23:59:52')
    pass(SECOND)
    expect(left()).toBe('14:23:59:51')
    act(() => screen.getByRole('button', { name: 'Pause countdown' }).click())
    pass(MINUTE)
    expect(left()).toBe('14:23:59:51')
    act(() => screen.getByRole('button', { name: 'Resume countdown' }).click())
    expect(left()).toBe('14:23:58:51')
  })

  it('with a deadline tells the time that is really left, goes when it is over, and what led to it leads to the form', () => {
    openOffer({ offerDeadline: DEADLINE })
    expect(left()).toBe('03:03:04:05')
    cleanup()
    vi.setSystemTime(Date.parse(DEADLINE) - 2 * SECOND)
    openOffer({ offerDeadline: DEADLINE })
    pass(SECOND)
    expect([left(), whereOfferLeads()]).toEqual(['00:00:00:01', '#special-offer'])
    pass(SECOND)
    expect(screen.queryByRole('timer')).toBeNull()
    expect(whereOfferLeads()).toBe('#provider-form')
  })
})
