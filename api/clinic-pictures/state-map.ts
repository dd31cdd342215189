import { createRequire } from 'node:module'
import type { MultiPolygon, Polygon, Position } from 'geojson'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { brand } from '../../core/brand/brand.ts'
import { STATE_MAP } from '../../core/contract/clinic-pictures.ts'

type Place = { latitude: number; longitude: number }
type Pixel = [x: number, y: number]
/** One area of a state: its outer line, and the lines of the holes in it. */
type Area = { rings: Position[][]; bounds: Bounds }
type Bounds = { west: number; south: number; east: number; north: number }

const { width, height } = STATE_MAP
/** The free space around the state, in pixels. */
const MARGIN = 22
const PIN_SCALE = 1.6
const PIN_HEIGHT = 39 * PIN_SCALE
const PIN_MARGIN = 10
/** The shortest step of an outline, in pixels. */
const STEP = 2.5
const { mist, line, edge, lilac, primary, secondary, accent } = brand.colors

let states: Area[][] | undefined

/**
 * Returns the map of a place: its state among its neighbors, with a pin. It needs no tiles. Outlines: US Census Bureau,
 * cartographic boundary files, 2017 (npm us-atlas, ISC).
 */
export function stateMap(place: Place): string {
  states ??= readStates()
  const own = stateOf(place, states)
  const view = viewOf(place, own)
  const pixel = projection(view)
  const around = states.flat().filter((area) => overlaps(area.bounds, visible(view)))
  const [x, y] = pixel([place.longitude, place.latitude])
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" fill="${mist}"/>`,
    `<path d="${pathOf(around, pixel)}" fill="white" stroke="${line}" stroke-width="1.5" stroke-linejoin="round"/>`,
    `<path d="${pathOf(own, pixel)}" fill="${lilac}" stroke="${edge}" stroke-width="2" stroke-linejoin="round"/>`,
    ruler(),
    `<circle cx="${x}" cy="${y}" r="28" fill="${accent}" opacity=".22"/>`,
    pin(x, y),
    '</svg>',
  ].join('')
}

function readStates(): Area[][] {
  const topology: Topology<{ states: GeometryCollection }> = createRequire(import.meta.url)('us-atlas/states-10m.json')
  return feature(topology, topology.objects.states).features.map(({ geometry }) =>
    polygonsOf(geometry as Polygon | MultiPolygon).map((polygon) => {
      const rings = polygon.map((ring) => ring.map(westOfDateLine))
      return { rings, bounds: boundsOf(rings.flat()) }
    }),
  )
}

function polygonsOf(geometry: Polygon | MultiPolygon): Position[][][] {
  return geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
}

/** Moves the islands of Alaska that are beyond the date line to the others. */
function westOfDateLine([longitude = 0, latitude = 0]: Position): Position {
  return [longitude > 100 ? longitude - 360 : longitude, latitude]
}

function boundsOf(points: Position[]): Bounds {
  const bounds = { west: 180, south: 90, east: -180, north: -90 }
  for (const [longitude = 0, latitude = 0] of points) {
    bounds.west = Math.min(bounds.west, longitude)
    bounds.east = Math.max(bounds.east, longitude)
    bounds.south = Math.min(bounds.south, latitude)
    bounds.north = Math.max(bounds.north, latitude)
  }
  return bounds
}

/** Returns the state around a place, or the nearest one: an outline is too coarse for a place at the shore. */
function stateOf(place: Place, states: Area[][]): Area[] {
  const around = states.find((areas) => areas.some((area) => contains(area, place)))
  if (around) return around
  const [nearest = []] = states.toSorted((a, b) => squaredDistance(a, place) - squaredDistance(b, place))
  return nearest
}

/** Returns whether a ray to the east from a place crosses the lines of an area an odd number of times. */
function contains({ rings, bounds }: Area, { latitude, longitude }: Place): boolean {
  if (latitude < bounds.south || latitude > bounds.north || longitude > bounds.east) return false
  let isInside = false
  for (const ring of rings) {
    for (const [index, [x = 0, y = 0]] of ring.entries()) {
      const [beforeX = 0, beforeY = 0] = ring.at(index - 1) ?? []
      if (y > latitude === beforeY > latitude) continue
      if (longitude < x + ((beforeX - x) * (latitude - y)) / (beforeY - y)) isInside = !isInside
    }
  }
  return isInside
}

function squaredDistance(areas: Area[], place: Place): number {
  let least = Number.POSITIVE_INFINITY
  for (const [longitude = 0, latitude = 0] of areas.flatMap(({ rings }) => rings.flat())) {
    least = Math.min(least, (longitude - place.longitude) ** 2 + (latitude - place.latitude) ** 2)
  }
  return least
}

type View = { middle: Place; pixelsPerDegree: number }

/**
 * Returns the view of a state's largest area together with the area of the place. Far islands would make it too small to
 * read.
 */
function viewOf(place: Place, areas: Area[]): View {
  const sizeOf = ({ bounds }: Area) => (bounds.east - bounds.west) * (bounds.north - bounds.south)
  const [largest] = areas.toSorted((a, b) => sizeOf(b) - sizeOf(a))
  const own = areas.find((area) => contains(area, place))
  const corners = [largest, own].flatMap((area) =>
    area
      ? [
          [area.bounds.west, area.bounds.south],
          [area.bounds.east, area.bounds.north],
        ]
      : [],
  )
  const bounds = boundsOf([...corners, [place.longitude, place.latitude]])
  const middle = {
    latitude: (bounds.south + bounds.north) / 2,
    longitude: (bounds.west + bounds.east) / 2,
  }
  const pixelsPerDegree = Math.min(
    (width - 2 * MARGIN) / ((bounds.east - bounds.west) * shrinkAt(middle)),
    (height - 2 * MARGIN) / (bounds.north - bounds.south),
  )
  // A pin near the northern border must not be cut off.
  const pinTop = height / 2 - (place.latitude - middle.latitude) * pixelsPerDegree - PIN_HEIGHT
  middle.latitude += Math.max(0, PIN_MARGIN - pinTop) / pixelsPerDegree
  return { middle, pixelsPerDegree }
}

/** Returns the length of a degree of longitude relative to one of latitude. */
function shrinkAt({ latitude }: Place): number {
  return Math.cos((latitude * Math.PI) / 180)
}

/** Returns the equirectangular projection of a view, which is true to scale in its middle. */
function projection({ middle, pixelsPerDegree }: View) {
  const shrink = shrinkAt(middle)
  return ([longitude = 0, latitude = 0]: Position): Pixel => [
    Math.round(width / 2 + (longitude - middle.longitude) * shrink * pixelsPerDegree),
    Math.round(height / 2 - (latitude - middle.latitude) * pixelsPerDegree),
  ]
}

function visible({ middle, pixelsPerDegree }: View): Bounds {
  const degreesEast = width / 2 / (shrinkAt(middle) * pixelsPerDegree)
  const degreesNorth = height / 2 / pixelsPerDegree
  return {
    west: middle.longitude - degreesEast,
    east: middle.longitude + degreesEast,
    south: middle.latitude - degreesNorth,
    north: middle.latitude + degreesNorth,
  }
}

function overlaps(a: Bounds, b: Bounds): boolean {
  return a.west < b.east && a.east > b.west && a.south < b.north && a.north > b.south
}

/** Returns an SVG path through the lines of some areas, in steps from each corner to the next. */
function pathOf(areas: Area[], pixel: (position: Position) => Pixel): string {
  return areas.flatMap(({ rings }) => rings.map((ring) => lineOf(ring.map(pixel)))).join('')
}

function lineOf([start, ...others]: Pixel[]): string {
  if (!start) return ''
  let [x, y] = start
  const steps = others.flatMap(([nextX, nextY]) => {
    const [right, down] = [nextX - x, nextY - y]
    if (Math.hypot(right, down) < STEP || isFarOutside(nextX, nextY, x, y)) return []
    ;[x, y] = [nextX, nextY]
    return [`${right} ${down}`]
  })
  return steps.length > 1 ? `M${start.join(' ')}l${steps.join(' ')}z` : ''
}

/** Returns whether a corner can be left out because it and the one before are far outside, on the same side. */
function isFarOutside(x: number, y: number, beforeX: number, beforeY: number): boolean {
  const far = 60
  const near = Math.hypot(x - beforeX, y - beforeY) < far
  const isOutside = x < -far || y < -far || x > width + far || y > height + far
  return near && isOutside
}

/** Draws the brand's scale along the lower edge. */
function ruler(): string {
  const ticks = Array.from({ length: width / 10 - 1 }, (_, index) => (index + 1) * 10)
  const path = ticks.map((x) => `M${x} ${height}v-${x % 50 === 0 ? 14 : 7}`).join('')
  return `<path d="${path}" stroke="${edge}" opacity=".5"/>`
}

/** Draws the pin of the maps (web/public/art/map/pin.svg). */
function pin(x: number, y: number): string {
  return [
    `<g transform="translate(${x - 15 * PIN_SCALE} ${y - PIN_HEIGHT}) scale(${PIN_SCALE})">`,
    `<path d="M15 39S2 24.6 2 14.5a13 13 0 0 1 26 0C28 24.6 15 39 15 39Z" fill="${primary}" stroke="white" stroke-width="2"/>`,
    '<circle cx="15" cy="14.5" r="6.2" fill="white"/>',
    `<path d="m11.9 14.8 2.3 2.2 4-4.6" fill="none" stroke="${secondary}" stroke-width="1.9" stroke-linecap="round" stroke-linejoin="round"/>`,
    '</g>',
  ].join('')
}
