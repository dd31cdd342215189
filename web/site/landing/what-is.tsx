import { brand } from '../../../core/brand/brand.ts'
import { texts } from '../../../core/brand/texts.ts'
import { anchors } from '../../pages.ts'
import { Band, BandHeading } from '../../ui/band.tsx'

const { participants, months, averageIncrease } = brand.study

/** What the product is and what it is made of. */
export function WhatIs() {
  return (
    <Band id={anchors.whatIs} headingId="what-is-heading">
      <div className="grid gap-x-16 gap-y-12 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
        <div>
          <BandHeading id="what-is-heading">What is the {brand.product}?</BandHeading>
          <p className="mt-6 max-w-[50ch] text-lg leading-relaxed">
            A non-surgical program for men who want a measurable increase in size. Four elements work side by side, and
            a certified provider guides you through each of them. Whether it is right for you is decided in person,
            after a consultation.
          </p>
          <p className="mt-10 flex flex-wrap items-center gap-x-6 gap-y-2 border-t border-line pt-8">
            <span className="font-display text-7xl leading-none text-primary sm:text-8xl">{averageIncrease}</span>
            <span className="max-w-[24ch]">
              average size increase in a study of {participants} participants over {months} months.
              <span className="mt-1 block text-sm text-quiet">Individual results vary.</span>
            </span>
          </p>
        </div>
        <dl className="relative pl-12">
          <span aria-hidden="true" className="scale-y absolute inset-y-0 left-0 w-5 text-edge/60" />
          {texts.elements.map(({ name, text }) => (
            <div key={name} className="relative border-b border-line py-6 first:pt-0 last:border-0 last:pb-0">
              <dt className="font-display text-2xl text-ink">
                <span aria-hidden="true" className="absolute -left-12 mt-3.5 h-1 w-9 rounded-full bg-accent" />
                {name}
              </dt>
              <dd className="mt-1 max-w-[50ch]">{text}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Band>
  )
}
