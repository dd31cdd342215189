import { brand } from '../../../core/brand/brand.ts'
import { PROVIDERS_PATH } from '../../../core/contract/page.ts'
import { paths } from '../../pages.ts'
import { BecomeProviderLink, PageLink } from '../../shared/page-link.tsx'
import { PageMeta } from '../../shared/page-meta.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { NetworkMap } from '../map/network-map.tsx'
import { LINK } from '../map/provider-card.tsx'

export function MapPage() {
  return (
    <>
      <PageMeta />
      {/* Fetches the data of the map ahead of its script, when the browser has nothing better to do. */}
      {['active', 'inactive'].map((status) => (
        <link key={status} rel="prefetch" href={`${PROVIDERS_PATH}?status=${status}&view=points`} />
      ))}
      {/* On a phone the clinics come first. */}
      <div className="mx-auto grid w-full max-w-[90rem] items-baseline gap-x-8 px-4 pt-3 sm:px-6 md:grid-cols-[1fr_auto] md:pt-5 lg:pt-7">
        <h1 className="font-display text-2xl leading-tight font-medium text-ink md:text-4xl">Provider Network</h1>
        <p className="flex flex-wrap gap-x-6 max-md:order-last max-md:mb-4">
          <PageLink to={paths.home} className={LINK}>
            Find a Provider
          </PageLink>
          <BecomeProviderLink className={LINK} />
        </p>
        <p className="text-quiet max-md:order-last max-md:text-sm md:col-span-2">
          Independent clinics, certified for the {brand.product}. Each one sets its own appointments.
        </p>
        <div className="mt-2 min-w-0 md:col-span-2">
          <NetworkMap />
        </div>
      </div>
      <section aria-labelledby="not-sure" className="mt-auto bg-mist">
        <div className="mx-auto flex max-w-[90rem] flex-wrap items-center justify-between gap-x-10 gap-y-4 px-4 py-8 sm:px-6">
          <div>
            <h2 id="not-sure" className="font-display text-2xl font-medium text-ink">
              Not sure? Let us match you
            </h2>
            <p className="mt-1">Tell us your zip code, and the nearest available clinic will reach out.</p>
          </div>
          <PageLink to={paths.home} className={buttonClass()}>
            Find Providers Near Me
          </PageLink>
        </div>
      </section>
    </>
  )
}
