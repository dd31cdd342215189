import type { ComponentProps, ReactNode } from 'react'

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

/** Renders a question that opens to its answer. The browser keeps at most one of the same name open. */
export function Question({ question, answer }: { question: string; answer: string }) {
  return (
    <details name="faq" className="group border-b border-line">
      <summary className="flex list-none items-start justify-between gap-x-6 rounded py-5 font-display text-xl text-ink hover:text-secondary sm:text-2xl [&::-webkit-details-marker]:hidden">
        <h3>{question}</h3>
        <svg viewBox="0 0 24 24" className="mt-1 size-6 shrink-0 text-secondary" fill="none" aria-hidden="true">
          <path d="M4 12h16" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" />
          <path
            d="M12 4v16"
            stroke="currentColor"
            strokeWidth="1.75"
            strokeLinecap="round"
            className="origin-center transition-transform group-open:scale-y-0"
          />
        </svg>
      </summary>
      <p className="max-w-[64ch] pt-1 pb-6 leading-relaxed">{answer}</p>
    </details>
  )
}

type Props = Omit<ComponentProps<'a'>, 'href'> & { anchor: string }

/** Leads to a section of this very page, without a new address (see `followInPageLinks`). */
export function AnchorLink({ anchor, children, ...link }: Props) {
  return (
    <a {...link} href={`#${anchor}`} data-section={anchor}>
      {children}
    </a>
  )
}
