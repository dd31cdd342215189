import { brand } from '../../../core/brand/brand.ts'
import { texts } from '../../../core/brand/texts.ts'
import type { ClinicOfPage } from '../../lib/page-data.ts'
import { anchors } from '../../pages.ts'
import { FormLink } from '../../shared/page-link.tsx'
import { Band, BandHeading } from '../../ui/band.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { useOnceInView } from '../../ui/in-view.ts'

const { months } = brand.study

export function HowItWorks({ clinic }: { clinic?: ClinicOfPage }) {
  return (
    <Band id={anchors.howItWorks} headingId="how-it-works-heading" tone="mist">
      <BandHeading id="how-it-works-heading">How It Works</BandHeading>
      <ol className="mt-10 grid gap-x-12 gap-y-8 md:grid-cols-3">
        {texts.steps(clinic).map(({ title, text }, index) => (
          <li key={title} className="border-t border-edge/50 pt-5">
            <div className="flex gap-x-2 font-display text-2xl text-ink">
              <span aria-hidden="true" className="text-secondary">
                {index + 1}.
              </span>
              <h3>{title}</h3>
            </div>
            <p className="mt-2 max-w-[40ch]">{text}</p>
          </li>
        ))}
      </ol>
      <Course />
      <div className="mt-12 flex flex-wrap items-center gap-x-10 gap-y-6">
        <FormLink className={buttonClass({ size: 'large' })}>Get Started Today!</FormLink>
        <p className="max-w-[58ch] grow basis-80 text-quiet">
          {brand.company} introduces you; it does not treat you. Providers are independent, and consultations, payments
          and refunds are between you and the clinic. Individual results vary.
        </p>
      </div>
    </Band>
  )
}

const { visits, atHome, note } = texts.course

const WEEKS = 4

/** Returns an SVG path of marks that hang `height` px down, one every `step` weeks. */
function marks(step: number, height: number): string {
  let path = ''
  for (let week = 0; week < months * WEEKS; week += step) path += `M${week} 0v${height}`
  return path
}

/** Shows the visits on a scale of months, which lies on large screens and stands on small ones. */
function Course() {
  const card = useOnceInView<HTMLDivElement>()
  return (
    <div ref={card} className="mt-12 rounded-3xl border border-line bg-background p-5 sm:p-8 lg:p-10">
      <h3 className="font-display text-3xl leading-tight text-ink">{months} months on one scale</h3>
      <p className="mt-5 gap-x-3 text-[0.9375rem] sm:flex">
        <span className="block font-semibold whitespace-nowrap text-ink">At home</span>
        <span className="text-quiet">{atHome}</span>
      </p>
      <span aria-hidden="true" className="mt-2 block h-1.5 w-full rounded-full bg-accent grow-x lg:w-3/4" />
      <ol className="relative mt-6 grid lg:mt-2 lg:grid-cols-4">
        <span aria-hidden="true" className="scale-y absolute inset-y-0 left-0 w-5 text-edge/60 lg:hidden" />
        <svg
          viewBox={`0 0 ${months * WEEKS} 24`}
          preserveAspectRatio="none"
          className="absolute top-0 left-0 h-6 w-3/4 text-edge/60 max-lg:hidden"
          stroke="currentColor"
          aria-hidden="true"
        >
          <path d={marks(1, 12)} vectorEffect="non-scaling-stroke" />
          <path d={marks(WEEKS, 24)} vectorEffect="non-scaling-stroke" />
        </svg>
        {visits.map(({ month, title, text }) => (
          <li key={month} className="relative pb-8 pl-12 last:pb-0 lg:pt-12 lg:pr-8 lg:pb-0 lg:pl-0">
            <span
              aria-hidden="true"
              className="absolute top-2.5 left-0 h-1 w-9 rounded-full bg-primary lg:top-0 lg:h-9 lg:w-1"
            />
            <p className="text-sm font-semibold text-secondary">
              Month {month} <span className="font-normal text-quiet">· at the clinic</span>
            </p>
            <h4 className="mt-1 font-display text-2xl text-ink">{title}</h4>
            <p className="mt-1.5 max-w-[60ch] lg:max-w-[36ch]">{text}</p>
          </li>
        ))}
      </ol>
      <p className="mt-8 border-t border-line pt-4 text-sm text-quiet">{note}</p>
    </div>
  )
}

export function FirstVisit({ clinic }: { clinic?: ClinicOfPage }) {
  return (
    <Band headingId="first-visit-heading" tone="paper">
      <div className="grid gap-x-16 gap-y-14 lg:grid-cols-2">
        <div>
          <BandHeading id="first-visit-heading">Your first visit</BandHeading>
          <ol className="relative mt-8 grid gap-6 pl-12">
            <span aria-hidden="true" className="scale-y absolute inset-y-0 left-0 w-5 text-edge/70" />
            {texts.firstVisit(clinic).map(({ title, text }) => (
              <li key={title} className="relative">
                <span aria-hidden="true" className="absolute top-2.5 -left-12 h-1 w-9 rounded-full bg-accent" />
                <h3 className="text-lg font-semibold text-ink">{title}</h3>
                <p className="mt-1 max-w-[48ch]">{text}</p>
              </li>
            ))}
          </ol>
        </div>
        <section aria-labelledby="discretion-heading">
          <BandHeading id="discretion-heading">How discreet is it?</BandHeading>
          <dl className="mt-8 border-t border-edge/40">
            {texts.discretion.map(({ title, text }) => (
              <div key={title} className="border-b border-edge/40 py-4">
                <dt className="text-lg font-semibold text-ink">{title}</dt>
                <dd className="mt-1 max-w-[52ch]">{text}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </Band>
  )
}
