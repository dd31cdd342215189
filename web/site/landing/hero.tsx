import type { ReactNode } from 'react'
import { brand } from '../../../core/brand/brand.ts'
import { texts } from '../../../core/brand/texts.ts'
import { FormLink } from '../../shared/page-link.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Tick } from '../../ui/tick.tsx'

/** Shows the top of the home page, with the lead form beside it, or below it on a phone. */
export function Hero({ form }: { form: ReactNode }) {
  return (
    <div className="on-dark relative isolate overflow-hidden bg-primary text-white max-lg:bg-linear-to-b max-lg:from-primary max-lg:from-60% max-lg:to-dusk max-lg:to-60%">
      <div className="mx-auto grid max-w-6xl items-center gap-x-14 gap-y-20 px-4 pt-10 pb-12 sm:px-6 md:pt-14 grid-cols-[minmax(0,1fr)] lg:grid-cols-[minmax(0,1fr)_29rem] lg:py-16">
        <Pitch />
        <div className="relative mx-auto w-full max-w-xl lg:static lg:max-w-none">
          <Landscape />
          {form}
        </div>
      </div>
    </div>
  )
}

/**
 * Shows a dial above hills: behind the form on small screens, across the whole width on large ones. It must not be a
 * scroll anchor, or the page would scroll when the form below arrives.
 */
function Landscape() {
  return (
    <img
      src="/art/hero.svg"
      alt=""
      width="2400"
      height="1000"
      fetchPriority="high"
      className="absolute [overflow-anchor:none] -top-[13.5rem] left-1/2 -z-10 h-[44rem] w-[105.6rem] max-w-none -translate-x-[64.33%] object-cover sm:-top-[16rem] sm:h-[58rem] sm:w-[139.2rem] lg:top-auto lg:bottom-0 lg:h-[62.5rem] lg:w-[150rem] lg:min-w-full lg:-translate-x-[47%] xl:-translate-x-1/2"
    />
  )
}

function Pitch() {
  return (
    <div>
      <h1 className="font-display text-[2.625rem] leading-[1.05] font-medium tracking-tight sm:text-6xl lg:text-[4.25rem]">
        A measurable difference, without surgery.
      </h1>
      <p className="mt-5 max-w-[29rem] text-lg leading-relaxed text-lilac">
        The {brand.product} is guided by a certified provider near you. Leave your zip code, and the nearest clinic
        calls you for a free, private consultation.
      </p>
      <FormLink className={`${buttonClass({ variant: 'light', size: 'large' })} mt-7`}>
        Claim Your FREE Consultation
      </FormLink>
      <ul className="mt-9 grid max-w-[34rem] gap-y-4">
        {texts.benefits.map(({ claim, why }) => (
          <li key={claim} className="grid grid-cols-[1.5rem_1fr] gap-x-3">
            <Tick className="mt-0.5" />
            <p>
              <strong className="font-semibold">{claim}</strong>
              <span className="block text-lilac">{why}</span>
            </p>
          </li>
        ))}
      </ul>
      <p className="mt-5 text-sm text-lilac">Individual results vary.</p>
    </div>
  )
}
