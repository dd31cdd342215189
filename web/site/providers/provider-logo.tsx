import type { MicrositeProvider } from '../../../core/providers/contract/providers.ts'
import { useImageFault } from '../../lib/hooks.ts'
import { ClinicWordmark, Logo } from '../../shared/logo.tsx'
import { WithProviderOfPage } from './with-provider-of-page.tsx'

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
      className="h-10 w-24 max-w-full object-contain object-left min-[390px]:w-36 sm:w-48"
      {...image}
    />
  )
}
