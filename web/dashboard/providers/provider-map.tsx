import { useCallback, useEffect, useMemo } from 'react'
import type { StaffSettings } from '../../../core/conditions/contract/integrations.ts'
import type { Place } from '../../../core/contract/places.ts'
import type { StaffProvider } from '../../../core/providers/contract/providers.ts'
import { MapFrame } from '../../shared/map/map-frame.tsx'
import { Marks, useMarks } from '../../shared/map/marks.tsx'
import { ProviderLink } from '../provider-link.tsx'

const MIDDLE: Place = { latitude: 39.8, longitude: -98.6 }

export type PlacedProvider = StaffProvider & { latitude: number; longitude: number }

type Props = {
  providers: PlacedProvider[]
  tiles: StaffSettings['map_tiles'] | null
}

export function ProviderMap({ providers, tiles }: Props) {
  const byId = useMemo(() => new Map(providers.map((provider) => [provider.id, provider])), [providers])
  const { map, mapRef, setView, clusters, marks } = useMarks(providers)
  // A narrow card would cut off both coasts at the usual zoom.
  useEffect(() => {
    const pins = providers.map(({ latitude, longitude }): [number, number] => [latitude, longitude])
    if (map && pins.length > 0) map.fitBounds(pins, { padding: [24, 24], maxZoom: map.getZoom() })
  }, [map, providers])
  const nameOf = (id: number) => byId.get(id)?.name ?? ''
  const popupOf = useCallback((id: number) => <ProviderPopup provider={byId.get(id)} />, [byId])

  return (
    <MapFrame
      label="Map of all providers"
      middle={MIDDLE}
      tiles={tiles}
      mapRef={mapRef}
      onView={setView}
      className="relative isolate h-100"
    >
      <Marks marks={marks} clusters={clusters} popupOf={popupOf} nameOf={nameOf} />
    </MapFrame>
  )
}

function ProviderPopup({ provider }: { provider: PlacedProvider | undefined }) {
  if (!provider) return null
  const { id, name, address, zipCode, status } = provider
  return (
    <div className="text-sm wrap-anywhere">
      <p className="m-0! font-semibold">
        <ProviderLink id={id}>{name}</ProviderLink>
      </p>
      <p className="m-0! text-quiet">{address || zipCode}</p>
      {status === 'f' && <p className="m-0! font-semibold text-bad">Inactive</p>}
    </div>
  )
}
