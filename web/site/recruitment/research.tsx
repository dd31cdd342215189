import { brand } from '../../../core/brand/brand.ts'
import { clinicTexts } from '../../../core/brand/clinic-texts.ts'
import { Band, BandHeading } from '../../ui/band.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { GraduatedArc } from '../../ui/graduated-arc.tsx'
import { anchors } from './anchors.ts'
import { OfferLink } from './offer.tsx'

const { months, averageIncrease, source } = brand.study

/** Shows the results of the study: one large number with four beside it. */
export function Research() {
  return (
    <Band id={anchors.research} headingId="research-heading" tone="night">
      <GraduatedArc className="absolute -bottom-72 -left-72 -z-10 size-[46rem] text-lilac opacity-50" />
      <BandHeading id="research-heading">What the Research Shows</BandHeading>
      <div className="mt-12 grid items-center gap-x-16 gap-y-12 lg:grid-cols-2">
        <p>
          <span className="block font-display text-8xl leading-none sm:text-[10rem]">{averageIncrease}</span>
          <span className="mt-4 block text-xl">average size increase over {months} months</span>
        </p>
        <dl className="grid gap-px overflow-hidden rounded-2xl bg-lilac/25 sm:grid-cols-2">
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
