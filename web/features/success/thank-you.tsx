import type { ReactNode } from 'react'

/** The frame of all thank-you pages: what has happened, and what comes next. */
export function ThankYou({ message, children }: { message: string; children: ReactNode }) {
  return (
    <div className="grow bg-mist">
      <div className="mx-auto max-w-3xl px-4 py-12 sm:px-6 lg:py-20">
        <p role="status" className="flex items-start gap-3 rounded-2xl bg-good-soft px-5 py-4 font-semibold text-good">
          <svg viewBox="0 0 24 24" className="mt-0.5 size-6 shrink-0" fill="none" aria-hidden="true">
            <circle cx="12" cy="12" r="10" stroke="currentColor" strokeWidth="2" />
            <path d="m8 12.5 3 3 5.5-6.5" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
          </svg>
          {message}
        </p>
        <h1 className="mt-8 mb-8 font-display text-4xl leading-[1.1] font-medium text-ink sm:text-5xl">
          Your Path to Natural Male Enhancement Has Begun!
        </h1>
        <div className="grid gap-8">{children}</div>
      </div>
    </div>
  )
}
