import type { Map as LeafletMap } from 'leaflet'
import { useCallback, useMemo, useState } from 'react'
import type { ProviderPoint } from '../../../core/contract/places.ts'
import { createClusters } from './clusters.ts'
import { viewOf } from './map-frame.tsx'
import type { View } from './points.ts'
import { usePoints } from './points.ts'

/** Returns all providers and their marks on a map. */
export function useMarkedMap() {
  const list = usePoints()
  return { ...list, ...useMarks(list.points) }
}

/** Returns a map and its marks for these providers, the props of `MapFrame` and `Marks`. */
export function useMarks(points: ProviderPoint[]) {
  const [map, setMap] = useState<LeafletMap | null>(null)
  const [view, setView] = useState<View>()
  const clusters = useMemo(() => createClusters(points), [points])

  const mapRef = useCallback((created: LeafletMap | null) => {
    setMap(created)
    if (created) setView(viewOf(created))
  }, [])

  const marks = useMemo(() => (view ? clusters.marksIn(view) : []), [clusters, view])

  return { map, mapRef, view, setView, clusters, marks }
}
