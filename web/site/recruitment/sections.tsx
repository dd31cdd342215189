import { type ReactNode, useState } from 'react'
import { brand } from '../../../core/brand/brand.ts'
import { clinicTexts } from '../../../core/brand/clinic-texts.ts'
import { clinicsAnchors as anchors, PROVIDER_FORM } from '../../pages.ts'
import { WriteOrCall } from '../../shared/contact-links.tsx'
import { AnchorLink, Band, BandHeading, Question } from '../../ui/band.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Drawing } from '../../ui/drawing.tsx'
import { OfferLink } from './offer.tsx'

export function KeyPoints() {
  return (
    <Band id={anchors.keyPoints} headingId="key-points-heading" tone="mist">
      <div className="flex flex-wrap items-end justify-between gap-x-10 gap-y-6">
        <BandHeading id="key-points-heading">Main Reasons to Join</BandHeading>
        <OfferLink className={buttonClass({ size: 'large' })}>Become a Provider</OfferLink>
      </div>
      <ul className="mt-10 grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        {clinicTexts.mainReasons.map(({ title, text }) => (
          <li key={title} className="on-dark rounded-2xl bg-primary p-6 text-white sm:p-8 lg:col-span-2">
            <span aria-hidden="true" className="scale-x block h-4 text-lilac/50" />
            <h3 className="mt-6 font-display text-4xl leading-tight">{title}</h3>
            <p className="mt-3 max-w-[46ch] text-lilac">{text}</p>
          </li>
        ))}
        {clinicTexts.reasons.map(({ title, text }) => (
          <li key={title} className="rounded-2xl border border-line bg-white p-6">
            <span aria-hidden="true" className="block h-1 w-9 rounded-full bg-accent" />
            <h3 className="mt-5 font-display text-2xl leading-tight text-ink">{title}</h3>
            <p className="mt-2">{text}</p>
          </li>
        ))}
      </ul>
    </Band>
  )
}

const { months, averageIncrease, source } = brand.study

export function Research() {
  return (
    <Band id={anchors.research} headingId="research-heading" tone="night">
      <Drawing of="dial" className="absolute -bottom-72 -left-72 -z-10 size-[46rem] text-lilac opacity-50" />
      <BandHeading id="research-heading">What the Research Shows</BandHeading>
      <div className="mt-12 grid items-center gap-x-16 gap-y-12 lg:grid-cols-2">
        <p>
          <span className="block font-display text-8xl leading-none sm:text-[10rem]">{averageIncrease}</span>
          <span className="mt-4 block text-xl">average size increase over {months} months</span>
        </p>
        <dl className="grid gap-px bg-lilac/25 sm:grid-cols-2">
          {clinicTexts.statistics.map(({ value, label }) => (
            <div key={label} className="flex flex-col bg-night p-6 sm:p-8">
              <dt className="order-2 mt-2 text-lilac">{label}</dt>
              <dd className="font-display text-5xl leading-none sm:text-6xl">{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <div className="mt-12 flex flex-wrap items-center justify-between gap-x-10 gap-y-6">
        <p className="text-sm text-lilac">{source}</p>
        <OfferLink className={buttonClass({ variant: 'light', size: 'large' })}>Offer It at Your Practice</OfferLink>
      </div>
    </Band>
  )
}

const { name, role, portrait, quote } = clinicTexts.certifiedProvider

export function Testimonial() {
  return (
    <Band id={anchors.testimonials} headingId="testimonials-heading">
      <h2 id="testimonials-heading" className="sr-only">
        What a provider says
      </h2>
      <figure className="grid items-center gap-x-16 gap-y-8 md:grid-cols-[16rem_1fr] lg:grid-cols-[20rem_1fr]">
        <img
          src={portrait}
          alt={`Portrait of ${name}`}
          width="400"
          height="480"
          loading="lazy"
          className="w-48 rounded-2xl md:w-full"
        />
        <div>
          <blockquote className="max-w-[34ch] font-display text-3xl leading-snug text-ink sm:text-4xl sm:leading-snug">
            <p>“{quote}”</p>
          </blockquote>
          <figcaption className="mt-7 border-l-4 border-accent pl-4">
            <p className="font-semibold text-ink">{name}</p>
            <p>{role}</p>
            <p className="mt-1 text-sm text-quiet">One provider’s experience. Results vary.</p>
          </figcaption>
        </div>
      </figure>
    </Band>
  )
}

export function ProviderNetwork({ map }: { map: ReactNode }) {
  return (
    <Band id={anchors.network} headingId="network-heading">
      <div className="grid items-end gap-x-16 gap-y-8 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div>
          <BandHeading id="network-heading">Our Provider Network</BandHeading>
          <p className="mt-5 max-w-[54ch] text-lg leading-relaxed">
            Each pin is an independent, certified practice. See how close the nearest one is to yours, and where there
            is none yet.
          </p>
        </div>
        <div className="rounded-2xl border border-line bg-mist p-6">
          <h3 className="font-display text-2xl leading-tight text-ink">Are you a healthcare provider?</h3>
          <p className="mt-1.5">Put your practice on this map.</p>
          <OfferLink className={`${buttonClass()} mt-4`}>Join the Network</OfferLink>
        </div>
      </div>
      <div className="mt-8">{map}</div>
    </Band>
  )
}

export function WhyOffer() {
  return (
    <Band id={anchors.whatIs} headingId="what-is-heading" tone="mist">
      <BandHeading id="what-is-heading">Why Offer the {brand.product}?</BandHeading>
      <ul className="mt-10 grid gap-4 lg:grid-cols-3">
        {clinicTexts.cards.map(({ title, text }) => (
          <li key={title} className="rounded-2xl border border-line bg-white px-6 pt-6 pb-8 sm:px-8">
            <span aria-hidden="true" className="scale-x block h-5 text-edge/60" />
            <h3 className="mt-7 font-display text-3xl leading-tight text-ink">{title}</h3>
            <p className="mt-3 max-w-[52ch]">{text}</p>
          </li>
        ))}
      </ul>
      <OfferLink className={`${buttonClass({ size: 'large' })} mt-10`}>Become a Certified Provider</OfferLink>
    </Band>
  )
}

export function GetStarted() {
  return (
    <Band id={anchors.getStarted} headingId="get-started-heading">
      <BandHeading id="get-started-heading">How to Get Started</BandHeading>
      <ol className="mt-10 border-t border-line">
        {clinicTexts.steps.map(({ title, text, fact }, index) => (
          <li
            key={title}
            className="grid grid-cols-[3rem_minmax(0,1fr)] gap-x-4 border-b border-line py-8 lg:grid-cols-[5rem_minmax(0,1fr)_20rem] lg:gap-x-8"
          >
            <span aria-hidden="true" className="font-display text-5xl leading-none text-secondary lg:text-6xl">
              {index + 1}
            </span>
            <div>
              <h3 className="font-display text-3xl leading-tight text-ink">{title}</h3>
              <p className="mt-2 max-w-[56ch]">{text}</p>
            </div>
            <p className="col-start-2 mt-4 self-start text-balance border-l-4 border-accent pl-4 font-semibold text-ink lg:col-start-3 lg:mt-1">
              {fact}
            </p>
          </li>
        ))}
      </ol>
      <AnchorLink anchor={PROVIDER_FORM} className={`${buttonClass({ size: 'large' })} mt-10`}>
        Start Your Application
      </AnchorLink>
    </Band>
  )
}

export function Faq() {
  return (
    <Band id={anchors.faq} headingId="faq-heading">
      <div className="grid gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,4fr)_minmax(0,7fr)]">
        <div>
          <BandHeading id="faq-heading">Frequently Asked Questions</BandHeading>
          <p className="mt-6 max-w-[40ch]">
            If your question is not answered here, <WriteOrCall />.
          </p>
          <OfferLink className={`${buttonClass({ variant: 'outline', size: 'large' })} mt-8`}>
            Join the Network
          </OfferLink>
        </div>
        <div className="self-start border-t border-line">
          {clinicTexts.questions.map((item) => (
            <Question key={item.question} {...item} />
          ))}
        </div>
      </div>
    </Band>
  )
}

export function VideoExplainer() {
  return (
    <Band id={anchors.video} headingId="video-heading">
      <div className="grid items-center gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,4fr)_minmax(0,7fr)]">
        <div>
          <BandHeading id="video-heading">The Protocol, Explained for Physicians</BandHeading>
          <p className="mt-6 max-w-[44ch] text-lg leading-relaxed">
            What the four elements are, how a patient goes from the consultation to the last measurement, and what your
            practice does at each step.
          </p>
          <p className="mt-5 max-w-[48ch] text-sm text-quiet">
            The video is hosted on a video platform. Nothing is loaded from there until you press play.
          </p>
        </div>
        <VideoPlayer url={brand.providerVideoUrl} title={`The ${brand.product}, explained for physicians`} />
      </div>
    </Band>
  )
}

/** Shows the poster of a video. It requests nothing from the video platform before the visitor starts the video. */
function VideoPlayer({ url, title }: { url: string; title: string }) {
  const [isPlaying, setPlaying] = useState(false)
  return (
    <div className="on-dark relative aspect-video overflow-hidden rounded-2xl bg-night">
      {isPlaying ? (
        <iframe
          // The button that had the focus is removed.
          ref={(frame) => frame?.focus()}
          src={`${url}?autoplay=1`}
          title={title}
          allow="autoplay; picture-in-picture"
          allowFullScreen
          referrerPolicy="strict-origin-when-cross-origin"
          className="size-full"
        />
      ) : (
        <>
          <img
            src="/art/recruitment/video-poster.svg"
            alt=""
            width="1280"
            height="720"
            loading="lazy"
            className="size-full object-cover"
          />
          <button
            type="button"
            aria-label={`Play video: ${title}`}
            onClick={() => setPlaying(true)}
            className={`${PLAY} noscript:hidden`}
          >
            <PlaySign />
          </button>
          <a href={url} aria-label={`Watch the video: ${title}`} className={`${PLAY} hidden noscript:grid`}>
            <PlaySign />
          </a>
        </>
      )}
    </div>
  )
}

const PLAY = 'group absolute inset-0 grid place-content-center focus-visible:-outline-offset-6 rounded-2xl text-primary'

function PlaySign() {
  return (
    <span className="grid size-20 place-content-center rounded-full bg-white shadow-xl shadow-night/40 transition-colors group-hover:bg-lilac sm:size-24">
      <svg viewBox="0 0 24 24" className="size-9 sm:size-11" aria-hidden="true">
        <path d="M8 5.2v13.6a.6.6 0 0 0 .9.5l11-6.8a.6.6 0 0 0 0-1l-11-6.8a.6.6 0 0 0-.9.5Z" fill="currentColor" />
      </svg>
    </span>
  )
}
