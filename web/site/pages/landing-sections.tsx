import type { ReactNode } from 'react'
import { brand } from '../../../core/brand/brand.ts'
import { texts } from '../../../core/brand/texts.ts'
import type { ClinicOfPage } from '../../lib/page-data.ts'
import { anchors } from '../../pages.ts'
import { PhoneLink, WriteOrCall } from '../../shared/contact-links.tsx'
import { FormLink } from '../../shared/page-link.tsx'
import { Band, BandHeading, Question } from '../../ui/band.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Drawing } from '../../ui/drawing.tsx'
import { SizeCalculator } from '../size-calculator/size-calculator.tsx'
import { FirstVisit, HowItWorks } from './protocol-sections.tsx'

type Props = {
  clinic?: ClinicOfPage
  children?: ReactNode
}

/** The sections below the form of the home page and of the clinics' sites. `children` go before the results. */
export function LandingSections({ clinic, children }: Props) {
  return (
    <>
      {!clinic && <AsSeenOn />}
      <WhatIs />
      <HowItWorks clinic={clinic} />
      <FirstVisit clinic={clinic} />
      <WhyMenTrust clinic={clinic} />
      {children}
      <Results />
      <Faq clinic={clinic} />
    </>
  )
}

function AsSeenOn() {
  const { name, role, credentials, portrait } = brand.creator
  return (
    <section aria-labelledby="as-seen-on-heading" className="below-fold bg-paper">
      <div className="mx-auto grid max-w-6xl items-center gap-x-16 gap-y-10 px-4 py-12 sm:px-6 lg:grid-cols-[minmax(0,1fr)_26rem] lg:gap-x-12 lg:py-14">
        <div>
          <h2 id="as-seen-on-heading" className="font-display text-2xl text-ink">
            As seen on
          </h2>
          <ul className="mt-5 grid grid-cols-2 gap-px overflow-hidden rounded-xl border border-line bg-line sm:grid-cols-4">
            {brand.partners.map((partner) => (
              <li key={partner.name} className="grid min-h-18 place-items-center bg-paper px-4 sm:min-h-24">
                <img
                  src={partner.logo}
                  alt={partner.name}
                  width={partner.width}
                  height={partner.height}
                  loading="lazy"
                  className="h-auto max-h-8 w-auto sm:max-h-9 max-w-full"
                />
              </li>
            ))}
          </ul>
        </div>
        <figure className="grid grid-cols-[8rem_1fr] items-center gap-x-5 sm:grid-cols-[11rem_1fr] sm:gap-x-7">
          <img
            src={portrait}
            alt={`Portrait of ${name}`}
            width="320"
            height="432"
            loading="lazy"
            className="rounded-xl"
          />
          <figcaption>
            <p className="font-display text-[1.375rem] leading-tight text-ink sm:text-2xl">{name}</p>
            <p className="mt-1 font-semibold text-secondary">{role}</p>
            <ul className="mt-3 grid gap-1 text-[0.9375rem] leading-snug text-quiet">
              {credentials.map((credential) => (
                <li key={credential}>{credential}</li>
              ))}
            </ul>
          </figcaption>
        </figure>
      </div>
    </section>
  )
}

const { participants, months, averageIncrease } = brand.study

function WhatIs() {
  return (
    <Band id={anchors.whatIs} headingId="what-is-heading">
      <div className="grid gap-x-16 gap-y-12 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
        <div>
          <BandHeading id="what-is-heading">What is the {brand.product}?</BandHeading>
          <p className="mt-6 max-w-[50ch] text-lg leading-relaxed">{texts.whatIs}</p>
          <p className="mt-10 flex flex-wrap items-center gap-x-6 gap-y-2 border-t border-line pt-8">
            <span className="font-display text-7xl leading-none text-primary sm:text-8xl">{averageIncrease}</span>
            <span className="max-w-[24ch]">
              average size increase in a study of {participants} participants over {months} months.
              <span className="mt-1 block text-sm text-quiet">Individual results vary.</span>
            </span>
          </p>
        </div>
        <dl>
          {texts.elements.map(({ name, text, drawing }) => (
            <div
              key={name}
              className="grid grid-cols-[4.5rem_1fr] gap-x-5 border-b border-line py-5 first:pt-0 last:border-0 last:pb-0 sm:grid-cols-[5.5rem_1fr] sm:gap-x-7"
            >
              <dt className="col-start-2 self-end font-display text-2xl text-ink">{name}</dt>
              <dd className="col-start-2 mt-1 max-w-[50ch]">{text}</dd>
              <dd className="col-start-1 row-span-2 row-start-1 self-center rounded-2xl bg-paper p-2.5 text-primary">
                <Drawing of={drawing} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Band>
  )
}

function WhyMenTrust({ clinic }: { clinic?: ClinicOfPage }) {
  return (
    <Band headingId="why-men-trust-heading" tone="night">
      <Drawing
        of="dial"
        className="absolute top-full left-0 -z-10 hidden lg:block size-[60rem] -translate-x-1/3 -translate-y-[42%] text-lilac opacity-60"
      />
      <div className="grid gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] lg:grid-rows-[auto_1fr] lg:gap-y-8">
        <BandHeading id="why-men-trust-heading">Why Men Trust {brand.product}</BandHeading>
        <div className="lg:row-span-2">
          <ul>
            {texts.reasonsToTrust.map(({ title, text }) => (
              <li key={title} className="border-t border-lilac/30 py-7">
                <h3 className="font-display text-3xl leading-tight">{title}</h3>
                <p className="mt-2 max-w-[52ch] text-lilac">{text}</p>
              </li>
            ))}
          </ul>
          <p className="border-t border-lilac/30 pt-5 text-sm text-lilac">{brand.study.source}</p>
        </div>
        <p>
          <FormLink className={buttonClass({ variant: 'light', size: 'large' })}>
            {clinic?.isFree === false ? 'Claim Your Consult Now!' : 'Claim Your FREE Consult Now!'}
          </FormLink>
        </p>
      </div>
    </Band>
  )
}

function Results() {
  return (
    <Band id={anchors.sizeCalculator} headingId="results-heading">
      <BandHeading id="results-heading">See Your Potential Results</BandHeading>
      <div className="mt-10">
        <SizeCalculator />
      </div>
      <div className="mt-8 grid overflow-hidden rounded-3xl bg-paper md:grid-cols-[minmax(0,1fr)_18rem] lg:mt-10 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="p-5 sm:p-8 lg:p-10">
          <h3 className="text-lg font-semibold text-ink">What the study found</h3>
          <dl className="mt-2">
            {brand.study.statistics.map(({ value, label }) => (
              <div
                key={label}
                className="grid grid-cols-[7rem_1fr] items-baseline gap-x-3 sm:gap-x-4 border-b border-line py-5 sm:grid-cols-[10rem_1fr] lg:grid-cols-[12.5rem_1fr] lg:gap-x-6 lg:py-6"
              >
                <dt className="order-2 text-lg text-ink">{label}</dt>
                <dd className="font-display text-[2.625rem] leading-none text-primary tabular-nums sm:text-6xl lg:text-7xl">
                  {value}
                </dd>
              </div>
            ))}
          </dl>
          <p className="mt-5 text-sm text-quiet">{brand.study.source}</p>
        </div>
        <img
          src="/art/doctor.svg"
          alt="A doctor in a white coat"
          width="340"
          height="420"
          loading="lazy"
          className="size-full object-contain object-bottom max-md:max-h-96 max-md:px-5"
        />
      </div>
    </Band>
  )
}

/** Shows the questions. They share a name, so that the browser keeps at most one of them open. */
function Faq({ clinic }: { clinic?: ClinicOfPage }) {
  return (
    <Band id={anchors.faq} headingId="faq-heading" tone="mist">
      <div className="grid gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,4fr)_minmax(0,7fr)]">
        <div>
          <BandHeading id="faq-heading">Frequently Asked Questions</BandHeading>
          <p className="mt-6 max-w-[40ch] wrap-anywhere text-quiet">
            Have another question?{' '}
            {clinic?.phone ? (
              <>
                Call {clinic.name} at{' '}
                <PhoneLink
                  phone={clinic.phone}
                  className="font-semibold whitespace-nowrap text-secondary underline underline-offset-4 hover:text-primary"
                />
              </>
            ) : (
              <WriteOrCall startsSentence />
            )}
            .
          </p>
        </div>
        <div>
          <div className="border-t border-line">
            {texts.questions(clinic?.name).map((item) => (
              <Question key={item.question} {...item} />
            ))}
          </div>
          <FormLink className={`${buttonClass({ size: 'large' })} mt-10`}>Find Out If You Qualify!</FormLink>
        </div>
      </div>
    </Band>
  )
}
