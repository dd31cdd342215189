import Supercluster from 'supercluster'
import type { Mark, Place, ProviderPoint } from '../../../core/contract/places.ts'
import type { View } from './points.ts'

/** In pixels. Large enough that clusters do not overlap and that a large screen has fewer than 150 marks. */
const CLUSTER_RADIUS = 64
/** Leaflet's tile size in pixels, the unit of the radius. */
const TILE_SIZE = 256
/** Above this zoom each provider has its own pin. */
const MAX_CLUSTER_ZOOM = 13

/** The distance in pixels below which a pin would hide another one, and the one that pins of one place are spread to. */
const HIDDEN = 20
const SPREAD = 34

/** Half the side of the area that is searched for a pin, in degrees. */
const NEARBY = 0.001
/** The number of providers of a cluster that are looked at to say where it is. */
const MEMBERS = 20

/** The margin around the view that also has marks, as a share of its size, so that a short pan shows them at once. */
const MARGIN = 0.15

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
      const marks = index.getClusters(widened(bounds), Math.round(zoom)).map(({ geometry, properties }): Mark => {
        const [longitude = 0, latitude = 0] = geometry.coordinates
        return 'cluster' in properties
          ? { kind: 'cluster', id: properties.cluster_id, count: properties.point_count, latitude, longitude }
          : { kind: 'provider', ...properties, latitude, longitude }
      })
      return zoom > MAX_CLUSTER_ZOOM ? spread(marks, zoom) : marks
    },
    zoomInto: (clusterId: number) => index.getClusterExpansionZoom(clusterId),
    /** Returns the smallest zoom, from `zoom` on, at which a provider has a pin of its own. */
    zoomToPin({ id, latitude, longitude }: ProviderPoint, zoom: number): number {
      for (let closer = Math.round(zoom); closer <= MAX_CLUSTER_ZOOM; closer++) {
        const around: View['bounds'] = [longitude - NEARBY, latitude - NEARBY, longitude + NEARBY, latitude + NEARBY]
        const marks = index.getClusters(around, closer)
        if (marks.some(({ properties }) => !('cluster' in properties) && properties.id === id)) return closer
      }
      return MAX_CLUSTER_ZOOM + 1
    },
    /** Returns the id of a provider in a cluster, one of those nearest to its middle. */
    memberOf(clusterId: number, middle: Place): number {
      const [first, ...others] = index.getLeaves(clusterId, MEMBERS).map(({ geometry, properties }) => {
        const [longitude = 0, latitude = 0] = geometry.coordinates
        return { id: properties.id, off: Math.hypot(longitude - middle.longitude, latitude - middle.latitude) }
      })
      return others.reduce((best, each) => (each.off < (best?.off ?? Infinity) ? each : best), first)?.id ?? 0
    },
  }
}

export type Clusters = ReturnType<typeof createClusters>

/** Puts pins of one place, such as clinics in one building, into a circle around it, so that each can be reached. */
function spread(marks: Mark[], zoom: number): Mark[] {
  const degrees = 360 / (TILE_SIZE * 2 ** zoom)
  const groups: { middle: Place; pins: Mark[] }[] = []
  // By id, so that each pin keeps its place when the map is moved.
  for (const pin of marks.toSorted((a, b) => a.id - b.id)) {
    const group = groups.find(({ middle }) => pixelsBetween(middle, pin, degrees) < HIDDEN)
    if (group) group.pins.push(pin)
    else groups.push({ middle: pin, pins: [pin] })
  }
  return groups.flatMap(({ middle, pins }) => {
    if (pins.length === 1) return pins
    const radius = (degrees * SPREAD) / 2 / Math.sin(Math.PI / pins.length)
    return pins.map((pin, index) => {
      const angle = (2 * Math.PI * index) / pins.length
      return {
        ...pin,
        longitude: middle.longitude - radius * Math.cos(angle),
        latitude: middle.latitude + radius * Math.sin(angle) * shrink(middle),
      }
    })
  })
}

function pixelsBetween(a: Place, b: Place, degrees: number): number {
  return Math.hypot(a.longitude - b.longitude, (a.latitude - b.latitude) / shrink(a)) / degrees
}

/** Returns how many degrees of latitude are as high on the map as one of longitude is wide. */
function shrink({ latitude }: Place): number {
  return Math.cos((latitude * Math.PI) / 180)
}

function widened([west, south, east, north]: View['bounds']): View['bounds'] {
  const width = (east - west) * MARGIN
  const height = (north - south) * MARGIN
  return [west - width, south - height, east + width, north + height]
}
