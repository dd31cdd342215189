import type { ReactNode } from 'react'
import type { Drawing } from '../../../core/brand/type.ts'

/** Shows one of the drawings that stand for the elements of the program. */
export function Instrument({ drawing, className = '' }: { drawing: Drawing; className?: string }) {
  return (
    <svg
      viewBox="0 0 96 96"
      className={className}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {DRAWINGS[drawing]}
    </svg>
  )
}

/** The dash pattern of a circle or arc with a mark every `step` degrees. */
const marks = (radius: number, step: number) => `1.25 ${((2 * Math.PI * radius * step) / 360 - 1.25).toFixed(3)}`

const ACCENT = { stroke: 'var(--color-accent)', strokeWidth: 3.5 }

const DRAWINGS: Record<Drawing, ReactNode> = {
  gauge: (
    <>
      <circle cx="48" cy="42" r="30" />
      <circle cx="48" cy="42" r="23" strokeWidth="5" strokeLinecap="butt" strokeDasharray={marks(23, 15)} />
      <path d="M29.900 49.500A19.600 19.600 0 0 1 38.200 25" {...ACCENT} />
      <path d="M48 42 37 28" />
      <circle cx="48" cy="42" r="3" fill="currentColor" />
      <path d="M43 72h10v6H43zM48 78v4c0 6-4 8-12 8H22" />
    </>
  ),
  syringe: (
    <g transform="rotate(-38 48 48)">
      <path d="M26 38h44v20H26zM70 43h6v10h-6M76 48h16" />
      <path d="M34 58v-8M40 58v-5M46 58v-8M52 58v-5M58 58v-8M64 58v-5" strokeWidth="1.250" />
      <path d="M46 41v0" />
      <path d="M48 42.500h19" {...ACCENT} />
      <path d="M45 38v8M26 44H8M8 38v20M26 52H8M22 32v32" />
    </g>
  ),
  arc: (
    <>
      <path d="M14 70a36 36 0 0 1 68 0" />
      <circle
        cx="48"
        cy="82"
        r="44"
        strokeWidth="6"
        strokeLinecap="butt"
        strokeDasharray={marks(44, 6)}
        clipPath="inset(0 0 48% 0)"
      />
      <path d="M22 74a28 28 0 0 1 38-17" {...ACCENT} />
      <path d="M60 57a28 28 0 0 1 14 17" strokeDasharray="2 4" />
      <path d="M48 82 62 58M48 82H20" />
      <circle cx="48" cy="82" r="3" fill="currentColor" />
    </>
  ),
  capsule: (
    <g transform="rotate(-38 48 48)">
      <rect x="12" y="32" width="72" height="32" rx="16" />
      <path d="M48 32v32M42 32v32" />
      <path d="M54 38h20M54 44h25M54 50h26M54 56h22" strokeWidth="1.250" />
      <path d="M22 40c-3 4-3 12 0 16" {...ACCENT} />
    </g>
  ),
}
