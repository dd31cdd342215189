import { clinicPicturePath, STATE_MAP } from '../../../core/contract/clinic-pictures.ts'
import type { MicrositeProvider } from '../../../core/contract/providers.ts'
import { useImageFault } from '../../lib/use-image-fault.ts'

/** Shows where a provider is on a map of its state, which the server draws. Nothing without coordinates. */
export function StateMap({ provider, className = '' }: { provider: MicrositeProvider; className?: string }) {
  const { isFaulty, ...image } = useImageFault()
  const { latitude, longitude, city, state } = provider
  if (latitude === null || longitude === null || isFaulty) return null
  return (
    <img
      src={clinicPicturePath('map.svg', provider)}
      alt={city && state ? `Map: ${city}, ${state}` : 'Map of the provider’s state'}
      {...STATE_MAP}
      loading="lazy"
      {...image}
      className={`h-auto w-full bg-mist ${className}`}
    />
  )
}
