import type { ReactNode } from 'react'
import type { MicrositeProvider } from '../../../core/contract/providers.ts'
import { lazyPart } from '../../lib/lazy-parts.ts'
import { useProviderOfPage } from '../../lib/provider-of-page.ts'

const LookedUpProvider = lazyPart(() => import('./looked-up-provider.tsx').then((part) => part.LookedUpProvider))

type Props = {
  loading: ReactNode
  /** There is no such provider, or nobody could say. */
  none: ReactNode
  children: (provider: MicrositeProvider) => ReactNode
}

/** Draws what depends on the page's provider. */
export function WithProviderOfPage({ loading, none, children }: Props) {
  const ofPage = useProviderOfPage()
  if (!ofPage.known) {
    return (
      <LookedUpProvider wanted={ofPage.wanted} loading={loading} none={none}>
        {children}
      </LookedUpProvider>
    )
  }
  return ofPage.provider ? children(ofPage.provider) : none
}
