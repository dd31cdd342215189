import { brand } from '../../../core/brand/brand.ts'
import { clinicTexts } from '../../../core/brand/clinic-texts.ts'
import { Band, BandHeading } from '../../ui/band.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { anchors } from './anchors.ts'
import { OfferLink } from './offer.tsx'

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
