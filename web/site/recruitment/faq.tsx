import { brand } from '../../../core/brand/brand.ts'
import { clinicTexts } from '../../../core/brand/clinic-texts.ts'
import { telUrl } from '../../lib/links.ts'
import { Band, BandHeading } from '../../ui/band.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Question } from '../../ui/question.tsx'
import { anchors } from './anchors.ts'
import { OfferLink } from './offer.tsx'

export function Faq() {
  const link = 'font-semibold whitespace-nowrap text-secondary underline underline-offset-4'
  return (
    <Band id={anchors.faq} headingId="faq-heading">
      <div className="grid gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,4fr)_minmax(0,7fr)]">
        <div>
          <BandHeading id="faq-heading">Frequently Asked Questions</BandHeading>
          <p className="mt-6 max-w-[40ch]">
            If your question is not answered here, write to{' '}
            <a href={`mailto:${brand.email}`} className={link}>
              {brand.email}
            </a>{' '}
            or call{' '}
            <a href={telUrl(brand.phone)} className={link}>
              {brand.phone}
            </a>
            .
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
