import { type ComponentProps, createContext, type ReactNode, useContext } from 'react'
import { COUNTDOWN_START } from '../../lib/countdown.ts'
import { usePageData } from '../../lib/page-data.ts'
import { PROVIDER_FORM } from '../../pages.ts'
import { AnchorLink } from '../../ui/anchor-link.tsx'
import { anchors } from './anchors.ts'
import { useSecondsLeft } from './use-seconds-left.ts'

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
