import { type ReactNode, Suspense } from 'react'
import { brand } from '../../../core/brand/brand.ts'
import type { MicrositeProvider, PublicProvider } from '../../../core/contract/providers.ts'
import { lazyPart } from '../../lib/lazy-parts.ts'
import { type ClinicOfPage, clinicOf } from '../../lib/provider-of-page.ts'
import { PROVIDER_FORM } from '../../pages.ts'
import { PageMeta } from '../../shared/page-meta.tsx'
import { ProviderDetails } from '../../shared/providers/provider-details.tsx'
import { AnchorLink } from '../../ui/anchor-link.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Tick } from '../../ui/tick.tsx'
import { LeadFormCard } from '../lead-form/lead-form-card.tsx'
import { MicrositeLoading, MicrositeNotFound, MicrositeUnavailable } from '../microsite/microsite-states.tsx'
import { WithProviderOfPage } from '../providers/with-provider-of-page.tsx'

const LandingSections = lazyPart(() => import('./landing-sections.tsx').then((part) => part.LandingSections))

/** Shows the site of the provider that the address or the host names. */
export function MicrositePage() {
  return (
    <WithProviderOfPage
      loading={<MicrositeLoading />}
      none={<MicrositeNotFound />}
      failed={(retry) => <MicrositeUnavailable onRetry={retry} />}
    >
      {(provider) => <Microsite provider={provider} />}
    </WithProviderOfPage>
  )
}

/** Shows a clinic's own site. */
export function Microsite({ provider }: { provider: MicrositeProvider }) {
  const clinic = clinicOf(provider)

  return (
    <>
      <PageMeta
        title={clinic.name}
        description={`${clinic.name} offers the ${brand.product}: no surgery, no fillers. Send your details to find out if you qualify.`}
      />
      <MicrositeHero
        clinic={clinic.name}
        form={
          <LeadFormCard
            providerId={provider.id}
            heading={clinic.isFree ? 'Secure My FREE Consultation Now:' : 'Find Out If You Qualify Now:'}
            text={`Submit the form to connect with ${clinic.name}.`}
          />
        }
      />
      <Suspense>
        <LandingSections clinic={clinic}>
          {provider.accepts_financing && <PaymentPlans clinic={clinic} />}
          <Clinic provider={provider} details={<ProviderDetails provider={provider} />} />
        </LandingSections>
      </Suspense>
    </>
  )
}

const BULLETS = ['Clinically Proven Results', 'No Surgery, No Side Effects', 'Urologist Recommended']

/** Shows the top of a clinic's own site, with the lead form beside it, or below it on a phone. */
function MicrositeHero({ clinic, form }: { clinic: string; form: ReactNode }) {
  return (
    <div className="on-dark bg-primary text-white">
      <div className="mx-auto grid max-w-6xl grid-cols-[minmax(0,1fr)] gap-x-14 gap-y-9 px-4 py-10 sm:px-6 lg:grid-cols-[minmax(0,1fr)_29rem] lg:grid-rows-[auto_minmax(16rem,1fr)] lg:py-16">
        <Pitch clinic={clinic} />
        <div className="mx-auto w-full max-w-xl lg:row-span-2 lg:max-w-none">{form}</div>
        <div className="relative mx-auto aspect-4/3 w-full max-w-xl overflow-hidden rounded-2xl lg:aspect-auto lg:max-w-none">
          <img
            src="/art/microsite-hero.svg"
            alt=""
            width={960}
            height={720}
            fetchPriority="high"
            className="absolute inset-0 size-full object-cover object-[50%_30%]"
          />
        </div>
      </div>
    </div>
  )
}

function Pitch({ clinic }: { clinic: string }) {
  return (
    <div>
      <p className="font-semibold text-lilac">Backed by Science, Loved by Men.</p>
      <h1 className="mt-2 font-display text-[2.875rem] leading-[1.04] font-medium tracking-tight sm:text-6xl lg:text-7xl">
        Get Bigger &amp; Thicker!
      </h1>
      <p className="mt-5 max-w-[30.5rem] text-lg leading-relaxed wrap-anywhere text-lilac">
        The {brand.product}: a six-month, non-surgical program of proven methods, guided by {clinic}.
      </p>
      <ul className="mt-7 grid gap-y-3 text-lg font-semibold">
        {BULLETS.map((bullet) => (
          <li key={bullet} className="flex items-center gap-3">
            <Tick />
            {bullet}
          </li>
        ))}
      </ul>
      <p className="mt-6 text-sm text-lilac">Individual results vary.</p>
    </div>
  )
}

const CARDS = [
  { title: 'Affordable & Flexible', text: 'Plans from $199/month, over the time that suits you.' },
  { title: '0% APR Financing*', text: 'What you pay is what the treatment costs.' },
  { title: 'No Hard Credit Check', text: 'Applying does not affect your credit score.' },
  { title: 'Instant Approval', text: 'You know where you stand before you leave the clinic.' },
]

/** Shows the payment plans, on the sites of clinics that offer them. */
function PaymentPlans({ clinic: { isFree } }: { clinic: ClinicOfPage }) {
  return (
    <section aria-labelledby="payment-heading" className="below-fold">
      <div className="mx-auto max-w-6xl px-4 py-16 sm:px-6 lg:py-24">
        <div className="flex flex-wrap items-end justify-between gap-x-10 gap-y-6">
          <h2
            id="payment-heading"
            className="max-w-[16ch] font-display text-4xl leading-[1.1] font-medium tracking-tight text-ink sm:text-5xl"
          >
            Affordable, Flexible Payment Plans
          </h2>
          <p className="border-l-4 border-accent pl-4">
            Plans from{' '}
            <strong className="block font-display text-4xl leading-tight font-medium text-primary sm:text-5xl">
              $199/month
            </strong>
          </p>
        </div>
        <ul className="mt-10 grid gap-px overflow-hidden rounded-2xl border border-line bg-line sm:grid-cols-2 lg:grid-cols-4">
          {CARDS.map(({ title, text }) => (
            <li key={title} className="bg-mist p-6">
              <span aria-hidden="true" className="scale-x mb-4 block h-4 w-25 text-secondary/60" />
              <h3 className="font-semibold text-ink">{title}</h3>
              <p className="mt-1.5">{text}</p>
            </li>
          ))}
        </ul>
        <Partners />
        <div className="mt-10 flex flex-wrap items-center gap-x-6 gap-y-4">
          <AnchorLink anchor={PROVIDER_FORM} className={buttonClass({ size: 'large' })}>
            {isFree ? 'Schedule Free Consultation' : 'Schedule Consultation'}
          </AnchorLink>
          <p className="text-balance text-quiet">
            {isFree
              ? 'No obligation • Free consultation • Find out if you qualify'
              : 'No obligation • Find out if you qualify'}
          </p>
        </div>
      </div>
    </section>
  )
}

function Partners() {
  return (
    <div className="mt-6 flex flex-wrap items-center justify-between gap-x-8 gap-y-4">
      <div className="flex flex-wrap items-center gap-x-8 gap-y-3">
        <p className="text-sm text-quiet max-sm:w-full">Financing partners</p>
        {brand.financingPartners.map(({ name, logo, width, height }) => (
          <img key={name} src={logo} alt={name} width={width} height={height} loading="lazy" className="h-9 w-auto" />
        ))}
      </div>
      <p className="text-sm text-quiet">*On approved credit</p>
    </div>
  )
}

/** Shows the clinic of the site. */
function Clinic({ provider: { name, practiceName }, details }: { provider: PublicProvider; details: ReactNode }) {
  return (
    <section aria-labelledby="clinic-heading" className="below-fold bg-mist">
      <div className="mx-auto grid max-w-6xl items-center grid-cols-[minmax(0,1fr)] gap-x-14 gap-y-8 px-4 py-16 sm:px-6 lg:grid-cols-2 lg:py-24">
        <div>
          <h2
            id="clinic-heading"
            className="font-display text-4xl leading-[1.1] font-medium tracking-tight wrap-anywhere text-ink sm:text-5xl"
          >
            Your clinic: {practiceName || name}
          </h2>
          <p className="mt-4 max-w-[48ch] text-lg leading-relaxed">
            An independent, certified provider. The clinic advises you, treats you and answers for it; consultations,
            payments and refunds are between you and the clinic.
          </p>
        </div>
        <div className="rounded-2xl border border-line bg-white p-5 sm:p-7">{details}</div>
      </div>
    </section>
  )
}
