import { useEffect, useRef, useState } from 'react'
import { AD_NETWORKS, type ConversionIds, conversionTags, PARTNERS } from '../../core/contract/ad-measurement.ts'
import { useHydrated } from '../lib/use-hydrated.ts'
import { Button } from '../ui/button.tsx'
import { type AdChoice, adConsentKey, isAdConsentOpen, saveAdChoice, useAdQuestion } from './ad-consent.ts'

/**
 * Asks for consent to the advertising measurement of the page's clinic. Shown only until the visitor has answered;
 * prerendered pages never contain it.
 */
export function AdConsent({ provider }: { provider: ConversionIds | null | undefined }) {
  const isHydrated = useHydrated()
  const [answered, setAnswered] = useState<string | null>(null)
  const question = useAdQuestion()
  const key = adConsentKey(provider, question)
  if (!isHydrated || key === answered || !isAdConsentOpen(provider, question)) return null

  function answer(choice: AdChoice) {
    saveAdChoice(provider, choice, question)
    setAnswered(key)
  }
  const words =
    question === 'booking'
      ? 'would learn that a form was sent from this page and, later, whether an appointment was made, but never what you wrote in the form.'
      : 'would learn that a form was sent from this page, never what you wrote in it.'
  return <Question words={`${partnersOf(provider)} ${words}`} onAnswer={answer} />
}

/**
 * Hides the bar while the visitor types or is in the footer. It stays reachable by keyboard, and its own focus shows it
 * again.
 */
const STEP_ASIDE =
  'in-[body:has(input:not([type=checkbox],[type=range]):focus,footer_:focus-visible)]:opacity-0 in-[body:has(input:not([type=checkbox],[type=range]):focus,footer_:focus-visible)]:*:pointer-events-none'

function Question({ words, onAnswer }: { words: string; onAnswer: (choice: AdChoice) => void }) {
  const bar = useRef<HTMLElement>(null)

  // A focused element must not be covered by the bar.
  useEffect(() => {
    const { style } = document.documentElement
    style.scrollPaddingBottom = `${(bar.current?.offsetHeight ?? 0) + 32}px`
    return () => {
      style.scrollPaddingBottom = ''
    }
  }, [])

  return (
    <div className={`pointer-events-none fixed inset-x-0 bottom-0 z-20 p-4 transition-opacity ${STEP_ASIDE}`}>
      <aside
        ref={bar}
        aria-label="Ad measurement"
        className="pointer-events-auto animate-appear rounded-2xl border border-line bg-white p-4 text-sm shadow-lg sm:max-w-96"
      >
        <p className="font-semibold text-ink">May this clinic measure that its ads led you here?</p>
        <p className="mt-1 text-quiet">{words}</p>
        <div className="mt-3 grid grid-cols-2 gap-2">
          <Button variant="outline" size="small" onClick={() => onAnswer('allowed')}>
            Allow
          </Button>
          <Button variant="outline" size="small" onClick={() => onAnswer('refused')}>
            No, thanks
          </Button>
        </div>
      </aside>
    </div>
  )
}

/** Returns the names of the advertising partners as words. */
function partnersOf(provider: ConversionIds | null | undefined): string {
  const tags = conversionTags(provider)
  return AD_NETWORKS.filter((network) => tags[network] !== null)
    .map((network) => PARTNERS[network])
    .join(' and ')
}
