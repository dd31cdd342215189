import { Suspense } from 'react'
import { useSearchParams } from 'react-router-dom'
import { brand } from '../../../core/brand/brand.ts'
import { namedProvider } from '../../../core/contract/page.ts'
import { lazyPart } from '../../lib/lazy-parts.ts'
import { PageMeta } from '../../shared/page-meta.tsx'
import { Hero } from '../landing/hero.tsx'
import { LeadFormCard } from '../lead-form/lead-form-card.tsx'
import { MicrositeLoading, MicrositeNotFound, MicrositeUnavailable } from '../microsite/microsite-states.tsx'
import { WithProviderOfPage } from '../providers/with-provider-of-page.tsx'
import { Microsite } from './microsite-page.tsx'

// Large, and complete as HTML without a script.
const LandingSections = lazyPart(() => import('./landing-sections.tsx').then((part) => part.LandingSections))

/** Shows a provider's site if the address or the host names a provider, and otherwise our own. */
export function HomePage() {
  const [query] = useSearchParams()

  return (
    <WithProviderOfPage
      loading={<MicrositeLoading />}
      none={namedProvider(query) ? <MicrositeNotFound /> : <Landing />}
      failed={(retry) => <MicrositeUnavailable onRetry={retry} />}
    >
      {(provider) => <Microsite provider={provider} />}
    </WithProviderOfPage>
  )
}

function Landing() {
  return (
    <>
      <PageMeta />
      <Hero form={<LeadFormCard />} />
      <AsSeenOn />
      <Suspense>
        <LandingSections />
      </Suspense>
    </>
  )
}

/** Shows the press about the product, and its maker. */
function AsSeenOn() {
  return (
    <section aria-labelledby="as-seen-on-heading" className="below-fold border-b border-line bg-mist">
      <div className="mx-auto grid max-w-6xl items-center gap-x-16 gap-y-10 px-4 py-12 sm:px-6 lg:grid-cols-[minmax(0,1fr)_26rem] lg:gap-x-12 lg:py-14">
        <div>
          <h2 id="as-seen-on-heading" className="font-display text-2xl text-ink">
            As seen on
          </h2>
          <ul className="mt-5 grid grid-cols-2 gap-px overflow-hidden rounded-xl border border-line bg-line sm:grid-cols-4">
            {brand.partners.map(({ name, logo, width, height }) => (
              <li key={name} className="grid min-h-18 place-items-center bg-mist px-4 sm:min-h-24">
                <img
                  src={logo}
                  alt={name}
                  width={width}
                  height={height}
                  loading="lazy"
                  className="h-auto max-h-8 w-auto sm:max-h-9 max-w-full"
                />
              </li>
            ))}
          </ul>
        </div>
        <Creator />
      </div>
    </section>
  )
}

function Creator() {
  const { name, role, credentials, portrait } = brand.creator
  return (
    <figure className="grid grid-cols-[6.5rem_1fr] items-center gap-x-5 sm:grid-cols-[9.5rem_1fr] sm:gap-x-6">
      <img src={portrait} alt={`Portrait of ${name}`} width="400" height="480" loading="lazy" className="rounded-xl" />
      <figcaption>
        <p className="font-display text-[1.375rem] leading-tight text-ink sm:text-2xl">{name}</p>
        <p className="mt-1 font-semibold text-secondary">{role}</p>
        <ul className="mt-3 grid gap-1 text-[0.9375rem] leading-snug text-quiet">
          {credentials.map((credential) => (
            <li key={credential}>{credential}</li>
          ))}
        </ul>
      </figcaption>
    </figure>
  )
}
