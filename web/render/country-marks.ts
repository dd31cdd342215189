import type { Mark, ProviderPoint } from '../../core/contract/places.ts'
import { createClusters } from '../shared/map/clusters.ts'
import { COUNTRY } from '../shared/map/points.ts'

/** The error is far below a pixel of this map. */
const DECIMALS = 3

/** Returns the initial marks of a map of the whole country. */
export function countryMarks(points: ProviderPoint[]): Mark[] {
  return createClusters(points)
    .marksIn(COUNTRY)
    .map((mark) => ({ ...mark, latitude: rounded(mark.latitude), longitude: rounded(mark.longitude) }))
}

function rounded(degrees: number): number {
  return Number(degrees.toFixed(DECIMALS))
}
