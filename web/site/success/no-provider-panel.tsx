import { brand } from '../../../core/brand/brand.ts'

/** What can be done where there is no clinic yet. */
export function NoProviderPanel() {
  return (
    <section
      aria-labelledby="no-provider-heading"
      className="grid content-center rounded-2xl border border-line bg-white p-5 sm:p-7"
    >
      <h2 id="no-provider-heading" className="font-display text-2xl font-medium text-ink">
        No Provider Found Yet
      </h2>
      <p className="mt-2 max-w-[60ch] leading-relaxed">
        There is no certified provider close to your zip code. You can help: ask a men’s clinic near you to become
        certified for the {brand.product}. When one joins, your request is passed on to them.
      </p>
    </section>
  )
}
