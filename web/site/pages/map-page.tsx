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
      <div className="mx-auto flex w-full max-w-6xl flex-wrap items-baseline justify-between gap-x-8 px-4 pt-5 pb-2 sm:px-6 lg:pt-7">
        <h1 className="font-display text-4xl leading-tight font-medium text-ink">Provider Network</h1>
        <p className="order-last flex flex-wrap gap-x-6 md:order-none">
          <PageLink to={paths.home} className={LINK}>
            Find a Provider
          </PageLink>
          <BecomeProviderLink className={LINK} />
        </p>
        <p className="w-full text-quiet max-md:text-sm">
          Independent clinics, certified for the {brand.product}. Each one tells you when it can see you.
        </p>
      </div>
      <NetworkMap />
      <section aria-labelledby="not-sure" className="mt-auto bg-mist">
        <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-10 gap-y-4 px-4 py-8 sm:px-6">
          <div>
            <h2 id="not-sure" className="font-display text-2xl font-medium text-ink">
              Not sure? We match you
            </h2>
            <p className="mt-1">Tell us your zip code, and the nearest clinic with time for you gets in touch.</p>
          </div>
          <PageLink to={paths.home} className={buttonClass()}>
            Find Providers Near Me
          </PageLink>
        </div>
      </section>
    </>
  )
}
