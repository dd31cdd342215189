import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useMap } from 'react-leaflet'
import { milesBetween } from '../../lib/distance.ts'
import { providerQuery } from '../../shared/providers/get-provider.ts'
import { ProviderCard } from './provider-card.tsx'
import { milesText, type Origin } from './results.ts'

/** Shows the popup of a provider's pin. Loads the provider on demand. */
export function ProviderPopup({ id, origin }: { id: number; origin?: Origin }) {
  const { data: provider, isPending } = useQuery(providerQuery({ id }))
  useFit(isPending)
  if (isPending) return <p className="grid min-h-50 place-content-center">Loading provider information...</p>
  if (!provider) return <p>Provider information not available.</p>

  const { latitude, longitude } = provider
  const miles = origin && latitude !== null && longitude !== null && milesBetween(origin, { latitude, longitude })
  return (
    <div className="font-sans text-sm">
      <ProviderCard
        provider={provider}
        isSmall
        // Leaves room for the button that closes the popup.
        heading={(name) => <p className="pr-5 font-semibold text-ink">{name}</p>}
        distance={miles === undefined || miles === false ? undefined : `${milesText(miles)} from ${origin?.name}`}
      />
    </div>
  )
}

/** Lays the open popup out again, and moves the map so that all of it can be seen, when its content has changed. */
function useFit(content: unknown): void {
  const map = useMap()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the size of the popup depends on its content
  useEffect(() => {
    map.eachLayer((layer) => {
      const popup = layer.getPopup()
      if (popup?.isOpen()) popup.update()
    })
  }, [map, content])
}
