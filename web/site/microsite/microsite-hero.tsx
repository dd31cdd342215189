import type { ReactNode } from 'react'
import { brand } from '../../../core/brand/brand.ts'
import { Tick } from '../../ui/tick.tsx'

const BULLETS = ['Clinically Proven Results', 'No Surgery, No Side Effects', 'Urologist Recommended']

/** The first thing on a clinic's own site; the lead form stands beside it, or below it on a phone. */
export function MicrositeHero({ clinic, form }: { clinic: string; form: ReactNode }) {
  return (
    <div className="on-dark bg-primary text-white">
      <div className="mx-auto grid max-w-6xl grid-cols-[minmax(0,1fr)] gap-x-14 gap-y-9 px-4 py-10 sm:px-6 lg:grid-cols-[minmax(0,1fr)_29rem] lg:grid-rows-[auto_minmax(16rem,1fr)] lg:py-16">
        <Pitch clinic={clinic} />
        <div className="mx-auto w-full max-w-xl lg:row-span-2 lg:max-w-none">{form}</div>
        <div className="relative mx-auto aspect-4/3 w-full max-w-xl overflow-hidden rounded-2xl lg:aspect-auto lg:max-w-none">
          <img
            src="/art/microsite-hero.svg"
            alt=""
            width={960}
            height={720}
            fetchPriority="high"
            className="absolute inset-0 size-full object-cover object-[50%_30%]"
          />
        </div>
      </div>
    </div>
  )
}

function Pitch({ clinic }: { clinic: string }) {
  return (
    <div>
      <p className="font-semibold text-lilac">Backed by Science, Loved by Men.</p>
      <h1 className="mt-2 font-display text-[2.875rem] leading-[1.04] font-medium tracking-tight sm:text-6xl lg:text-7xl">
        Get Bigger &amp; Thicker!
      </h1>
      <p className="mt-5 max-w-[30.5rem] text-lg leading-relaxed wrap-anywhere text-lilac">
        The {brand.product}: a six-month, non-surgical program of proven methods, guided by {clinic}.
      </p>
      <ul className="mt-7 grid gap-y-3 text-lg font-semibold">
        {BULLETS.map((bullet) => (
          <li key={bullet} className="flex items-center gap-3">
            <Tick />
            {bullet}
          </li>
        ))}
      </ul>
      <p className="mt-6 text-sm text-lilac">Individual results vary.</p>
    </div>
  )
}
