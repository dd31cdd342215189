import { brand } from '../../../core/brand/brand.ts'
import { texts } from '../../../core/brand/texts.ts'
import type { ClinicOfPage } from '../../lib/provider-of-page.ts'
import { FormLink } from '../../shared/page-link.tsx'
import { Band, BandHeading } from '../../ui/band.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { GraduatedArc } from '../../ui/graduated-arc.tsx'

export function WhyMenTrust({ clinic }: { clinic?: ClinicOfPage }) {
  return (
    <Band headingId="why-men-trust-heading" tone="night">
      <GraduatedArc className="absolute top-full left-0 -z-10 hidden lg:block size-[60rem] -translate-x-1/3 -translate-y-[42%] text-lilac opacity-60" />
      <div className="grid gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] lg:grid-rows-[auto_1fr] lg:gap-y-8">
        <BandHeading id="why-men-trust-heading">Why Men Trust {brand.product}</BandHeading>
        <div className="lg:row-span-2">
          <ul>
            {texts.reasonsToTrust.map(({ title, text }) => (
              <li key={title} className="border-t border-lilac/30 py-7">
                <h3 className="font-display text-3xl leading-tight">{title}</h3>
                <p className="mt-2 max-w-[52ch] text-lilac">{text}</p>
              </li>
            ))}
          </ul>
          <p className="border-t border-lilac/30 pt-5 text-sm text-lilac">{brand.study.source}</p>
        </div>
        <p>
          <FormLink className={buttonClass({ variant: 'light', size: 'large' })}>
            {clinic?.isFree === false ? 'Claim Your Consult Now!' : 'Claim Your FREE Consult Now!'}
          </FormLink>
        </p>
      </div>
    </Band>
  )
}
