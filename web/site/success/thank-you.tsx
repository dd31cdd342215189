import type { ReactNode } from 'react'
import { GraduatedArc } from '../../ui/graduated-arc.tsx'

/** The frame of all thank-you pages: what has happened, and below it what comes next, the most important first. */
export function ThankYou({ message, children }: { message: string; children: ReactNode }) {
  return (
    <div className="grow bg-mist">
      <div className="on-dark relative isolate overflow-hidden bg-primary text-white">
        <GraduatedArc className="absolute top-full left-full -z-10 size-[42rem] -translate-1/2 text-lilac max-lg:hidden" />
        <div className="mx-auto max-w-6xl px-4 py-10 sm:px-6 sm:py-14 lg:py-16">
          <p role="status" className="flex items-start gap-3 text-lg leading-snug font-semibold text-lilac">
            <Tick />
            {message}
          </p>
          <h1 className="mt-5 max-w-3xl font-display text-[2.625rem] leading-[1.08] font-medium tracking-tight sm:text-6xl">
            Your Path to Natural Male Enhancement Has Begun!
          </h1>
        </div>
      </div>
      <div className="mx-auto grid max-w-6xl grid-cols-[minmax(0,1fr)] gap-6 px-4 py-10 sm:px-6 lg:grid-cols-[minmax(0,1fr)_24rem] lg:py-14">
        {children}
      </div>
    </div>
  )
}

function Tick() {
  return (
    <svg viewBox="0 0 24 24" className="size-6 shrink-0 text-white" fill="none" aria-hidden="true">
      <circle cx="12" cy="12" r="11" stroke="currentColor" opacity="0.5" />
      <path d="m7.5 12.5 3 3 6-7" stroke="currentColor" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
