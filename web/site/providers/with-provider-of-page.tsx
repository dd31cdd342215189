import type { ReactNode } from 'react'
import type { MicrositeProvider } from '../../../core/providers/contract/providers.ts'
import { lazyPart } from '../../lib/lazy-parts.ts'
import { useProviderOfPage } from '../../lib/page-data.ts'
import { useImageFault } from '../../lib/use-hydrated.ts'
import { ClinicWordmark, Logo } from '../../shared/logo.tsx'

const LookedUpProvider = lazyPart(() => import('./looked-up-provider.tsx').then((part) => part.LookedUpProvider))

type Props = {
  loading: ReactNode
  /** Shown if there is no such provider, or if the lookup failed. */
  none: ReactNode
  /** Shown instead of `none` if the address names a provider and the lookup failed. */
  failed?: (retry: () => void) => ReactNode
  children: (provider: MicrositeProvider) => ReactNode
}

export function WithProviderOfPage(props: Props) {
  const ofPage = useProviderOfPage()
  if (!ofPage.known) return <LookedUpProvider wanted={ofPage.wanted} {...props} />
  return ofPage.provider ? props.children(ofPage.provider) : props.none
}

/** Shows the logo of the page's provider, or its name without one; our own on other pages. */
export function ProviderLogo() {
  return (
    <WithProviderOfPage loading={<Logo />} none={<Logo />}>
      {(provider) => <LogoOf provider={provider} />}
    </WithProviderOfPage>
  )
}

function LogoOf({ provider: { logo_url, practiceName, name } }: { provider: MicrositeProvider }) {
  const { isFaulty, ...image } = useImageFault()
  if (!logo_url || isFaulty) return <ClinicWordmark name={practiceName || name} />
  return (
    // The image's proportions are unknown, so its box has a fixed size to avoid a layout shift.
    <img
      src={logo_url}
      alt={practiceName || name}
      width={192}
      height={40}
      className="h-10 w-36 max-w-full min-w-0 object-contain object-left sm:w-48"
      {...image}
    />
  )
}

export function MicrositeLoading() {
  return (
    <div role="status" data-live className="grid grow place-content-center gap-4 bg-mist px-4 py-24 text-center">
      <span aria-hidden="true" className="scale-x h-6 w-60 animate-pulse text-edge/70" />
      <p className="text-quiet">Loading...</p>
    </div>
  )
}
