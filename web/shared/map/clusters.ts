import Supercluster from 'supercluster'
import type { Mark, ProviderPoint } from '../../../core/contract/provider-points.ts'
import type { Place } from '../../lib/distance.ts'
import type { View } from './view.ts'

/** In pixels. Wide enough that clusters do not cover each other, and that a large screen never holds 150 marks. */
const CLUSTER_RADIUS = 64
/** Of Leaflet's, in pixels; what the radius is counted in. */
const TILE_SIZE = 256
/** From here on each provider has a pin of its own. */
const MAX_CLUSTER_ZOOM = 13

/** How far beyond each edge of the view there are marks, as a part of its size: who pans a little sees them at once. */
const MARGIN = 0.15

/** Sorts the points once, so that the marks of any view are found in a moment. */
export function createClusters(points: ProviderPoint[]) {
  const index = new Supercluster<Omit<ProviderPoint, keyof Place>>({
    radius: CLUSTER_RADIUS,
    extent: TILE_SIZE,
    maxZoom: MAX_CLUSTER_ZOOM,
  }).load(
    points.map(({ id, isInactive, latitude, longitude }) => ({
      type: 'Feature',
      properties: { id, ...(isInactive && { isInactive }) },
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
    })),
  )

  return {
    marksIn({ bounds, zoom }: View): Mark[] {
      return index.getClusters(widened(bounds), Math.round(zoom)).map(({ geometry, properties }) => {
        const [longitude = 0, latitude = 0] = geometry.coordinates
        return 'cluster' in properties
          ? { kind: 'cluster', id: properties.cluster_id, count: properties.point_count, latitude, longitude }
          : { kind: 'provider', ...properties, latitude, longitude }
      })
    },
    /** The zoom at which a cluster falls apart. */
    zoomInto: (clusterId: number) => index.getClusterExpansionZoom(clusterId),
  }
}

export type Clusters = ReturnType<typeof createClusters>

/** Whether a place is in sight. */
export function isIn({ bounds: [west, south, east, north] }: View, { latitude, longitude }: Place): boolean {
  return latitude >= south && latitude <= north && longitude >= west && longitude <= east
}

function widened([west, south, east, north]: View['bounds']): View['bounds'] {
  const width = (east - west) * MARGIN
  const height = (north - south) * MARGIN
  return [west - width, south - height, east + width, north + height]
}
