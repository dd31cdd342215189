import { type ComponentProps, createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { COUNTDOWN_START, countDown, endOfCountdown } from '../../lib/countdown.ts'
import { usePageData } from '../../lib/page-data.ts'
import { useHydrated } from '../../lib/use-hydrated.ts'
import { PROVIDER_FORM } from '../../pages.ts'
import { AnchorLink } from '../../ui/anchor-link.tsx'
import { anchors } from './anchors.ts'

// Two contexts, so that each second re-renders the countdown only, not every link.
const SecondsLeft = createContext(COUNTDOWN_START)
const IsOpen = createContext(true)

/**
 * Provides the remaining time of the special offer to the page for clinics. An offer with a deadline ends at that time.
 */
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

/** Shows a link to the special offer, or to the form once the offer has ended. */
export function OfferLink(link: Omit<ComponentProps<typeof AnchorLink>, 'anchor'>) {
  return <AnchorLink {...link} anchor={useIsOfferOpen() ? anchors.offer : PROVIDER_FORM} />
}

/**
 * Returns the seconds left until the deadline, or of a countdown that starts with the page. The server's HTML contains
 * the start of the countdown.
 * @param deadline ISO 8601
 * @returns whole seconds, down to 0
 */
function useSecondsLeft(deadline?: string): number {
  const isHydrated = useHydrated()
  // A countdown in the page's HTML started when the page loaded; any other starts now.
  const [cameWithPage] = useState(!isHydrated)
  const [left, setLeft] = useState(COUNTDOWN_START)

  useEffect(
    () => countDown(cameWithPage ? endOfCountdown(deadline) : endOfCountdown(deadline, Date.now()), setLeft),
    [deadline, cameWithPage],
  )

  return left
}
