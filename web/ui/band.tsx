import type { ReactNode } from 'react'

const TONES = {
  white: 'bg-background',
  mist: 'bg-mist',
  paper: 'bg-paper',
  night: 'on-dark bg-night text-white',
} as const

type BandProps = { id?: string; headingId: string; tone?: keyof typeof TONES; children: ReactNode }

/** A section as wide as the window, below the fold. With an `id` it can be linked to, and the keyboard moves there. */
export function Band({ id, headingId, tone = 'white', children }: BandProps) {
  return (
    <section
      id={id}
      tabIndex={id ? -1 : undefined}
      aria-labelledby={headingId}
      className={`below-fold relative isolate overflow-hidden ${TONES[tone]}`}
    >
      <div className="mx-auto max-w-6xl px-4 py-16 sm:px-6 lg:py-24">{children}</div>
    </section>
  )
}

export function BandHeading({ id, children }: { id: string; children: ReactNode }) {
  return (
    <h2
      id={id}
      className="max-w-[20ch] font-display text-4xl leading-[1.1] font-medium tracking-tight text-ink in-[.on-dark]:text-white sm:text-5xl"
    >
      {children}
    </h2>
  )
}
