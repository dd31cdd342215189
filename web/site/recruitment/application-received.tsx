import { useEffect, useRef } from 'react'
import { promises } from '../../../core/brand/clinic-texts.ts'

const NEXT = [
  `Your application is reviewed within ${promises.reviewTime}.`,
  'We contact you about training: a one-day virtual session plus a hands-on workshop.',
  'Once you are certified, your practice appears on the provider map.',
]

/** In place of the form. The keyboard moves here if the form was here a moment ago. */
export function ApplicationReceived({ takesFocus }: { takesFocus: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null)

  useEffect(() => {
    if (takesFocus) heading.current?.focus()
  }, [takesFocus])

  return (
    <div className="grid min-h-80 content-center">
      <h3
        ref={heading}
        tabIndex={-1}
        className="flex items-start gap-3 rounded-xl bg-good-soft px-5 py-4 font-display text-2xl leading-tight text-good"
      >
        <svg viewBox="0 0 24 24" className="mt-0.5 size-7 shrink-0" fill="none" aria-hidden="true">
          <circle cx="12" cy="12" r="10" stroke="currentColor" strokeWidth="2" />
          <path d="m8 12.5 3 3 5.5-6.5" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
        </svg>
        Application received
      </h3>
      <p className="mt-6 font-semibold text-ink">What happens next</p>
      <ol className="mt-2 grid list-decimal gap-2 pl-5 marker:font-semibold marker:text-secondary">
        {NEXT.map((step) => (
          <li key={step} className="pl-1">
            {step}
          </li>
        ))}
      </ol>
    </div>
  )
}
