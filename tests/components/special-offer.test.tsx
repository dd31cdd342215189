import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '../../core/time.ts'
import { PageDataContext } from '../../web/lib/page-data.ts'
import { Hero } from '../../web/site/pages/clinics-page.tsx'
import { OfferClock, SpecialOffer } from '../../web/site/recruitment/offer.tsx'
import { MAIN_SITE } from './page.tsx'

const NOON = Date.parse('2027-01-10T12:00:00-06:00')
const DEADLINE = '2027-01-13T15:04:05-06:00'

beforeEach(() => {
  vi.useFakeTimers({ now: NOON })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

describe('the special offer without a deadline', () => {
  it('counts down each second, stops at zero, and starts again when the page is opened again', () => {
    openOffer()
    expect(left()).toEqual(['14', '23', '59', '52'])
    pass(SECOND)
    expect(left()).toEqual(['14', '23', '59', '51'])
    pass(2 * SECOND)
    expect(left()).toEqual(['14', '23', '59', '49'])

    sleep(14 * DAY + 23 * HOUR + 59 * MINUTE + 48 * SECOND)
    expect(left()).toEqual(['00', '00', '00', '01'])
    pass(SECOND)
    expect(left()).toEqual(['00', '00', '00', '00'])
    pass(MINUTE)
    sleep(DAY)
    expect(left()).toEqual(['00', '00', '00', '00'])
    expect(whereOfferLeads()).toBe('#special-offer')

    cleanup()
    openOffer()
    expect(left()).toEqual(['14', '23', '59', '52'])
  })

  it('is right again as soon as a browser that was asleep wakes up', () => {
    openOffer()
    sleep(3 * DAY + 2 * HOUR)
    expect(left()).toEqual(['11', '21', '59', '52'])
    pass(SECOND)
    expect(left()).toEqual(['11', '21', '59', '51'])
  })
})

it('can be kept from moving; the time goes on, and is right afterwards', () => {
  openOffer()
  act(() => screen.getByRole('button', { name: 'Pause countdown' }).click())
  pass(MINUTE)
  expect(left()).toEqual(['14', '23', '59', '52'])
  act(() => screen.getByRole('button', { name: 'Resume countdown' }).click())
  expect(left()).toEqual(['14', '23', '58', '52'])
  pass(SECOND)
  expect(left()).toEqual(['14', '23', '58', '51'])
})

describe('the special offer with a deadline', () => {
  it('tells the time that is really left, however often the page is opened', () => {
    openOffer({ offerDeadline: DEADLINE })
    expect(left()).toEqual(['03', '03', '04', '05'])
    cleanup()
    vi.setSystemTime(NOON + HOUR)
    openOffer({ offerDeadline: DEADLINE })
    expect(left()).toEqual(['03', '02', '04', '05'])
  })

  it('goes when it is over, and what led to it leads to the form', () => {
    vi.setSystemTime(Date.parse(DEADLINE) - 2 * SECOND)
    openOffer({ offerDeadline: DEADLINE })
    pass(SECOND)
    expect(left()).toEqual(['00', '00', '00', '01'])
    expect(whereOfferLeads()).toBe('#special-offer')
    pass(SECOND)
    expect(screen.queryByText('A Special Offer for New Providers')).toBeNull()
    expect(whereOfferLeads()).toBe('#provider-form')
  })

  it.each([
    { who: 'the browser’s clock', offer: { offerDeadline: '2027-01-10T11:59:59-06:00' } },
    { who: 'the server', offer: { offerDeadline: DEADLINE, offerIsOver: true } },
  ])('is not there once $who says that it is over', ({ offer }) => {
    openOffer(offer)
    expect(screen.queryByRole('timer')).toBeNull()
    expect(whereOfferLeads()).toBe('#provider-form')
  })
})

/** The parts of the page for clinics that know of the offer. They load nothing: the clock is the only thing to wait for. */
function openOffer(offer: { offerDeadline?: string; offerIsOver?: boolean } = {}): void {
  render(
    <PageDataContext value={{ ...MAIN_SITE, ...offer }}>
      <OfferClock>
        <Hero />
        <SpecialOffer />
      </OfferClock>
    </PageDataContext>,
  )
}

function pass(time: number): void {
  act(() => void vi.advanceTimersByTime(time))
}

/** As when a browser is asleep: the clock goes on, and no timer runs. */
function sleep(time: number): void {
  vi.setSystemTime(Date.now() + time)
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
}

/** Days, hours, minutes and seconds. */
function left(): (string | null)[] {
  return [...screen.getByRole('timer').querySelectorAll('.tabular-nums')].map(({ textContent }) => textContent)
}

function whereOfferLeads(): string | null {
  return screen.getByRole('link', { name: 'Become a Provider' }).getAttribute('href')
}
