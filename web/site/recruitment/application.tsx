import { Suspense, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { brand } from '../../../core/brand/brand.ts'
import { promises } from '../../../core/brand/clinic-texts.ts'
import { lazyOnInteraction } from '../../lib/lazy-parts.ts'
import { telUrl } from '../../lib/links.ts'
import { PROVIDER_FORM } from '../../pages.ts'
import { Band, BandHeading } from '../../ui/band.tsx'
import { ApplicationReceived } from './application-received.tsx'

const ApplicationForm = lazyOnInteraction(() => import('./application-form.tsx').then((part) => part.ApplicationForm))

/** The application form, or, once it was sent, what happens next. Without JavaScript the address says that it was. */
export function Application() {
  const [query] = useSearchParams()
  const [isSent, setSent] = useState(false)
  const isReceived = isSent || query.get('applied') === 'true'

  return (
    <Band id={PROVIDER_FORM} headingId="application-heading" tone="mist">
      <div className="grid gap-x-16 gap-y-8 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <Invitation />
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

function Invitation() {
  return (
    <div>
      <BandHeading id="application-heading">Apply to Join the Network</BandHeading>
      <p className="mt-6 max-w-[44ch] text-lg leading-relaxed">
        Tell us who you are and where you practice. Your application is reviewed within{' '}
        <span className="whitespace-nowrap">{promises.reviewTime}</span>.
      </p>
      <p className="mt-6 border-l-4 border-accent pl-4">
        Rather talk first?{' '}
        <a
          href={telUrl(brand.phone)}
          className="font-semibold whitespace-nowrap text-secondary underline underline-offset-4"
        >
          {brand.phone}
        </a>
      </p>
    </div>
  )
}
