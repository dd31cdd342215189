import { type ComponentProps, createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { COUNTDOWN_START, countDown, endOfCountdown } from '../../lib/countdown.ts'
import { usePageData } from '../../lib/page-data.ts'
import { useHydrated } from '../../lib/use-hydrated.ts'
import { PROVIDER_FORM } from '../../pages.ts'
import { AnchorLink } from '../../ui/anchor-link.tsx'
import { anchors } from './anchors.ts'

// Two, so that a second that passes concerns the countdown only and not every link.
const SecondsLeft = createContext(COUNTDOWN_START)
const IsOpen = createContext(true)

/** Around the page for clinics: keeps the time of its special offer. One with a real deadline is over after that. */
export function OfferClock({ children }: { children: ReactNode }) {
  const { offerDeadline, offerIsOver = false } = usePageData()
  const left = useSecondsLeft(offerDeadline)
  return (
    <IsOpen value={!offerIsOver && (offerDeadline === undefined || left > 0)}>
      <SecondsLeft value={left}>{children}</SecondsLeft>
    </IsOpen>
  )
}

export function useOfferSecondsLeft(): number {
  return useContext(SecondsLeft)
}

export function useIsOfferOpen(): boolean {
  return useContext(IsOpen)
}

/** Leads to the special offer, or, once that is over, to the form. */
export function OfferLink(link: Omit<ComponentProps<typeof AnchorLink>, 'anchor'>) {
  return <AnchorLink {...link} anchor={useIsOfferOpen() ? anchors.offer : PROVIDER_FORM} />
}

/**
 * How many seconds are left until a moment, else of a countdown that starts with the page. The server's HTML has the start
 * of the countdown.
 * @param deadline ISO 8601
 * @returns whole seconds, down to 0
 */
function useSecondsLeft(deadline?: string): number {
  const isHydrated = useHydrated()
  // A countdown that came with the page's HTML has ticked since; any other starts now.
  const [cameWithPage] = useState(!isHydrated)
  const [left, setLeft] = useState(COUNTDOWN_START)

  useEffect(
    () => countDown(cameWithPage ? endOfCountdown(deadline) : endOfCountdown(deadline, Date.now()), setLeft),
    [deadline, cameWithPage],
  )

  return left
}
