import { memo, Suspense, useId, useMemo } from 'react'
import type { StaffProvider } from '../../../core/contract/providers.ts'
import { lazyPart } from '../../lib/lazy-parts.ts'
import { useSettings } from '../settings.ts'
import type { PlacedProvider } from './provider-map.tsx'

/** The map is a chunk of its own, because the list does not need Leaflet. */
const ProviderMap = lazyPart(() =>
  import('./provider-map.tsx').then(
    (part) => part.ProviderMap,
    () => MapMissing,
  ),
)

/** `providers` is undefined until they are loaded. */
type Props = { providers: StaffProvider[] | undefined }

/** Shows the providers on a map. Memoized: typing in the search beside it must not draw it again. */
export const ProviderMapCard = memo(function ProviderMapCard({ providers }: Props) {
  const id = useId()
  const settings = useSettings()
  const placed = useMemo(() => providers?.filter(isPlaced), [providers])
  const missing = (providers?.length ?? 0) - (placed?.length ?? 0)
  const loading = <MapPlaceholder>Loading map...</MapPlaceholder>

  return (
    <section aria-labelledby={id} className="overflow-hidden rounded-lg border border-line bg-background">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b border-line px-4 py-3">
        <h2 id={id} className="text-base font-semibold text-ink">
          Map View
        </h2>
        {missing > 0 && <p className="text-sm text-quiet">{missingText(missing)}</p>}
      </div>
      {placed && !settings.isPending ? (
        <Suspense fallback={loading}>
          {/* Without the settings it is known from nowhere where the tiles are; the map has outlines of its own. */}
          <ProviderMap providers={placed} tiles={settings.data?.map_tiles ?? null} />
        </Suspense>
      ) : (
        loading
      )}
    </section>
  )
})

/** Tells whether a provider has a place on the map. */
function isPlaced(provider: StaffProvider): provider is PlacedProvider {
  return provider.latitude !== null && provider.longitude !== null
}

function MapMissing() {
  return <MapPlaceholder>The map could not be loaded. Reloading the page usually helps.</MapPlaceholder>
}

function MapPlaceholder({ children }: { children: string }) {
  return (
    <p role="status" className="grid h-100 place-content-center bg-mist px-6 text-center text-quiet">
      {children}
    </p>
  )
}

function missingText(count: number): string {
  if (count === 1) return '1 provider has no coordinates and is not on the map.'
  return `${count.toLocaleString('en-US')} providers have no coordinates and are not on the map.`
}
