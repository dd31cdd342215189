import { brand } from '../../../core/brand/brand.ts'
import { texts } from '../../../core/brand/texts.ts'
import { telUrl } from '../../lib/links.ts'
import type { ClinicOfPage } from '../../lib/provider-of-page.ts'
import { anchors } from '../../pages.ts'
import { FormLink } from '../../shared/page-link.tsx'
import { Band, BandHeading } from '../../ui/band.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Question } from '../../ui/question.tsx'

/** Shows the questions. They share a name, so that the browser keeps at most one of them open. */
export function Faq({ clinic }: { clinic?: ClinicOfPage }) {
  return (
    <Band id={anchors.faq} headingId="faq-heading" tone="mist">
      <div className="grid gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,4fr)_minmax(0,7fr)]">
        <div>
          <BandHeading id="faq-heading">Frequently Asked Questions</BandHeading>
          <p className="mt-6 max-w-[40ch] text-quiet">
            Have another question? Write to{' '}
            <a href={`mailto:${brand.email}`} className="font-semibold text-secondary underline underline-offset-4">
              {brand.email}
            </a>{' '}
            or call{' '}
            <a
              href={telUrl(brand.phone)}
              className="font-semibold whitespace-nowrap text-secondary underline underline-offset-4"
            >
              {brand.phone}
            </a>
            .
          </p>
        </div>
        <div>
          <div className="border-t border-line">
            {texts.questions(clinic?.name).map((item) => (
              <Question key={item.question} {...item} />
            ))}
          </div>
          <FormLink className={`${buttonClass({ size: 'large' })} mt-10`}>Find Out If You Qualify!</FormLink>
        </div>
      </div>
    </Band>
  )
}
