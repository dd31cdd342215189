import { Suspense, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { brand } from '../../../core/brand/brand.ts'
import { promises } from '../../../core/brand/clinic-texts.ts'
import { lazyPart } from '../../lib/lazy-parts.ts'
import { PROVIDER_FORM } from '../../pages.ts'
import { PhoneLink } from '../../shared/phone-link.tsx'
import { Band, BandHeading } from '../../ui/band.tsx'

const ApplicationForm = lazyPart(() => import('./application-form.tsx').then((part) => part.ApplicationForm))

/**
 * Shows the application form, or the next steps once it is sent. Without JavaScript the address says that it was sent.
 */
export function Application() {
  const [query] = useSearchParams()
  const [isSent, setSent] = useState(false)
  const isReceived = isSent || query.get('applied') === 'true'

  return (
    <Band id={PROVIDER_FORM} headingId="application-heading" tone="mist">
      <div className="grid gap-x-16 gap-y-8 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <Invitation isReceived={isReceived} />
        <div className="rounded-2xl border border-line bg-white px-5 py-6 sm:p-8">
          {isReceived ? (
            <ApplicationReceived takesFocus={isSent} />
          ) : (
            <Suspense>
              <ApplicationForm onSent={() => setSent(true)} />
            </Suspense>
          )}
        </div>
      </div>
    </Band>
  )
}

function Invitation({ isReceived }: { isReceived: boolean }) {
  return (
    <div>
      <BandHeading id="application-heading">Apply to Join the Network</BandHeading>
      <p className="mt-6 max-w-[44ch] text-lg leading-relaxed">
        {!isReceived && 'Tell us who you are and where you practice. '}Your application is reviewed within{' '}
        <span className="whitespace-nowrap">{promises.reviewTime}</span>.
      </p>
      <p className="mt-6 border-l-4 border-accent pl-4">
        Rather talk first?{' '}
        <PhoneLink
          phone={brand.phone}
          className="font-semibold whitespace-nowrap text-secondary underline underline-offset-4"
        >
          {brand.phone}
        </PhoneLink>
      </p>
    </div>
  )
}

const NEXT = [
  `Your application is reviewed within ${promises.reviewTime}.`,
  'We contact you about training: a one-day virtual session plus a hands-on workshop.',
  'Once you are certified, your practice appears on the provider map.',
]

/** Shows the receipt in place of the form. It takes the focus if it has just replaced the form. */
function ApplicationReceived({ takesFocus }: { takesFocus: boolean }) {
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
