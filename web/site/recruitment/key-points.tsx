import { clinicTexts } from '../../../core/brand/clinic-texts.ts'
import { Band, BandHeading } from '../../ui/band.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { anchors } from './anchors.ts'
import { OfferLink } from './offer.tsx'

/** Shows two reasons with a number and four without. */
export function KeyPoints() {
  return (
    <Band id={anchors.keyPoints} headingId="key-points-heading" tone="mist">
      <div className="flex flex-wrap items-end justify-between gap-x-10 gap-y-6">
        <BandHeading id="key-points-heading">Main Reasons to Join</BandHeading>
        <OfferLink className={buttonClass({ size: 'large' })}>Become a Provider</OfferLink>
      </div>
      <ul className="mt-10 grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        {clinicTexts.figures.map(({ figure, title, text }) => (
          <li key={title} className="on-dark rounded-2xl bg-primary p-6 text-white sm:p-8 lg:col-span-2">
            <p className="font-display text-6xl leading-none sm:text-7xl">{figure}</p>
            <span aria-hidden="true" className="scale-x mt-6 block h-4 text-lilac/50" />
            <h3 className="mt-6 font-display text-2xl leading-tight">{title}</h3>
            <p className="mt-2 max-w-[46ch] text-lilac">{text}</p>
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
