const RADII = { scale: 360, gain: 330 }
const FULL_TURN = 360

/** The dash pattern of a circle that shows one mark every `step` degrees, `width` px wide. */
function marks(radius: number, step: number, width: number): string {
  const distance = (2 * Math.PI * radius * step) / FULL_TURN
  return `${width} ${distance - width}`
}

/** The dash pattern of a circle of which only `degrees` are drawn. */
function arc(radius: number, degrees: number): string {
  const length = 2 * Math.PI * radius
  return `${(length * degrees) / FULL_TURN} ${length}`
}

/** Ornament: a measuring dial with a gain marked on it. */
export function GraduatedArc({ className = '' }: { className?: string }) {
  const circle = { cx: 400, cy: 400, fill: 'none' }
  return (
    <svg viewBox="0 0 800 800" className={className} aria-hidden="true">
      <g stroke="currentColor">
        <circle
          {...circle}
          r={RADII.scale}
          strokeWidth="12"
          strokeDasharray={marks(RADII.scale, 1.5, 1.2)}
          opacity="0.4"
        />
        <circle
          {...circle}
          r={RADII.scale - 7}
          strokeWidth="26"
          strokeDasharray={marks(RADII.scale - 7, 15, 1.8)}
          opacity="0.7"
        />
        <circle {...circle} r={RADII.gain - 60} strokeWidth="1" opacity="0.35" />
        <circle {...circle} r={RADII.gain - 150} strokeWidth="1" opacity="0.25" />
      </g>
      <circle
        {...circle}
        r={RADII.gain}
        stroke="var(--color-accent)"
        strokeWidth="5"
        strokeLinecap="round"
        strokeDasharray={arc(RADII.gain, 28)}
        transform="rotate(172 400 400)"
      />
    </svg>
  )
}
