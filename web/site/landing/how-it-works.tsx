import { brand } from '../../../core/brand/brand.ts'
import { texts } from '../../../core/brand/texts.ts'
import type { ClinicOfPage } from '../../lib/provider-of-page.ts'
import { anchors } from '../../pages.ts'
import { FormLink } from '../../shared/page-link.tsx'
import { Band, BandHeading } from '../../ui/band.tsx'
import { buttonClass } from '../../ui/button.tsx'

/** From the request to the result, told as marks on a scale. */
export function HowItWorks({ clinic }: { clinic?: ClinicOfPage }) {
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
