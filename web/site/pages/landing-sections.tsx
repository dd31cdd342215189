import type { ReactNode } from 'react'
import { brand } from '../../../core/brand/brand.ts'
import { texts } from '../../../core/brand/texts.ts'
import { formatPhone } from '../../../core/contract/phones.ts'
import type { ClinicOfPage } from '../../lib/provider-of-page.ts'
import { telUrl } from '../../lib/texts.ts'
import { anchors } from '../../pages.ts'
import { FormLink } from '../../shared/page-link.tsx'
import { Band, BandHeading } from '../../ui/band.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { GraduatedArc } from '../../ui/graduated-arc.tsx'
import { Question } from '../../ui/question.tsx'
import { SizeCalculator } from '../size-calculator/size-calculator.tsx'

type Props = {
  /** The clinic of the site, if it is a clinic's. */
  clinic?: ClinicOfPage
  children?: ReactNode
}

/** Shows the sections below the form of the home page and of the clinics' sites. `children` go before the results. */
export function LandingSections({ clinic, children }: Props) {
  return (
    <>
      <WhatIs />
      <HowItWorks clinic={clinic} />
      <WhyMenTrust clinic={clinic} />
      {children}
      <Results calculator={<SizeCalculator />} />
      <Faq clinic={clinic} />
    </>
  )
}

const { participants, months, averageIncrease } = brand.study

/** Shows what the product is and its components. */
function WhatIs() {
  return (
    <Band id={anchors.whatIs} headingId="what-is-heading">
      <div className="grid gap-x-16 gap-y-12 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
        <div>
          <BandHeading id="what-is-heading">What is the {brand.product}?</BandHeading>
          <p className="mt-6 max-w-[50ch] text-lg leading-relaxed">
            A non-surgical program for men who want a measurable increase in size. Four elements work side by side, and
            a certified provider guides you through each of them. Whether it is right for you is decided in person,
            after a consultation.
          </p>
          <p className="mt-10 flex flex-wrap items-center gap-x-6 gap-y-2 border-t border-line pt-8">
            <span className="font-display text-7xl leading-none text-primary sm:text-8xl">{averageIncrease}</span>
            <span className="max-w-[24ch]">
              average size increase in a study of {participants} participants over {months} months.
              <span className="mt-1 block text-sm text-quiet">Individual results vary.</span>
            </span>
          </p>
        </div>
        <dl className="relative pl-12">
          <span aria-hidden="true" className="scale-y absolute inset-y-0 left-0 w-5 text-edge/60" />
          {texts.elements.map(({ name, text }) => (
            <div key={name} className="relative border-b border-line py-6 first:pt-0 last:border-0 last:pb-0">
              <dt className="font-display text-2xl text-ink">
                <span aria-hidden="true" className="absolute -left-12 mt-3.5 h-1 w-9 rounded-full bg-accent" />
                {name}
              </dt>
              <dd className="mt-1 max-w-[50ch]">{text}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Band>
  )
}

/** Shows the steps from the request to the result as marks on a scale. */
function HowItWorks({ clinic }: { clinic?: ClinicOfPage }) {
  return (
    <Band id={anchors.howItWorks} headingId="how-it-works-heading" tone="mist">
      <BandHeading id="how-it-works-heading">How It Works</BandHeading>
      <ol className="mt-12 grid md:grid-cols-3">
        {texts.steps(clinic).map((step, index) => (
          <Step key={step.title} number={index + 1} {...step} />
        ))}
      </ol>
      <div className="mt-14 flex flex-wrap items-center gap-x-10 gap-y-6 border-t border-line pt-8">
        <FormLink className={buttonClass({ size: 'large' })}>Get Started Today!</FormLink>
        <p className="max-w-[58ch] grow basis-80 text-quiet">
          {brand.company} introduces you; it does not treat you. Providers are independent, and consultations, payments
          and refunds are between you and the clinic. Individual results vary.
        </p>
      </div>
    </Band>
  )
}

function Step({ number, title, text }: { number: number; title: string; text: string }) {
  return (
    <li className="relative pb-9 pl-12 last:pb-0 md:pt-14 md:pr-8 md:pb-0 md:pl-0 lg:pr-12">
      <span
        aria-hidden="true"
        className="scale-y absolute inset-y-0 left-0 w-5 text-edge/60 md:inset-x-0 md:inset-y-auto md:top-0 md:h-6 md:w-full md:scale-x"
      />
      <span
        aria-hidden="true"
        className="absolute top-2.5 left-0 h-1 w-9 rounded-full bg-accent md:top-0 md:h-10 md:w-1"
      />
      <div className="flex gap-x-2 font-display text-2xl text-ink">
        <span aria-hidden="true" className="text-secondary">
          {number}.
        </span>
        <h3>{title}</h3>
      </div>
      <p className="mt-2 max-w-[40ch]">{text}</p>
    </li>
  )
}

function WhyMenTrust({ clinic }: { clinic?: ClinicOfPage }) {
  return (
    <Band headingId="why-men-trust-heading" tone="night">
      <GraduatedArc className="absolute top-full left-0 -z-10 hidden lg:block size-[60rem] -translate-x-1/3 -translate-y-[42%] text-lilac opacity-60" />
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

/** Shows the results of the study, with the calculator if the page has one. */
function Results({ calculator }: { calculator?: ReactNode }) {
  return (
    <Band id={anchors.sizeCalculator} headingId="results-heading">
      <BandHeading id="results-heading">See Your Potential Results</BandHeading>
      {calculator && <div className="mt-10">{calculator}</div>}
      <div className="mt-8 grid overflow-hidden rounded-3xl bg-mist md:grid-cols-[minmax(0,1fr)_18rem] lg:mt-10 lg:grid-cols-[minmax(0,1fr)_25rem]">
        <Statistics />
        <img
          src="/art/doctor.svg"
          alt="A doctor in a white coat, with a chart in his hand"
          width="480"
          height="520"
          loading="lazy"
          className="size-full object-cover object-top max-md:aspect-square max-md:max-h-96"
        />
      </div>
    </Band>
  )
}

function Statistics() {
  return (
    <div className="p-5 sm:p-8 lg:p-10">
      <h3 className="text-lg font-semibold text-ink">What the study found</h3>
      <dl className="mt-2">
        {brand.study.statistics.map(({ value, label }) => (
          <div
            key={label}
            className="grid grid-cols-[6.25rem_1fr] items-baseline gap-x-3 sm:gap-x-4 border-b border-line py-5 sm:grid-cols-[9.5rem_1fr] lg:grid-cols-[11rem_1fr] lg:gap-x-6 lg:py-6"
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
  )
}

/** Shows the questions. They share a name, so that the browser keeps at most one of them open. */
function Faq({ clinic }: { clinic?: ClinicOfPage }) {
  return (
    <Band id={anchors.faq} headingId="faq-heading" tone="mist">
      <div className="grid gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,4fr)_minmax(0,7fr)]">
        <div>
          <BandHeading id="faq-heading">Frequently Asked Questions</BandHeading>
          <FaqContact clinic={clinic} />
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

/** Shows who answers other questions: the clinic of the site by phone, or our team. */
function FaqContact({ clinic }: { clinic?: ClinicOfPage }) {
  const link = 'font-semibold text-secondary underline underline-offset-4'
  const phone = clinic?.phone ?? brand.phone
  return (
    <p className="mt-6 max-w-[40ch] wrap-anywhere text-quiet">
      Have another question?{' '}
      {clinic?.phone ? (
        `Call ${clinic.name} at `
      ) : (
        <>
          Write to{' '}
          <a href={`mailto:${brand.email}`} className={link}>
            {brand.email}
          </a>{' '}
          or call{' '}
        </>
      )}
      <a href={telUrl(phone)} className={`${link} whitespace-nowrap`}>
        {formatPhone(phone)}
      </a>
      .
    </p>
  )
}
