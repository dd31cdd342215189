import { type FormEvent, type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { brand } from '../../../core/brand/brand.ts'
import { clinicTexts, promises } from '../../../core/brand/clinic-texts.ts'
import { APPLICATIONS_PATH, CARRY_FIELD } from '../../../core/contract/page.ts'
import { scrollToAnchor } from '../../lib/in-page-links.ts'
import { lazyPart } from '../../lib/lazy-parts.ts'
import { usePlainForm } from '../../lib/use-hydrated.ts'
import { clinicsAnchors as anchors, PROVIDER_FORM } from '../../pages.ts'
import { PhoneLink } from '../../shared/contact-links.tsx'
import { ZipCodeField } from '../../shared/forms/fields.tsx'
import { PageMeta } from '../../shared/page-meta.tsx'
import { AnchorLink, Band, BandHeading } from '../../ui/band.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Drawing, Icon } from '../../ui/drawing.tsx'
import { useSeen } from '../../ui/in-view.ts'
import { TextField } from '../../ui/text-field.tsx'
import { OfferClock, OfferLink, SpecialOffer } from '../recruitment/offer.tsx'
import {
  Faq,
  GetStarted,
  KeyPoints,
  ProviderNetwork,
  Research,
  Testimonial,
  VideoExplainer,
  WhyOffer,
} from '../recruitment/sections.tsx'

const RecruitmentMap = lazyPart(() => import('../map/recruitment-map.tsx').then((part) => part.RecruitmentMap))

export function ClinicsPage() {
  return (
    <>
      <PageMeta />
      <WithApplyBar>
        <OfferClock>
          <Hero />
          <ShortForm />
          <VideoExplainer />
          <KeyPoints />
          <Testimonial />
          <Research />
          <ProviderNetwork map={<MapWhenNear />} />
          <WhyOffer />
          <GetStarted />
          <SpecialOffer />
          <Faq />
        </OfferClock>
      </WithApplyBar>
      {/* Not within the clock: where something ticks before a form is hydrated, React throws the server's form away. */}
      <Application />
    </>
  )
}

/** Shows the map once it is near the window, because the map and its tiles are most of the page's download. */
function MapWhenNear() {
  const place = useRef<HTMLDivElement>(null)
  const isNear = useSeen(place, '50%')
  const loading = (
    <p className="grid min-h-183 place-content-center rounded-2xl border border-line bg-mist text-quiet sm:min-h-155">
      Loading provider map...
    </p>
  )
  return (
    <div ref={place}>
      {isNear ? (
        <Suspense fallback={loading}>
          <RecruitmentMap />
        </Suspense>
      ) : (
        loading
      )}
    </div>
  )
}

/**
 * Shows the sections before the form. On a phone, "Apply Now" stays at the bottom of the window while they are in view, and so
 * goes once the form comes. It leaves the room to a field that is typed into, and covers nothing that the keyboard is at.
 */
function WithApplyBar({ children }: { children: ReactNode }) {
  return (
    <div className="group/apply">
      {children}
      <p className="sticky bottom-0 z-10 -mt-16 border-t border-line bg-white px-4 py-3 group-has-[:focus-visible:not([data-apply])]/apply:invisible sm:px-6 md:hidden print:hidden">
        <AnchorLink data-apply="" anchor={PROVIDER_FORM} className={`${buttonClass({ size: 'large' })} w-full`}>
          Apply Now
        </AnchorLink>
      </p>
    </div>
  )
}

const { revenuePerPatient, newPatientsPerMonth, reviewTime } = promises

const FIGURES = [
  { figure: revenuePerPatient, meaning: 'revenue per patient' },
  { figure: newPatientsPerMonth, meaning: 'new patients per month from referrals' },
  { figure: reviewTime, meaning: 'until your application is reviewed' },
]

export function Hero() {
  return (
    <div className="relative isolate overflow-clip bg-mist">
      <div className="mx-auto grid max-w-6xl grid-cols-[minmax(0,1fr)] lg:grid-cols-[minmax(0,1fr)_27rem]">
        <div className="px-4 py-14 sm:px-6 lg:py-24 lg:pr-16">
          <h1 className="max-w-[14ch] font-display text-[2.25rem] leading-[1.05] min-[360px]:text-[2.625rem] font-medium tracking-tight text-ink sm:text-6xl lg:text-[4.25rem]">
            Bring the {brand.product} to your practice.
          </h1>
          <p className="mt-6 max-w-[46ch] text-lg leading-relaxed">{clinicTexts.hero}</p>
          <p className="mt-9 flex flex-wrap gap-3">
            <OfferLink className={buttonClass({ size: 'large' })}>Become a Provider</OfferLink>
            <AnchorLink anchor={anchors.network} className={buttonClass({ variant: 'outline', size: 'large' })}>
              View Provider Map
            </AnchorLink>
          </p>
        </div>
        <Figures />
      </div>
    </div>
  )
}

function Figures() {
  return (
    <div className="on-dark relative isolate flex flex-col justify-center px-4 py-12 text-white sm:px-6 lg:py-20 lg:pr-6 lg:pl-12">
      <div className="absolute inset-y-0 left-0 -z-10 w-screen overflow-hidden bg-night">
        <Drawing of="dial" className="absolute top-1/2 left-96 size-[46rem] -translate-y-1/2 text-lilac opacity-30" />
      </div>
      <dl className="relative pl-12">
        <span aria-hidden="true" className="scale-y absolute inset-y-0 left-0 w-5 text-lilac/50" />
        {FIGURES.map(({ figure, meaning }) => (
          <div key={meaning} className="relative flex flex-col py-6">
            <dt className="order-2 mt-1.5 text-lilac">{meaning}</dt>
            <dd className="font-display text-5xl leading-none max-[359px]:text-[2.75rem]">{figure}</dd>
            <span aria-hidden="true" className="absolute top-12 -left-12 h-1 w-9 rounded-full bg-accent" />
          </div>
        ))}
      </dl>
      <p className="mt-6 text-sm text-lilac">Results vary by practice and region and are not guaranteed.</p>
    </div>
  )
}

/**
 * Shows the first three fields of the application right after the hero, and carries them to the whole form. Until its script has
 * come the browser posts them, which keeps them out of the address, and gets the page with the whole form filled in.
 */
function ShortForm() {
  const headingId = useId()
  const { pathname, search } = useLocation()

  function carry(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    scrollToAnchor(PROVIDER_FORM)
    const whole = document.querySelector<HTMLFormElement>(`#${PROVIDER_FORM} form`)
    const fields = [...(whole?.querySelectorAll<HTMLInputElement>('input:not([type=hidden], [tabindex="-1"])') ?? [])]
    for (const field of fields) {
      const value = String(typed.get(field.name) ?? '').trim()
      if (!value) continue
      field.value = value
      // The form takes a field as it is when it is left. Before it has its script, it takes all when it is sent.
      field.dispatchEvent(new FocusEvent('focusout', { bubbles: true }))
    }
    const next = fields.find(({ value }) => value === '') ?? fields[0]
    next?.focus()
  }

  return (
    <div className="border-b border-line bg-white">
      <form
        {...usePlainForm()}
        method="post"
        action={APPLICATIONS_PATH}
        onSubmit={carry}
        aria-labelledby={headingId}
        className="mx-auto max-w-6xl px-4 py-10 sm:px-6"
      >
        <h2 id={headingId} className="font-display text-2xl leading-tight text-ink">
          Begin your application
        </h2>
        <p className="mt-1.5 mb-5">
          Three fields now, the rest in the form below. Nothing is sent until you submit it.
        </p>
        <input type="hidden" name={CARRY_FIELD} />
        <input type="hidden" name="page" value={pathname + search} />
        <div className="grid items-start gap-x-4 md:grid-cols-[1fr_1fr_9rem_auto]">
          <TextField label="Your Name" name="name" autoComplete="name" />
          <TextField label="Your Email" name="email" type="email" autoComplete="email" />
          <ZipCodeField label="Practice Zip Code" name="zip_code" />
          <Button type="submit" className="w-full md:mt-6">
            Continue
          </Button>
        </div>
      </form>
    </div>
  )
}

const ApplicationForm = lazyPart(() =>
  import('../recruitment/application-form.tsx').then((part) => part.ApplicationForm),
)

/** Without JavaScript the address says that the form was sent. */
function Application() {
  const [query] = useSearchParams()
  const [isSent, setSent] = useState(false)
  const isReceived = isSent || query.get('applied') === 'true'

  return (
    <Band id={PROVIDER_FORM} headingId="application-heading" tone="mist">
      <div className="grid gap-x-16 gap-y-8 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <div>
          <BandHeading id="application-heading">Apply to Join the Network</BandHeading>
          <p className="mt-6 max-w-[44ch] text-lg leading-relaxed">
            {!isReceived && 'Tell us who you are and where you practice. '}Your application is reviewed within{' '}
            <span className="whitespace-nowrap">{promises.reviewTime}</span>.
          </p>
          <p className="mt-6 border-l-4 border-accent pl-4">
            Prefer to talk first?{' '}
            <PhoneLink
              phone={brand.phone}
              className="font-semibold whitespace-nowrap text-secondary underline underline-offset-4"
            >
              {brand.phone}
            </PhoneLink>
          </p>
        </div>
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

const NEXT = [
  `Your application is reviewed within ${promises.reviewTime}.`,
  'We contact you about training: a one-day virtual session plus a hands-on workshop.',
  'Once you are certified, your practice appears on the provider map.',
]

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
        <Icon d="M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm-4 10.5 3 3 5.5-6.5" className="mt-0.5 size-7" />
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
