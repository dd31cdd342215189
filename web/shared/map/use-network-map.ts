import type { Map as LeafletMap } from 'leaflet'
import { useDeferredValue, useMemo, useState } from 'react'
import { nearestTo, type Place } from '../../lib/distance.ts'
import { isIn } from './clusters.ts'
import { zoomTo } from './marks.tsx'
import { useMarkedMap } from './use-marked-map.ts'
import type { View } from './view.ts'

/** How many are listed beside the map. */
const LISTED = 20
/** How many of the nearest a search brings into sight. */
const NEAREST = 5
const FURTHEST_OUT = 4
const CLOSEST = 11

/** From where distances are counted. */
export type Origin = Place & { name: string }

/** The providers on a map, those of them that are in sight, and the ways to move it. */
export function useNetworkMap() {
  const marked = useMarkedMap()
  const { map } = marked
  // The map comes first: what it shows is listed a moment later.
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

  /** Those in the list, and those with a pin of their own. */
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

/** The closest zoom at which both places are in sight, with the first in the middle. */
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
