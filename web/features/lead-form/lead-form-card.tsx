import { PROVIDER_FORM } from '../../paths.ts'
import { LeadForm } from './lead-form.tsx'

export function LeadFormCard({ providerId }: { providerId?: number }) {
  return (
    <section
      id={PROVIDER_FORM}
      tabIndex={-1}
      aria-labelledby="lead-form-heading"
      className="overflow-hidden rounded-2xl bg-white text-foreground shadow-2xl shadow-night/50"
    >
      <p className="bg-lilac px-4 py-2.5 text-center font-semibold text-primary">Limited Spots Available!</p>
      <div className="px-5 pt-5 pb-6 sm:px-8 sm:pt-6 sm:pb-8">
        <h2 id="lead-form-heading" className="font-display text-[1.75rem] leading-tight font-medium text-ink">
          Find a provider near you
        </h2>
        <p className="mt-1 mb-4 text-quiet">A free consultation. Nothing is charged on this site.</p>
        <LeadForm providerId={providerId} />
      </div>
    </section>
  )
}
