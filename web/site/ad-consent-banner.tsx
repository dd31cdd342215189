import { useEffect, useRef, useState } from 'react'
import { AD_NETWORKS, conversionTags, PARTNERS } from '../../core/contract/ad-measurement.ts'
import type { MicrositeProvider } from '../../core/providers/contract/providers.ts'
import { useHydrated } from '../lib/use-hydrated.ts'
import { Button } from '../ui/button.tsx'
import { type AdChoice, adChoiceOf, adConsentKey, saveAdChoice } from './ad-consent.ts'

type Props = {
  provider: MicrositeProvider
  /** Whether to ask a visitor who has not answered yet. */
  asks: boolean
  isReopened: boolean
  onAnswered: () => void
}

/** Asks until the visitor has answered, and again on request. Prerendered pages never contain it. */
export function AdConsent({ provider, asks, isReopened, onAnswered }: Props) {
  const isHydrated = useHydrated()
  const [answered, setAnswered] = useState<string | null>(null)
  const key = adConsentKey(provider)
  // A server has neither the browser's signals nor its memory.
  const choice = isHydrated ? adChoiceOf(provider) : 'none'
  if (choice === 'none') return null
  const isOpen = asks && key !== answered && choice === 'open'
  if (!isReopened && !isOpen) return null

  function answer(choice: AdChoice) {
    saveAdChoice(provider, choice)
    setAnswered(key)
    onAnswered()
  }
  return (
    <Question
      partners={partnersOf(provider)}
      effect={isReopened ? effectOf(provider, choice) : null}
      onAnswer={answer}
    />
  )
}

/**
 * Hides the bar while the visitor types or is in the footer, and in a low window, as at a zoom of 400%, while the focus is
 * anywhere else. It stays reachable by keyboard, and its own focus shows it again.
 */
const STEP_ASIDE =
  'in-[body:has(input:not([type=checkbox],[type=range]):focus,footer_:focus-visible)]:opacity-0 in-[body:has(input:not([type=checkbox],[type=range]):focus,footer_:focus-visible)]:*:pointer-events-none [@media(height<30rem)]:in-[body:has(:focus-visible:not(aside,aside_*))]:opacity-0 [@media(height<30rem)]:in-[body:has(:focus-visible:not(aside,aside_*))]:*:pointer-events-none'

type QuestionProps = {
  partners: string
  /** What another answer changes, if the visitor has opened the question again. */
  effect: string | null
  onAnswer: (choice: AdChoice) => void
}

function Question({ partners, effect, onAnswer }: QuestionProps) {
  const bar = useRef<HTMLElement>(null)
  const isReopened = effect !== null

  // A focused element must not be covered by the bar.
  useEffect(() => {
    if (!window.matchMedia('(height >= 30rem)').matches) return
    const { style } = document.documentElement
    style.scrollPaddingBottom = `${(bar.current?.offsetHeight ?? 0) + 32}px`
    return () => {
      style.scrollPaddingBottom = ''
    }
  }, [])

  // The bar steps aside for a focus in the footer, where its button is. The focus returns there.
  useEffect(() => {
    if (!isReopened) return
    const opener = document.activeElement
    bar.current?.focus()
    return () => {
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [isReopened])

  return (
    <div className={`pointer-events-none fixed inset-x-0 bottom-0 z-20 p-4 transition-opacity ${STEP_ASIDE}`}>
      <aside
        ref={bar}
        tabIndex={-1}
        aria-label="Ad measurement"
        className="pointer-events-auto animate-appear rounded-2xl border border-line bg-white p-4 text-sm shadow-lg sm:max-w-96"
      >
        <p className="font-semibold text-ink">May this clinic tell {partners} when you send a form here?</p>
        <p className="mt-1 text-quiet">
          {partners} would learn your IP address, your browser and this page, but never what you write in the form.
        </p>
        {effect && <p className="mt-1 text-ink">{effect}</p>}
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

function effectOf(provider: MicrositeProvider, choice: AdChoice | 'open'): string | null {
  if (choice === 'open') return null
  if (choice === 'refused') return 'You said no. If you now say yes, it applies to forms that you send from now on.'
  return `You allowed it. If you now say no, ${partnersOf(provider)} will not learn of further forms. They keep what they have already received.`
}

function partnersOf(provider: MicrositeProvider): string {
  const tags = conversionTags(provider)
  return AD_NETWORKS.filter((network) => tags[network] !== null)
    .map((network) => PARTNERS[network])
    .join(' and ')
}
