import type { Place } from '../../lib/distance.ts'

/** The visible part of the world in degrees, and Leaflet's zoom. */
export type View = { bounds: [west: number, south: number, east: number, north: number]; zoom: number }

/** The view of a map of the whole country at its initial zoom. */
export const COUNTRY: View = { bounds: [-200, -20, -40, 75], zoom: 4 }

export { MIDDLE_OF_US } from '../../../core/contract/page.ts'

/** Width and height of the world at the zoom of `COUNTRY`, in pixels. */
const WORLD = 256 * 2 ** COUNTRY.zoom

/**
 * Returns the position of a place on a picture of the world that is `WORLD` pixels wide, in Leaflet's projection
 * (EPSG:3857).
 */
export function pixelOf({ latitude, longitude }: Place): { x: number; y: number } {
  const sine = Math.sin((latitude * Math.PI) / 180)
  return {
    x: Math.round(WORLD * (0.5 + longitude / 360)),
    y: Math.round(WORLD * (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI))),
  }
}

const NORTH_WEST = { latitude: 72, longitude: -180 }
const SOUTH_EAST = { latitude: 15, longitude: -60 }

/** The picture of the states' outlines (web/render/build.ts), and the corners of its area. */
export const OUTLINES_PICTURE = {
  url: '/art/map/states.svg',
  bounds: [NORTH_WEST, SOUTH_EAST].map(({ latitude, longitude }): [number, number] => [latitude, longitude]),
}

const [northWest, southEast] = [pixelOf(NORTH_WEST), pixelOf(SOUTH_EAST)]

/** That area in the picture of the world. */
export const OUTLINES = { ...northWest, width: southEast.x - northWest.x, height: southEast.y - northWest.y }

/** Returns whether a place is in a part of the map. */
export function isIn([west, south, east, north]: View['bounds'], { latitude, longitude }: Place): boolean {
  return latitude >= south && latitude <= north && longitude >= west && longitude <= east
}

export function middleOf([west, south, east, north]: View['bounds']): Place {
  return { latitude: (south + north) / 2, longitude: (west + east) / 2 }
}
