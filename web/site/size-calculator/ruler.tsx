import type { Measure } from './projection.ts'

const INCHES = 10
const NUMBERS = Array.from({ length: INCHES + 1 }, (_, inch) => inch)

/** Where that many inches are on the ruler. */
function at(inches: number): string {
  return `${((inches / INCHES) * 100).toFixed(2)}%`
}

/** A path of marks `height` px tall, one every so many tenths of an inch. */
function marks(tenths: number, height: number): string {
  let path = ''
  for (let x = 0; x <= INCHES * 10; x += tenths) path += `M${x} 24v-${height}`
  return path
}

/** Ten inches, drawn to scale: a bar for today, its gain, and the rail on which the slider lies. */
export function Ruler({ measure, current }: { measure: Measure; current: number }) {
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
      <rect x={at(current)} y="48" width={at(measure.gain)} height="12" fill="var(--color-accent)" />
      <line x1={at(projected)} x2={at(projected)} y1="20" y2="66" stroke="var(--color-accent)" strokeWidth="3" />
      <line x1={at(measure.min)} x2={at(measure.max)} y1="86" y2="86" stroke="currentColor" opacity="0.45" />
      <line x1={at(current)} x2={at(current)} y1="20" y2="86" stroke="white" strokeWidth="2" />
    </svg>
  )
}
