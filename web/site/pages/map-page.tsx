import { Suspense } from 'react'
import { brand } from '../../../core/brand/brand.ts'
import { PROVIDERS_PATH } from '../../../core/contract/page.ts'
import { lazyPart } from '../../lib/lazy-parts.ts'
import { usePageData } from '../../lib/page-data.ts'
import { useHydrated } from '../../lib/use-hydrated.ts'
import { paths } from '../../paths.ts'
import { CountryMap } from '../../shared/map/country-map.tsx'
import { PageLink } from '../../shared/page-link.tsx'
import { PageMeta } from '../../shared/page-meta.tsx'
import { buttonClass } from '../../ui/button.tsx'

const NetworkMap = lazyPart(() => import('../map/network-map.tsx').then((part) => part.NetworkMap))

export function MapPage() {
  return (
    <>
      <PageMeta />
      <Lists />
      <div className="mx-auto flex max-w-6xl flex-wrap items-end justify-between gap-x-10 gap-y-5 px-4 pt-10 pb-8 sm:px-6 lg:pt-14">
        <div>
          <h1 className="font-display text-4xl leading-tight font-medium text-ink sm:text-5xl">Provider Network</h1>
          <p className="mt-3 max-w-[60ch]">
            Independent clinics that are certified for the {brand.product}. Search by zip code, or choose a pin to see
            who is there. Availability changes; the clinic tells you when it can see you.
          </p>
        </div>
        <div className="flex flex-wrap gap-3">
          <PageLink to={paths.home} className={buttonClass({ variant: 'outline' })}>
            Find a Provider
          </PageLink>
          <BecomeProvider />
        </div>
      </div>
      <InBrowser />
    </>
  )
}

/** Shows the link to the page for clinics. `brand` sets whether that page is on this site or on another. */
function BecomeProvider() {
  const to = brand.becomeProviderUrl
  const className = buttonClass({ variant: 'outline' })
  return to.startsWith('/') ? (
    <PageLink to={to} className={className}>
      Become a Provider
    </PageLink>
  ) : (
    <a href={to} className={className}>
      Become a Provider
    </a>
  )
}

/**
 * Preloads the data of the map while its script loads. The mode must be that of `call`, or the data would be loaded
 * twice.
 */
function Lists() {
  return (['active', 'inactive'] as const).map((status) => (
    <link
      key={status}
      rel="preload"
      as="fetch"
      href={`${PROVIDERS_PATH}?status=${status}&view=points`}
      crossOrigin="use-credentials"
    />
  ))
}

/** Shows the map in the browser, and a picture of it until its script has loaded. */
function InBrowser() {
  const isHydrated = useHydrated()
  const { marks } = usePageData()
  const picture = <CountryMap marks={marks} />
  if (!isHydrated) return picture
  return (
    <Suspense fallback={picture}>
      <NetworkMap />
    </Suspense>
  )
}
