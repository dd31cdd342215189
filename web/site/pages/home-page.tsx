import { Suspense } from 'react'
import { useSearchParams } from 'react-router-dom'
import { namedProvider } from '../../../core/contract/page.ts'
import { lazyOnInteraction } from '../../lib/lazy-parts.ts'
import { anchors } from '../../pages.ts'
import { PageMeta } from '../../shared/page-meta.tsx'
import { AsSeenOn } from '../landing/as-seen-on.tsx'
import { Hero } from '../landing/hero.tsx'
import { LeadFormCard } from '../lead-form/lead-form-card.tsx'
import { MicrositeLoading, MicrositeNotFound, MicrositeUnavailable } from '../microsite/microsite-states.tsx'
import { WithProviderOfPage } from '../providers/with-provider-of-page.tsx'
import { Microsite } from './microsite-page.tsx'

// There is much of it, and its HTML is whole without a script.
const LandingSections = lazyOnInteraction(
  () => import('./landing-sections.tsx').then((part) => part.LandingSections),
  `#${anchors.whatIs}`,
)

/** A provider's site where the address or the host is a provider's, else our own. */
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
