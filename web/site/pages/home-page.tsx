import { useSearchParams } from 'react-router-dom'
import { namedProvider } from '../../../core/contract/page.ts'
import { lazyPart } from '../../lib/lazy-parts.ts'
import { MicrositeLoading, MicrositeNotFound, MicrositeUnavailable } from '../microsite/microsite-states.tsx'
import { WithProviderOfPage } from '../providers/with-provider-of-page.tsx'

const LandingPage = lazyPart(() => import('./landing-page.tsx').then((page) => page.LandingPage))
const MicrositePage = lazyPart(() => import('./microsite-page.tsx').then((page) => page.MicrositePage))

/** A provider's site where the address or the host is a provider's, else our own. */
export function HomePage() {
  const [query] = useSearchParams()

  return (
    <WithProviderOfPage
      loading={<MicrositeLoading />}
      none={namedProvider(query) ? <MicrositeNotFound /> : <LandingPage />}
      failed={(retry) => <MicrositeUnavailable onRetry={retry} />}
    >
      {(provider) => <MicrositePage provider={provider} />}
    </WithProviderOfPage>
  )
}
