import { type ComponentProps, createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { brand } from '../../../core/brand/brand.ts'
import { promises } from '../../../core/brand/clinic-texts.ts'
import { SECOND } from '../../../core/contract/time.ts'
import { usePageData } from '../../lib/page-data.ts'
import { clinicsAnchors as anchors, PROVIDER_FORM } from '../../pages.ts'
import { AnchorLink, Band, BandHeading } from '../../ui/band.tsx'
import { buttonClass } from '../../ui/button.tsx'

/** The length of the countdown without a deadline, in seconds: 14 days, 23 hours, 59 minutes, 52 seconds. */
const COUNTDOWN_START = ((14 * 24 + 23) * 60 + 59) * 60 + 52

// Two contexts, so that each second re-renders the countdown only, not every link.
const SecondsLeft = createContext(COUNTDOWN_START)
const IsOpen = createContext(true)

/** Provides the time left of the special offer to the page for clinics: until its deadline, or of a countdown that starts with the page. */
export function OfferClock({ children }: { children: ReactNode }) {
  const { offerDeadline, offerIsOver = false } = usePageData()
  const [left, setLeft] = useState(COUNTDOWN_START)
  useEffect(
    () => countDown(offerDeadline ? Date.parse(offerDeadline) : Date.now() + COUNTDOWN_START * SECOND, setLeft),
    [offerDeadline],
  )
  return (
    <IsOpen value={!offerIsOver && (offerDeadline === undefined || left > 0)}>
      <SecondsLeft value={left}>{children}</SecondsLeft>
    </IsOpen>
  )
}

/** Tells the whole seconds until `end`, by the clock, so that they are right after a sleep. Returns what stops it. */
function countDown(end: number, onSecond: (left: number) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined

  function tick() {
    clearTimeout(timer)
    const remaining = Math.max(0, end - Date.now())
    const seconds = Math.ceil(remaining / SECOND)
    onSecond(seconds)
    // At the turn of the second, however late this call is.
    if (seconds > 0) timer = setTimeout(tick, remaining - (seconds - 1) * SECOND)
  }

  tick()
  document.addEventListener('visibilitychange', tick)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', tick)
  }
}

export function OfferLink(link: Omit<ComponentProps<typeof AnchorLink>, 'anchor'>) {
  return <AnchorLink {...link} anchor={useContext(IsOpen) ? anchors.offer : PROVIDER_FORM} />
}

/** Shows the special offer until its deadline, if it has one. */
export function SpecialOffer() {
  if (!useContext(IsOpen)) return null
  return (
    <Band id={anchors.offer} headingId="offer-heading" tone="night">
      <div className="grid items-center gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,1fr)_30rem]">
        <div>
          <BandHeading id="offer-heading">A Special Offer for New Providers</BandHeading>
          <p className="mt-5 max-w-[50ch] text-lg leading-relaxed text-lilac">
            Apply now and ask for the introductory terms. {brand.company} goes through them with you when your
            application has been reviewed, within <span className="whitespace-nowrap">{promises.reviewTime}</span>.
          </p>
          <AnchorLink anchor={PROVIDER_FORM} className={`${buttonClass({ variant: 'light', size: 'large' })} mt-8`}>
            Apply Now
          </AnchorLink>
        </div>
        <Countdown />
      </div>
    </Band>
  )
}

/** Shows the time left, with a button that pauses the display. A screen reader reads it on request, not every second. */
function Countdown() {
  const left = useContext(SecondsLeft)
  const [pausedAt, setPausedAt] = useState<number>()
  const isPaused = pausedAt !== undefined
  return (
    <div>
      <div
        role="timer"
        data-live
        aria-live="off"
        aria-label="Time left"
        className="grid grid-cols-4 gap-px overflow-hidden rounded-2xl bg-lilac/25 text-center ring-1 ring-lilac/25"
      >
        {partsOf(pausedAt ?? left).map(([unit, value]) => (
          <p key={unit} className="bg-night px-1 py-6 sm:py-8">
            <span className="block font-display text-4xl leading-none tabular-nums sm:text-6xl">
              {String(value).padStart(2, '0')}
            </span>
            <span className="mt-2 block text-xs text-lilac sm:text-sm">{unit}</span>
          </p>
        ))}
      </div>
      <p className="mt-3 text-right noscript:hidden">
        <button
          type="button"
          onClick={() => setPausedAt(isPaused ? undefined : left)}
          className="min-h-6 rounded text-sm text-lilac underline underline-offset-4 hover:text-white"
        >
          {isPaused ? 'Resume countdown' : 'Pause countdown'}
        </button>
      </p>
    </div>
  )
}

const partsOf = (seconds: number) =>
  [
    ['Days', Math.floor(seconds / 86_400)],
    ['Hours', Math.floor(seconds / 3600) % 24],
    ['Minutes', Math.floor(seconds / 60) % 60],
    ['Seconds', seconds % 60],
  ] as const
