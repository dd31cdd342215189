/** The drawings in `art/drawings.svg`, with the length of their sides there. */
const SIDES = { dial: 800, seal: 48, gauge: 96, syringe: 96, arc: 96, capsule: 96 }

type Props = { of: keyof typeof SIDES; className?: string }

export function Drawing({ of, className }: Props) {
  return (
    <svg viewBox={`0 0 ${SIDES[of]} ${SIDES[of]}`} className={className} aria-hidden="true">
      <use href={`/art/drawings.svg#${of}`} />
    </svg>
  )
}

/** In a box of 20. */
export const MAGNIFIER = 'm13 13 4.5 4.5M14.5 8.5a6 6 0 1 1-12 0 6 6 0 0 1 12 0Z'

type IconProps = { d: string; box?: number; width?: number; className?: string }

/** Draws lines in the color of the text around them. @param box the length of the sides that `d` and `width` are for */
export function Icon({ d, box = 24, width = 2, className = '' }: IconProps) {
  return (
    <svg viewBox={`0 0 ${box} ${box}`} className={`shrink-0 ${className}`} fill="none" aria-hidden="true">
      <path d={d} stroke="currentColor" strokeWidth={width} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}

export function Tick({ className = '' }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      className={`size-6 shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      aria-hidden="true"
    >
      <circle cx="12" cy="12" r="11" opacity="0.5" />
      <path d="m7.5 12.5 3 3 6-7" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
