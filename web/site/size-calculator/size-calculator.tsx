import { useState } from 'react'
import { useOnceInView } from '../../ui/in-view.ts'
import { Gauge } from './gauge.tsx'
import { inches, MONTHS, measures } from './projection.ts'

/** Shows the calculator: two sliders on one ruler, with their projected values after the protocol. */
export function SizeCalculator() {
  const [length, setLength] = useState<number>(measures.length.initial)
  const [girth, setGirth] = useState<number>(measures.girth.initial)

  const card = useOnceInView<HTMLDivElement>()

  return (
    <div
      ref={card}
      className="on-dark @container overflow-hidden rounded-3xl bg-night text-white shadow-2xl shadow-night/30"
    >
      <div className="grid grid-cols-[minmax(0,1fr)] @3xl:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-9 p-5 @md:p-8 @3xl:gap-11 @3xl:p-10">
          <Gauge name="length" value={length} onChange={setLength} railClass="w-[calc(50%+1.75rem)]" />
          <Gauge name="girth" value={girth} onChange={setGirth} railClass="w-[calc(40%+1.75rem)]" />
        </div>
        <div className="flex flex-col items-center justify-center gap-6 border-t border-white/15 p-5 @md:p-8 @lg:flex-row @lg:gap-10 @3xl:flex-col @3xl:gap-6 @3xl:border-t-0 @3xl:border-l">
          <GirthDial current={girth} projected={girth + measures.girth.gain} />
          <p className="max-w-[36ch] text-center text-balance text-sm leading-relaxed text-lilac @lg:text-left @3xl:text-center">
            Over {MONTHS} months, the projection adds {inches(measures.length.gain)} inches in length and{' '}
            {inches(measures.girth.gain)} inches in girth. Both pictures are drawn to scale.
          </p>
        </div>
      </div>
      <p className="border-t border-white/15 px-5 py-4 text-center text-sm text-lilac @md:px-8">
        Individual results vary. A projection is not a promise, and not medical advice.
      </p>
    </div>
  )
}

const CENTRE = 120
/** Radius of the circle for a girth of one inch, chosen so that the largest projection stays inside the scale. */
const RADIUS_PER_INCH = 12.8
const SCALE = { radius: 108, marks: 120 }

const circle = { cx: CENTRE, cy: CENTRE, fill: 'none' }
const distance = (2 * Math.PI * SCALE.radius) / SCALE.marks

/** Shows two concentric circles: the girth today and the projected one. */
function GirthDial({ current, projected }: { current: number; projected: number }) {
  const inner = current * RADIUS_PER_INCH
  const outer = projected * RADIUS_PER_INCH
  return (
    <svg viewBox="0 0 240 240" className="w-52 max-w-full shrink-0 text-lilac" aria-hidden="true">
      <g stroke="currentColor">
        <circle
          {...circle}
          r={SCALE.radius}
          strokeWidth="8"
          strokeDasharray={`1 ${(distance - 1).toFixed(3)}`}
          opacity="0.45"
        />
        <circle
          {...circle}
          r={SCALE.radius - 3}
          strokeWidth="14"
          strokeDasharray={`1.5 ${((2 * Math.PI * (SCALE.radius - 3)) / 12 - 1.5).toFixed(3)}`}
        />
        <path d="M120 28v184M28 120h184" strokeWidth="1" opacity="0.25" />
      </g>
      <circle
        {...circle}
        r={(inner + outer) / 2}
        stroke="var(--color-accent)"
        strokeWidth={outer - inner}
        pathLength="1"
        strokeDasharray="1"
        transform={`rotate(-90 ${CENTRE} ${CENTRE})`}
        className="draw-once"
      />
      <circle cx={CENTRE} cy={CENTRE} r={inner} fill="currentColor" fillOpacity="0.14" stroke="white" strokeWidth="2" />
      <circle cx={CENTRE} cy={CENTRE} r="2.5" fill="white" />
    </svg>
  )
}
