import { clinicTexts } from '../../../core/brand/clinic-texts.ts'
import { PROVIDER_FORM } from '../../pages.ts'
import { AnchorLink } from '../../ui/anchor-link.tsx'
import { Band, BandHeading } from '../../ui/band.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { anchors } from './anchors.ts'

/** Shows the steps from the form to the first patient as a ledger: the clinic's task, and the result to expect. */
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
