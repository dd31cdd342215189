const CENTER = 320
const RADII = { disc: 215, gain: 252, scale: 292, glow: 480 }

/** Returns the dash pattern of a circle with one mark every `step` degrees, `width` px wide. */
const marks = (radius: number, step: number, width: number) =>
  `${width} ${((2 * Math.PI * radius * step) / 360 - width).toFixed(3)}`

/** Returns the point of the circle of the gain at an angle, clockwise from the right. */
const onGain = (degrees: number) =>
  [Math.cos, Math.sin].map((part) => (CENTER + RADII.gain * part((degrees * Math.PI) / 180)).toFixed(1)).join(' ')

const GAIN = { from: 190, to: 243 }
const circle = { cx: CENTER, cy: CENTER }

/**
 * Ornament: a dial around a disc that shines, half as wide as the drawing. It is a part of the page and no picture of its
 * own, so that the largest thing that a browser paints first is a text.
 */
export function Orb({ className = '' }: { className?: string }) {
  return (
    <svg viewBox="-160 -160 960 960" className={className} fill="none" aria-hidden="true">
      <defs>
        <radialGradient id="orb-glow">
          <stop stopColor="var(--color-accent)" stopOpacity="0.8" />
          <stop offset="0.42" stopColor="var(--color-secondary)" stopOpacity="0.75" />
          <stop offset="1" stopColor="var(--color-primary)" stopOpacity="0" />
        </radialGradient>
        <linearGradient id="orb-disc" x2="0" y2="1">
          <stop stopColor="var(--color-paper)" stopOpacity="0.8" />
          <stop offset="0.5" stopColor="var(--color-lilac)" stopOpacity="0.32" />
          <stop offset="1" stopColor="var(--color-accent)" stopOpacity="0.06" />
        </linearGradient>
      </defs>
      <circle {...circle} r={RADII.glow} fill="url(#orb-glow)" />
      <circle {...circle} r={RADII.disc} fill="url(#orb-disc)" />
      <g stroke="var(--color-lilac)">
        <circle {...circle} r={RADII.disc} opacity="0.5" />
        <circle
          {...circle}
          r={RADII.scale}
          strokeWidth="11"
          strokeDasharray={marks(RADII.scale, 1.5, 1.2)}
          opacity="0.45"
        />
        <circle
          {...circle}
          r={RADII.scale - 6}
          strokeWidth="23"
          strokeDasharray={marks(RADII.scale - 6, 15, 1.9)}
          opacity="0.85"
        />
      </g>
      <path
        d={`M${onGain(GAIN.from)}A${RADII.gain} ${RADII.gain} 0 0 1 ${onGain(GAIN.to)}`}
        stroke="var(--color-accent)"
        strokeWidth="5"
        strokeLinecap="round"
      />
      <circle cx={onGain(GAIN.to).split(' ')[0]} cy={onGain(GAIN.to).split(' ')[1]} r="7" fill="white" />
    </svg>
  )
}
