import type { ReactNode } from 'react'
import { brand } from '../../../core/brand.ts'
import { buttonClass } from '../../ui/button.tsx'
import { FormLink } from '../../ui/form-link.tsx'
import { GraduatedArc } from '../../ui/graduated-arc.tsx'

const BENEFITS = [
  { claim: 'Clinically Proven', why: 'All 32 men in the study had a measurable increase.' },
  { claim: 'Urologist Recommended', why: 'Overseen by certified, independent providers.' },
  { claim: '100% Non-Surgical', why: 'No operation, no fillers, no adverse events in the study.' },
]

/** The first thing a visitor sees; the lead form stands beside it, or below it on a phone. */
export function Hero({ form }: { form: ReactNode }) {
  return (
    <div className="on-dark relative isolate overflow-hidden bg-primary text-white">
      <div className="mx-auto grid max-w-6xl items-center gap-x-14 gap-y-10 px-4 pt-10 pb-12 sm:px-6 md:pt-14 grid-cols-[minmax(0,1fr)] lg:grid-cols-[minmax(0,1fr)_29rem] lg:py-16">
        <Pitch />
        <div className="relative mx-auto w-full max-w-xl lg:max-w-none">
          <GraduatedArc className="absolute top-[78%] left-[86%] -z-10 size-[72rem] -translate-1/2 text-lilac" />
          {form}
        </div>
      </div>
    </div>
  )
}

function Pitch() {
  return (
    <div>
      <h1 className="font-display text-[2.625rem] leading-[1.05] font-medium tracking-tight sm:text-6xl lg:text-[4.25rem]">
        A measurable difference, without surgery.
      </h1>
      <p className="mt-5 max-w-[46ch] text-lg leading-relaxed text-lilac">
        The {brand.product} is guided by a certified provider near you. Leave your zip code, and the nearest clinic
        calls you for a free, private consultation.
      </p>
      <FormLink className={`${buttonClass({ variant: 'light', size: 'large' })} mt-7`}>
        Claim Your FREE Consultation
      </FormLink>
      <ul className="mt-9 grid max-w-[34rem] gap-y-4">
        {BENEFITS.map(({ claim, why }) => (
          <li key={claim} className="grid grid-cols-[1.5rem_1fr] gap-x-3">
            <Tick />
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

function Tick() {
  return (
    <svg viewBox="0 0 24 24" className="mt-0.5 size-6" fill="none" aria-hidden="true">
      <circle cx="12" cy="12" r="11" stroke="currentColor" opacity="0.5" />
      <path d="m7.5 12.5 3 3 6-7" stroke="currentColor" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
