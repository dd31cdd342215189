import type { ReactNode } from 'react'
import type { MicrositeProvider } from '../../../core/contract/providers.ts'
import { lazyPart } from '../../lib/lazy-parts.ts'
import { useProviderOfPage } from '../../lib/provider-of-page.ts'

const LookedUpProvider = lazyPart(() => import('./looked-up-provider.tsx').then((part) => part.LookedUpProvider))

type Props = {
  loading: ReactNode
  /** Shown where there is no such provider, or it is not known whether there is. */
  none: ReactNode
  /** Shown instead of `none` where the address names a provider and it is not known whether there is one. */
  failed?: (retry: () => void) => ReactNode
  children: (provider: MicrositeProvider) => ReactNode
}

/** Draws what depends on the page's provider. */
export function WithProviderOfPage(props: Props) {
  const ofPage = useProviderOfPage()
  if (!ofPage.known) return <LookedUpProvider wanted={ofPage.wanted} {...props} />
  return ofPage.provider ? props.children(ofPage.provider) : props.none
}
