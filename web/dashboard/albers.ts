/** A place on the map of `us-atlas`, in the units of its drawing of 975 by 610. */
export type Point = { x: number; y: number }
type Place = { latitude: number; longitude: number; state: string | null }

export const MAP_SIZE = { width: 975, height: 610 }
/** The scale of the shapes of us-atlas (source: npm us-atlas, README). */
const SCALE = 1300
const MIDDLE: Point = { x: MAP_SIZE.width / 2, y: MAP_SIZE.height / 2 }

type Cone = {
  /** The standard parallels and the center, in degrees. */
  parallels: [number, number]
  latitude: number
  longitude: number
  /** The scale relative to the map's, and the place of its center. */
  scale: number
  middle: Point
}

const radians = (degrees: number) => (degrees * Math.PI) / 180

/** The projections of Alaska and Hawaii, which stand below the other states. Source: d3-geo, albersUsa.js. */
const CONES: Record<string, Cone> = {
  AK: { parallels: [55, 65], latitude: 58.5, longitude: -156, scale: 0.35, middle: { x: -0.307, y: 0.201 } },
  HI: { parallels: [8, 18], latitude: 19.9, longitude: -160, scale: 1, middle: { x: -0.205, y: 0.212 } },
  others: { parallels: [29.5, 45.5], latitude: 38.7, longitude: -96.6, scale: 1, middle: { x: 0, y: 0 } },
}
/** The central meridians, in degrees. */
const UPRIGHT: Record<string, number> = { AK: -154, HI: -157, others: -96 }

/** Projects a place. Returns null for places outside the map, such as Puerto Rico. */
export function project({ latitude, longitude, state }: Place): Point | null {
  const name = state === 'AK' || state === 'HI' ? state : 'others'
  const cone = CONES[name]
  const upright = UPRIGHT[name]
  if (!cone || upright === undefined) return null
  const place = onCone(cone, longitude - upright, latitude)
  const middle = onCone(cone, cone.longitude - upright, cone.latitude)
  const size = SCALE * cone.scale
  const point = {
    x: MIDDLE.x + SCALE * cone.middle.x + size * (place.x - middle.x),
    y: MIDDLE.y + SCALE * cone.middle.y + size * (place.y - middle.y),
  }
  const isOnMap = point.x >= 0 && point.x <= MAP_SIZE.width && point.y >= 0 && point.y <= MAP_SIZE.height
  return isOnMap ? point : null
}

/**
 * Computes Albers' equal-area conic projection, with y downwards. Source: Snyder, Map Projections (USGS 1395), 14-1 to
 * 14-6.
 */
function onCone({ parallels: [south, north] }: Cone, longitude: number, latitude: number): Point {
  const n = (Math.sin(radians(south)) + Math.sin(radians(north))) / 2
  const c = 1 + Math.sin(radians(south)) * (2 * n - Math.sin(radians(south)))
  const radius = Math.sqrt(c - 2 * n * Math.sin(radians(latitude))) / n
  const angle = n * radians(longitude)
  return { x: radius * Math.sin(angle), y: radius * Math.cos(angle) }
}
