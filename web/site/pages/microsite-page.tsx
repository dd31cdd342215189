import { type ReactNode, Suspense } from 'react'
import { Link } from 'react-router-dom'
import { brand } from '../../../core/brand/brand.ts'
import { texts } from '../../../core/brand/texts.ts'
import { formatPhone } from '../../../core/contract/texts.ts'
import type { MicrositeProvider } from '../../../core/providers/contract/providers.ts'
import { lazyPart } from '../../lib/lazy-parts.ts'
import { type ClinicOfPage, clinicOf } from '../../lib/page-data.ts'
import { PROVIDER_FORM, paths } from '../../pages.ts'
import { PhoneLink } from '../../shared/contact-links.tsx'
import { PageMeta } from '../../shared/page-meta.tsx'
import { ClinicPicture, ProviderActions, ProviderFacts } from '../../shared/providers/provider-details.tsx'
import { AnchorLink } from '../../ui/band.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Drawing, Icon, Tick } from '../../ui/drawing.tsx'
import { LeadFormCard } from '../lead-form/lead-form-card.tsx'
import { MicrositeLoading, WithProviderOfPage } from '../providers/with-provider-of-page.tsx'

const LandingSections = lazyPart(() => import('./landing-sections.tsx').then((part) => part.LandingSections))

const { microsite } = texts
const { title, from, cards, note } = texts.financing

/** @param none shown if there is no such provider */
export function MicrositePage({ none = <NotFound /> }: { none?: ReactNode }) {
  return (
    <WithProviderOfPage
      loading={<MicrositeLoading />}
      none={none}
      failed={(retry) => (
        <NoMicrosite text="We cannot load this page right now. The problem is on our side. Please try again in a moment.">
          <Button size="large" onClick={retry}>
            Try again
          </Button>
        </NoMicrosite>
      )}
    >
      {(provider) => <Microsite provider={provider} />}
    </WithProviderOfPage>
  )
}

function NotFound() {
  return (
    <NoMicrosite text="There is no active provider at this address. We can look for one near you.">
      <Link to={paths.home} className={buttonClass({ size: 'large' })}>
        Find a provider near you
      </Link>
    </NoMicrosite>
  )
}

function NoMicrosite({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="grid grow bg-mist">
      <PageMeta title="Provider not found" hidden />
      <div className="mx-auto grid w-full max-w-6xl content-center px-4 py-24 sm:px-6">
        <div role="alert">
          <h1 className="font-display text-5xl leading-tight font-medium text-ink sm:text-6xl">Provider not found</h1>
          <p className="mt-4 mb-7 max-w-[28rem] text-lg leading-relaxed text-balance">{text}</p>
          {children}
        </div>
      </div>
    </div>
  )
}

function Microsite({ provider }: { provider: MicrositeProvider }) {
  const clinic = clinicOf(provider)

  return (
    <>
      <PageMeta
        title={clinic.name}
        description={`${microsite.description(clinic.name)} Send your details to find out if you qualify.`}
      />
      <div className="on-dark bg-linear-to-b from-primary to-dusk text-white">
        <div className="mx-auto grid max-w-6xl grid-cols-[minmax(0,1fr)] items-start gap-x-14 gap-y-9 px-4 py-10 sm:px-6 lg:grid-cols-[minmax(0,1fr)_29rem] lg:py-16">
          <div>
            <div>
              <p className="font-semibold text-lilac">{microsite.tagline}</p>
              <h1 className="mt-2 font-display text-[2.875rem] leading-[1.04] font-medium tracking-tight sm:text-6xl lg:text-7xl">
                {microsite.headline}
              </h1>
              <p className="mt-5 max-w-[30.5rem] text-lg leading-relaxed wrap-anywhere text-lilac">
                {microsite.program}, guided by{' '}
                {/* On a line of its own where only one of the fonts would move it to the next one. */}
                <span className="max-[359px]:block">{clinic.name}.</span>
              </p>
              <ul className="mt-7 grid gap-y-3 text-lg font-semibold">
                {microsite.bullets.map((bullet) => (
                  <li key={bullet} className="flex items-center gap-3">
                    <Tick />
                    {bullet}
                  </li>
                ))}
              </ul>
              <p className="mt-6 text-sm text-lilac">Individual results vary.</p>
            </div>
            <ClinicInBrief provider={provider} />
          </div>
          <div>
            <LeadFormCard
              providerId={provider.id}
              heading={clinic.isFree ? 'Secure My FREE Consultation Now:' : 'Find Out If You Qualify Now:'}
              text={`Submit the form to connect with ${clinic.name}.`}
            />
          </div>
        </div>
      </div>
      <Clinic provider={provider} />
      <Suspense>
        <LandingSections clinic={clinic}>
          {provider.accepts_financing && <PaymentPlans clinic={clinic} />}
        </LandingSections>
      </Suspense>
    </>
  )
}

function ClinicInBrief({ provider }: { provider: MicrositeProvider }) {
  const { name, practiceName, phone } = provider
  return (
    <div className="mt-7 grid grid-cols-[7.5rem_minmax(0,1fr)] items-center gap-x-4 border-t border-lilac/30 pt-6 sm:grid-cols-[14rem_minmax(0,1fr)] sm:gap-x-6">
      <ClinicPicture
        provider={provider}
        letterOf={practiceName || name}
        isFirst
        className="rounded-xl sm:rounded-2xl"
      />
      <div className="min-w-0 wrap-anywhere">
        <p className="flex items-center gap-2 text-sm font-semibold text-lilac">
          <Drawing of="seal" className="size-6 shrink-0 sm:size-7" />
          Certified provider
        </p>
        <p className="mt-1.5 font-display text-xl leading-tight text-balance sm:mt-2 sm:text-2xl">
          {practiceName || name}
        </p>
        <p className="mt-1 text-[0.9375rem] leading-snug text-lilac sm:text-base">
          <Names provider={provider} />
        </p>
        {phone && (
          <PhoneLink
            phone={phone}
            className="inline-flex min-h-11 items-center gap-2 text-lg font-semibold underline-offset-4 hover:underline"
          >
            <Icon
              d="M6.2 3.5h3l1.5 4.2-2 1.6a11.5 11.5 0 0 0 6 6l1.6-2 4.2 1.5v3c0 1-.8 1.8-1.8 1.7A16.3 16.3 0 0 1 4.5 5.3c0-1 .7-1.8 1.7-1.8Z"
              width={1.8}
              className="size-5 text-lilac"
            />
            {formatPhone(phone)}
          </PhoneLink>
        )}
      </div>
    </div>
  )
}

/** Shows what stands below the name of a clinic: its provider, unless the clinic is called so, and its place. */
function Names({ provider: { name, practiceName, city, state } }: { provider: MicrositeProvider }) {
  const lines = [practiceName && name, city && state && `${city}, ${state}`].filter(Boolean)
  return lines.map((line) => (
    <span key={line} className="block">
      {line}
    </span>
  ))
}

function Clinic({ provider }: { provider: MicrositeProvider }) {
  const { name, practiceName, accepts_free_consultation, accepts_financing } = provider
  const offers = [accepts_free_consultation && 'Free consultation', accepts_financing && 'Financing'].filter(Boolean)
  return (
    <section aria-labelledby="clinic-heading" className="below-fold bg-mist">
      <div className="mx-auto grid max-w-6xl items-center grid-cols-[minmax(0,1fr)] gap-x-14 gap-y-9 px-4 py-14 sm:px-6 lg:grid-cols-2 lg:py-20">
        <div className="relative">
          <ClinicPicture provider={provider} letterOf={practiceName || name} className="rounded-2xl" />
          <Drawing of="seal" className="absolute right-3 bottom-3 size-16 sm:right-4 sm:bottom-4 sm:size-20" />
        </div>
        <div className="wrap-anywhere">
          <h2 id="clinic-heading" className="font-display font-medium text-ink">
            <span className="block text-xl text-secondary">Your clinic: </span>
            <span className="mt-1 block text-4xl leading-[1.1] tracking-tight text-balance sm:text-5xl">
              {practiceName || name}
            </span>
          </h2>
          <p className="mt-3 text-lg text-ink empty:hidden">
            <Names provider={provider} />
          </p>
          {offers.length > 0 && (
            <ul className="mt-4 flex flex-wrap gap-2">
              {offers.map((offer) => (
                <li
                  key={String(offer)}
                  className="flex items-center gap-1.5 rounded-full bg-lilac py-1 pr-3.5 pl-1.5 text-[0.9375rem] font-semibold text-primary"
                >
                  <Tick className="size-5!" />
                  {offer}
                </li>
              ))}
            </ul>
          )}
          <p className="mt-5 max-w-[52ch] leading-relaxed">
            An independent, certified provider. The clinic advises you, treats you and answers for it; consultations,
            payments and refunds are between you and the clinic.
          </p>
          <div className="mt-6 border-t border-line pt-6">
            <ProviderFacts provider={provider} />
          </div>
          <div className="mt-6 max-w-md">
            <ProviderActions provider={provider} />
          </div>
        </div>
      </div>
    </section>
  )
}

function PaymentPlans({ clinic: { isFree } }: { clinic: ClinicOfPage }) {
  return (
    <section aria-labelledby="payment-heading" className="below-fold">
      <div className="mx-auto max-w-6xl px-4 py-16 sm:px-6 lg:py-24">
        <div className="flex flex-wrap items-end justify-between gap-x-10 gap-y-6">
          <h2
            id="payment-heading"
            className="max-w-[16ch] font-display text-4xl leading-[1.1] font-medium tracking-tight text-ink sm:text-5xl"
          >
            {title}
          </h2>
          <p className="border-l-4 border-accent pl-4">
            Plans from{' '}
            <strong className="block font-display text-4xl leading-tight font-medium text-primary sm:text-5xl">
              {from}
            </strong>
          </p>
        </div>
        <ul className="mt-10 grid gap-px overflow-hidden rounded-2xl border border-line bg-line sm:grid-cols-2 lg:grid-cols-4">
          {cards.map(({ title, text }) => (
            <li key={title} className="bg-mist p-6">
              <span aria-hidden="true" className="scale-x mb-4 block h-4 w-25 text-secondary/60" />
              <h3 className="font-semibold text-ink">{title}</h3>
              <p className="mt-1.5">{text}</p>
            </li>
          ))}
        </ul>
        <div className="mt-6 flex flex-wrap items-center justify-between gap-x-8 gap-y-4">
          <div className="flex flex-wrap items-center gap-x-8 gap-y-3">
            <p className="text-sm text-quiet max-sm:w-full">Financing partners</p>
            {brand.financingPartners.map(({ name, logo, width, height }) => (
              <img
                key={name}
                src={logo}
                alt={name}
                width={width}
                height={height}
                loading="lazy"
                className="h-9 w-auto"
              />
            ))}
          </div>
          <p className="text-sm text-quiet">{note}</p>
        </div>
        <div className="mt-10 flex flex-wrap items-center gap-x-6 gap-y-4">
          <AnchorLink anchor={PROVIDER_FORM} className={buttonClass({ size: 'large' })}>
            {isFree ? 'Schedule Free Consultation' : 'Schedule Consultation'}
          </AnchorLink>
          <p className="text-balance text-quiet">
            {isFree
              ? 'No obligation\u00a0• Free consultation\u00a0• Find out if you qualify'
              : 'No obligation\u00a0• Find out if you qualify'}
          </p>
        </div>
      </div>
    </section>
  )
}
