import { PROVIDER_FORM } from '../../pages.ts'
import { AnchorLink } from '../../ui/anchor-link.tsx'
import { Band, BandHeading } from '../../ui/band.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { anchors } from './anchors.ts'
import { claims } from './claims.ts'

const { reviewTime, newPatientsPerMonth } = claims

const STEPS = [
  {
    title: 'Apply Online',
    text: 'A short form about you and your practice. Nothing is signed and nothing is paid on this page.',
    fact: `Application reviewed within ${reviewTime}`,
  },
  {
    title: 'Train and Get Certified',
    text: 'You learn the protocol online, then practice it hands-on.',
    fact: 'A one-day virtual session plus a hands-on workshop',
  },
  {
    title: 'Offer the Protocol',
    text: 'Your practice appears on the provider map, and men near you who ask for a consultation are introduced to you.',
    fact: `${newPatientsPerMonth} new patients per month from referrals; numbers vary`,
  },
]

/** From the form to the first patient, as a ledger: what you do, and what to expect of it. */
export function GetStarted() {
  return (
    <Band id={anchors.getStarted} headingId="get-started-heading">
      <BandHeading id="get-started-heading">How to Get Started</BandHeading>
      <ol className="mt-10 border-t border-line">
        {STEPS.map(({ title, text, fact }, index) => (
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
