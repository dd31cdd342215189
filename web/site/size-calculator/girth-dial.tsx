const CENTRE = 120
/** A girth of one inch is drawn as a circle of this radius, so that the largest projection stays inside the scale. */
const RADIUS_PER_INCH = 12.8
const SCALE = { radius: 108, marks: 120 }

const circle = { cx: CENTRE, cy: CENTRE, fill: 'none' }
const distance = (2 * Math.PI * SCALE.radius) / SCALE.marks

/** Two circles around one centre: the girth today, and the projected one. */
export function GirthDial({ current, projected }: { current: number; projected: number }) {
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
      <circle {...circle} r={(inner + outer) / 2} stroke="var(--color-accent)" strokeWidth={outer - inner} />
      <circle cx={CENTRE} cy={CENTRE} r={inner} fill="currentColor" fillOpacity="0.14" stroke="white" strokeWidth="2" />
      <circle cx={CENTRE} cy={CENTRE} r="2.5" fill="white" />
    </svg>
  )
}
