import type { Map as LeafletMap } from 'leaflet'
import { useDeferredValue, useMemo, useState } from 'react'
import { nearestTo, type Place } from '../../lib/distance.ts'
import { isIn } from '../../shared/map/clusters.ts'
import { zoomTo } from '../../shared/map/marks.tsx'
import { useMarkedMap } from '../../shared/map/use-marked-map.ts'
import type { View } from '../../shared/map/view.ts'

/** Maximum number of providers in the list. */
const LISTED = 20
/** Number of nearest providers that a search brings into view. */
const NEAREST = 5
const FURTHEST_OUT = 4
const CLOSEST = 11

/** The origin of distances. */
export type Origin = Place & { name: string }

/** Returns the providers on a map, those in view, and the functions that move the map. */
export function useNetworkMap() {
  const marked = useMarkedMap()
  const { map } = marked
  // The map has priority; the list follows a moment later.
  const points = useDeferredValue(marked.points)
  const view = useDeferredValue(marked.view)
  const [origin, setOrigin] = useState<Origin>()

  const listed = useMemo(() => {
    if (!view) return []
    return nearestTo(
      origin ?? middleOf(view),
      points.filter((point) => isIn(view, point)),
      LISTED,
    )
  }, [points, view, origin])

  /** The providers in the list and the providers with a pin. */
  const marks = useDeferredValue(marked.marks)
  const shownIds = useMemo(() => {
    const pins = marks.filter(({ kind }) => kind === 'provider')
    return [...new Set([...listed, ...pins].map(({ id }) => id))]
  }, [listed, marks])

  /** Shows a place with the providers nearest to it. */
  function showAround(place: Origin) {
    setOrigin(place)
    if (!map) return
    const furthest = nearestTo(place, points, NEAREST).at(-1)
    zoomTo(map, place, furthest ? zoomToSee(map, place, furthest) : CLOSEST)
  }

  return { ...marked, listed, shownIds, origin, setOrigin, showAround }
}

/** Returns the closest zoom at which both places are in view, with the first in the middle. */
function zoomToSee(map: LeafletMap, middle: Place, other: Place): number {
  const north = Math.abs(other.latitude - middle.latitude)
  const east = Math.abs(other.longitude - middle.longitude)
  const zoom = map.getBoundsZoom([
    [middle.latitude - north, middle.longitude - east],
    [middle.latitude + north, middle.longitude + east],
  ])
  return Math.min(CLOSEST, Math.max(FURTHEST_OUT, zoom))
}

function middleOf({ bounds: [west, south, east, north] }: View): Place {
  return { latitude: (south + north) / 2, longitude: (west + east) / 2 }
}
