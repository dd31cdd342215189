import type { Mark, ProviderPoint } from '../../../core/contract/provider-points.ts'
import { createClusters } from './clusters.ts'
import { COUNTRY } from './view.ts'

/** Far below a pixel of such a map. */
const DECIMALS = 3

/** What a map of the whole country shows when it begins. */
export function countryMarks(points: ProviderPoint[]): Mark[] {
  return createClusters(points)
    .marksIn(COUNTRY)
    .map((mark) => ({ ...mark, latitude: rounded(mark.latitude), longitude: rounded(mark.longitude) }))
}

function rounded(degrees: number): number {
  return Number(degrees.toFixed(DECIMALS))
}
