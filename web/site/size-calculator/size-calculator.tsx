import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { brand } from '../../../core/brand/brand.ts'
import { useOnceInView } from '../../ui/in-view.ts'

/** A measure. All numbers are inches; the gain is the projected increase after `MONTHS`. */
type Measure = { min: number; max: number; initial: number; gain: number }

const MONTHS = brand.study.months

export const measures = {
  length: { min: 3, max: 8, initial: 5.16, gain: brand.study.gain.length },
  girth: { min: 3, max: 7, initial: 4.59, gain: brand.study.gain.girth },
} as const satisfies Record<string, Measure>

const STEP = 0.1

const STEPS_PER_INCH = 10

export function inches(value: number): string {
  return value.toFixed(2)
}

export function toStep(value: number): number {
  return Math.round(value * STEPS_PER_INCH) / STEPS_PER_INCH
}

function isOnStep(value: number): boolean {
  return toStep(value) === value
}

/** Stays within the measure. Between two steps, the first goes to the next: 5.16 goes up to 5.2 and down to 5.1. */
export function moveBySteps(value: number, steps: number, { min, max }: Measure): number {
  const start = isOnStep(value) ? value : value - Math.sign(steps) * (STEP / 2)
  return Math.min(max, Math.max(min, toStep(toStep(start) + steps * STEP)))
}

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
const circle = { cx: CENTRE, cy: CENTRE, fill: 'none' }
/** Its dashes are in degrees. */
const scale = { ...circle, pathLength: 360 }

function GirthDial({ current, projected }: { current: number; projected: number }) {
  const inner = current * RADIUS_PER_INCH
  const outer = projected * RADIUS_PER_INCH
  return (
    <svg viewBox="0 0 240 240" className="w-52 max-w-full shrink-0 text-lilac" aria-hidden="true">
      <g stroke="currentColor">
        <circle {...scale} r="108" strokeWidth="8" strokeDasharray="0.53 2.47" opacity="0.45" />
        <circle {...scale} r="105" strokeWidth="14" strokeDasharray="0.82 29.18" />
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

type Props = {
  name: keyof typeof measures
  value: number
  onChange: (value: number) => void
  /** Sets the width: the measure's range on the ruler plus one thumb. */
  railClass: string
}

const KEYS: Record<string, number> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 5,
  PageDown: -5,
}

/**
 * Shows one measure: its two readings, and a native slider on a ruler. Its initial value may lie between two steps, so it has no
 * step until it is moved; otherwise the browser would round the value. It handles the keys itself for the same reason, and so that
 * they are the same in every browser.
 */
function Gauge({ name, value, onChange, railClass }: Props) {
  const id = useId()
  const measure = measures[name]
  const current = inches(value)
  const projected = inches(value + measure.gain)
  const input = useRef<HTMLInputElement>(null)
  const moveTo = (next: number) => onChange(toStep(next))

  // The visitor may have moved it before this page came alive.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was there at the start matters
  useEffect(() => {
    const found = input.current?.valueAsNumber ?? value
    if (found !== value) moveTo(found)
  }, [])

  function moveByKey(event: KeyboardEvent) {
    const steps = KEYS[event.key]
    if (steps === undefined || event.altKey || event.ctrlKey || event.metaKey) return

    event.preventDefault()
    onChange(moveBySteps(value, steps, measure))
  }

  return (
    <div>
      <div className="grid grid-flow-col items-end justify-between gap-x-3">
        <div>
          <label htmlFor={id} className="block text-sm font-medium text-lilac">
            Current {name}
          </label>
          <Reading htmlFor={id} value={current} />
        </div>
        <p className="mb-1.5 hidden rounded-full border border-accent px-2.5 py-0.5 text-sm font-semibold tabular-nums @xs:block @md:mb-2.5">
          +{inches(measure.gain)}
          <span className="sr-only"> inches</span>
        </p>
        <div className="text-right">
          <p className="block text-sm font-medium text-lilac">
            <span className="sr-only">Projected {name} </span>After {MONTHS} months
          </p>
          <Reading htmlFor={id} value={projected} />
        </div>
      </div>
      <div className="relative mt-5">
        <Ruler measure={measure} current={value} />
        <input
          ref={input}
          id={id}
          type="range"
          min={measure.min}
          max={measure.max}
          step={isOnStep(value) ? STEP : 'any'}
          value={value}
          autoComplete="off"
          aria-valuetext={`${current} inches, projected ${projected} inches after ${MONTHS} months`}
          onChange={(event) => moveTo(event.target.valueAsNumber)}
          onKeyDown={moveByKey}
          className={`slider absolute bottom-0 left-[calc(30%-0.875rem)] h-11 ${railClass}`}
        />
      </div>
    </div>
  )
}

/** Screen readers do not announce it, because the slider's text says both readings. */
function Reading({ htmlFor, value }: { htmlFor: string; value: string }) {
  return (
    <output
      htmlFor={htmlFor}
      aria-live="off"
      className="mt-1 block font-display text-[2.375rem] leading-none tracking-tight tabular-nums lining-nums @md:text-6xl"
    >
      {value}
      <span className="ml-1.5 font-sans text-base tracking-normal text-lilac @md:text-lg">in</span>
    </output>
  )
}

const INCHES = 10
const NUMBERS = Array.from({ length: INCHES + 1 }, (_, inch) => inch)

function at(inches: number): string {
  return `${((inches / INCHES) * 100).toFixed(2)}%`
}

/** Returns an SVG path of marks `height` px tall, one every `tenths` tenths of an inch. */
function marks(tenths: number, height: number): string {
  let path = ''
  for (let x = 0; x <= INCHES * 10; x += tenths) path += `M${x} 24v-${height}`
  return path
}

function Ruler({ measure, current }: { measure: Measure; current: number }) {
  const projected = current + measure.gain
  return (
    <svg className="block h-27 w-full overflow-visible text-lilac" aria-hidden="true">
      <g fill="currentColor" fontSize="12">
        {NUMBERS.map((inch) => (
          <text key={inch} x={at(inch)} y="12" textAnchor={inch === 0 ? 'start' : inch === INCHES ? 'end' : 'middle'}>
            {inch}
          </text>
        ))}
      </g>
      <svg y="20" width="100%" height="24" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">
        <g stroke="currentColor" fill="none">
          <path d={marks(1, 7)} vectorEffect="non-scaling-stroke" opacity="0.45" />
          <path d={marks(5, 13)} vectorEffect="non-scaling-stroke" opacity="0.7" />
          <path d={marks(10, 22)} vectorEffect="non-scaling-stroke" />
        </g>
      </svg>
      <rect y="48" width="100%" height="12" rx="2" fill="white" opacity="0.08" />
      <rect y="48" width={at(current)} height="12" rx="2" fill="currentColor" />
      <rect className="grow-x" x={at(current)} y="48" width={at(measure.gain)} height="12" fill="var(--color-accent)" />
      <line
        className="fade-once"
        x1={at(projected)}
        x2={at(projected)}
        y1="20"
        y2="66"
        stroke="var(--color-accent)"
        strokeWidth="3"
      />
      <line x1={at(measure.min)} x2={at(measure.max)} y1="86" y2="86" stroke="currentColor" opacity="0.45" />
      <line x1={at(current)} x2={at(current)} y1="20" y2="86" stroke="white" strokeWidth="2" />
    </svg>
  )
}
