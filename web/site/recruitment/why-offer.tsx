import { brand } from '../../../core/brand/brand.ts'
import { Band, BandHeading } from '../../ui/band.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { anchors } from './anchors.ts'
import { OfferLink } from './offer.tsx'

const CARDS = [
  {
    title: 'A Program You Can Explain',
    text: `Four elements that work side by side over ${brand.study.months} months, each with a place in your plan. You give the injections; the rest your patient learns from you and does at home.`,
  },
  {
    title: 'Results You Can Measure',
    text: `You measure at the start and as you go. In the study the average size increase was ${brand.study.averageIncrease}. Individual results vary.`,
  },
  {
    title: 'Patients Who Come to You',
    text: `Men ask for a free consultation on ${brand.company}’s site, and the certified provider nearest to them gets the request. Your fees are your own; patients pay you, not us.`,
  },
]

export function WhyOffer() {
  return (
    <Band id={anchors.whatIs} headingId="what-is-heading" tone="mist">
      <BandHeading id="what-is-heading">Why Offer the {brand.product}?</BandHeading>
      <ul className="mt-10 grid gap-4 lg:grid-cols-3">
        {CARDS.map(({ title, text }) => (
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
