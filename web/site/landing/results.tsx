import type { ReactNode } from 'react'
import { brand } from '../../../core/brand/brand.ts'
import { anchors } from '../../pages.ts'
import { Band, BandHeading } from '../../ui/band.tsx'

/** What a visitor may expect: the calculator, if the page gives one, and what the study found. */
export function Results({ calculator }: { calculator?: ReactNode }) {
  return (
    <Band id={anchors.sizeCalculator} headingId="results-heading">
      <BandHeading id="results-heading">See Your Potential Results</BandHeading>
      {calculator && <div className="mt-10">{calculator}</div>}
      <div className="mt-8 grid overflow-hidden rounded-3xl bg-mist md:grid-cols-[minmax(0,1fr)_18rem] lg:mt-10 lg:grid-cols-[minmax(0,1fr)_25rem]">
        <Statistics />
        <img
          src="/art/doctor.svg"
          alt="A doctor in a white coat, with a chart in his hand"
          width="480"
          height="520"
          loading="lazy"
          className="size-full object-cover object-top max-md:aspect-square max-md:max-h-96"
        />
      </div>
    </Band>
  )
}

function Statistics() {
  return (
    <div className="p-5 sm:p-8 lg:p-10">
      <h3 className="text-lg font-semibold text-ink">What the study found</h3>
      <dl className="mt-2">
        {brand.study.statistics.map(({ value, label }) => (
          <div
            key={label}
            className="grid grid-cols-[6.25rem_1fr] items-baseline gap-x-3 sm:gap-x-4 border-b border-line py-5 sm:grid-cols-[9.5rem_1fr] lg:grid-cols-[11rem_1fr] lg:gap-x-6 lg:py-6"
          >
            <dt className="order-2 text-lg text-ink">{label}</dt>
            <dd className="font-display text-[2.625rem] leading-none text-primary tabular-nums sm:text-6xl lg:text-7xl">
              {value}
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-5 text-sm text-quiet">{brand.study.source}</p>
    </div>
  )
}
