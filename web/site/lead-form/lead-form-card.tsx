import { type ReactNode, Suspense } from 'react'
import { brand } from '../../../core/brand/brand.ts'
import { lazyPart } from '../../lib/lazy-parts.ts'
import { PROVIDER_FORM } from '../../pages.ts'

const LeadForm = lazyPart(() => import('./lead-form.tsx').then((part) => part.LeadForm))

export function LeadFormCard({
  heading = 'Find a provider near you',
  text = 'A free consultation. Nothing is charged on this site.',
  ...form
}: {
  providerId?: number
  heading?: ReactNode
  text?: ReactNode
}) {
  return (
    <section
      id={PROVIDER_FORM}
      tabIndex={-1}
      data-first-field="desktop"
      aria-labelledby="lead-form-heading"
      className="overflow-hidden rounded-2xl bg-white text-foreground shadow-2xl shadow-night/50"
    >
      <p className="bg-lilac px-4 py-2 sm:py-2.5 text-center font-semibold text-primary">{brand.claims.formBanner}</p>
      <div className="px-5 pt-4 pb-6 wrap-anywhere sm:px-8 sm:pt-6 sm:pb-8">
        <h2 id="lead-form-heading" className="font-display text-2xl leading-tight font-medium text-ink sm:text-3xl">
          {heading}
        </h2>
        <p className="mt-1 mb-3 text-quiet sm:mb-4">{text}</p>
        <Suspense>
          <LeadForm {...form} />
        </Suspense>
      </div>
    </section>
  )
}
