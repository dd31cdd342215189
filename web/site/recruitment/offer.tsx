import { type ComponentProps, createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { brand } from '../../../core/brand/brand.ts'
import { promises } from '../../../core/brand/clinic-texts.ts'
import { COUNTDOWN_START, countDown, countdownParts, endOfCountdown } from '../../lib/countdown.ts'
import { usePageData } from '../../lib/page-data.ts'
import { useHydrated } from '../../lib/use-hydrated.ts'
import { clinicsAnchors as anchors, PROVIDER_FORM } from '../../pages.ts'
import { AnchorLink, Band, BandHeading } from '../../ui/band.tsx'
import { buttonClass } from '../../ui/button.tsx'

// Two contexts, so that each second re-renders the countdown only, not every link.
const SecondsLeft = createContext(COUNTDOWN_START)
const IsOpen = createContext(true)

/**
 * Provides the time left of the special offer to the page for clinics: until its deadline, or of a countdown that starts with the
 * page. The server's HTML contains the start of the countdown.
 */
export function OfferClock({ children }: { children: ReactNode }) {
  const { offerDeadline, offerIsOver = false } = usePageData()
  const isHydrated = useHydrated()
  // A countdown in the page's HTML started when the page loaded; any other starts now.
  const [cameWithPage] = useState(!isHydrated)
  const [left, setLeft] = useState(COUNTDOWN_START)
  useEffect(
    () => countDown(endOfCountdown(offerDeadline, cameWithPage ? undefined : Date.now()), setLeft),
    [offerDeadline, cameWithPage],
  )
  return (
    <IsOpen value={!offerIsOver && (offerDeadline === undefined || left > 0)}>
      <SecondsLeft value={left}>{children}</SecondsLeft>
    </IsOpen>
  )
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
        aria-live="off"
        aria-label="Time left"
        className="grid grid-cols-4 gap-px overflow-hidden rounded-2xl bg-lilac/25 text-center ring-1 ring-lilac/25"
      >
        {countdownParts(pausedAt ?? left).map(({ unit, value }) => (
          <p key={unit} className="bg-night px-1 py-6 sm:py-8">
            {/* It has ticked by itself before React takes it over (web/lib/countdown.ts). */}
            <span
              data-countdown
              suppressHydrationWarning
              className="block font-display text-4xl leading-none tabular-nums sm:text-6xl"
            >
              {value}
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
