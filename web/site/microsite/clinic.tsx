import type { ReactNode } from 'react'
import type { PublicProvider } from '../../../core/contract/providers.ts'

/** The clinic whose site this is. */
export function Clinic({
  provider: { name, practiceName },
  details,
}: {
  provider: PublicProvider
  details: ReactNode
}) {
  return (
    <section aria-labelledby="clinic-heading" className="below-fold bg-mist">
      <div className="mx-auto grid max-w-6xl items-center grid-cols-[minmax(0,1fr)] gap-x-14 gap-y-8 px-4 py-16 sm:px-6 lg:grid-cols-2 lg:py-24">
        <div>
          <h2
            id="clinic-heading"
            className="font-display text-4xl leading-[1.1] font-medium tracking-tight wrap-anywhere text-ink sm:text-5xl"
          >
            Your clinic: {practiceName || name}
          </h2>
          <p className="mt-4 max-w-[48ch] text-lg leading-relaxed">
            An independent, certified provider. The clinic advises you, treats you and answers for it; consultations,
            payments and refunds are between you and the clinic.
          </p>
        </div>
        <div className="rounded-2xl border border-line bg-white p-5 sm:p-7">{details}</div>
      </div>
    </section>
  )
}
