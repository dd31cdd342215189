import { brand } from '../../../core/brand/brand.ts'
import { clinicTexts, promises } from '../../../core/brand/clinic-texts.ts'
import { AnchorLink } from '../../ui/anchor-link.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { GraduatedArc } from '../../ui/graduated-arc.tsx'
import { anchors } from './anchors.ts'
import { OfferLink } from './offer.tsx'

const { revenuePerPatient, newPatientsPerMonth, reviewTime } = promises

const FIGURES = [
  { figure: revenuePerPatient, meaning: 'revenue per patient' },
  { figure: newPatientsPerMonth, meaning: 'new patients per month from referrals' },
  { figure: reviewTime, meaning: 'until your application is reviewed' },
]

/** Shows the offer to clinics in one sentence and three figures. */
export function Hero() {
  return (
    <div className="relative isolate overflow-hidden bg-mist">
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

/** Shows the figures. On a large screen the panel reaches the right edge of the window. */
function Figures() {
  return (
    <div className="on-dark relative isolate flex flex-col justify-center px-4 py-12 text-white sm:px-6 lg:py-20 lg:pr-6 lg:pl-12">
      <div className="absolute inset-y-0 left-0 -z-10 w-screen overflow-hidden bg-night">
        <GraduatedArc className="absolute top-1/2 left-96 size-[46rem] -translate-y-1/2 text-lilac opacity-30" />
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
