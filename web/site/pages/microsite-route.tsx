import { MicrositeLoading, MicrositeNotFound, MicrositeUnavailable } from '../microsite/microsite-states.tsx'
import { WithProviderOfPage } from '../providers/with-provider-of-page.tsx'
import { MicrositePage } from './microsite-page.tsx'

/** The site of the provider that the address or the host names. */
export function MicrositeRoute() {
  return (
    <WithProviderOfPage
      loading={<MicrositeLoading />}
      none={<MicrositeNotFound />}
      failed={(retry) => <MicrositeUnavailable onRetry={retry} />}
    >
      {(provider) => <MicrositePage provider={provider} />}
    </WithProviderOfPage>
  )
}
