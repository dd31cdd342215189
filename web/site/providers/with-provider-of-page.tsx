import type { ReactNode } from 'react'
import type { MicrositeProvider } from '../../../core/providers/contract/providers.ts'
import { lazyPart } from '../../lib/lazy-parts.ts'
import { useProviderOfPage } from '../../lib/page-data.ts'

const LookedUpProvider = lazyPart(() => import('./looked-up-provider.tsx').then((part) => part.LookedUpProvider))

type Props = {
  loading: ReactNode
  /** Shown if there is no such provider, or if the lookup failed. */
  none: ReactNode
  /** Shown instead of `none` if the address names a provider and the lookup failed. */
  failed?: (retry: () => void) => ReactNode
  children: (provider: MicrositeProvider) => ReactNode
}

/** Shows content that depends on the page's provider. */
export function WithProviderOfPage(props: Props) {
  const ofPage = useProviderOfPage()
  if (!ofPage.known) return <LookedUpProvider wanted={ofPage.wanted} {...props} />
  return ofPage.provider ? props.children(ofPage.provider) : props.none
}
