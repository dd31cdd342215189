import { z } from 'zod'

/** Where something is, in degrees (WGS 84). */
type Place = { latitude: number; longitude: number }

/** An inactive provider takes no new patients; the maps show it as such. */
export type ProviderPoint = Place & { id: number; isInactive?: boolean }

/** What stands at one place of a map: a provider, or several that are too close to each other to be told apart. */
export type Mark = Place &
  ({ kind: 'provider'; id: number; isInactive?: boolean } | { kind: 'cluster'; id: number; count: number })

/**
 * What `GET /api/providers?view=points` answers: many providers' places in as few bytes as can be. A column for each
 * number; an id is told by how far it is above the one before it, the first above 0.
 */
export const PackedPoints = z.object({
  idSteps: z.array(z.number().int()),
  latitudes: z.array(z.number()),
  longitudes: z.array(z.number()),
})
export type PackedPoints = z.infer<typeof PackedPoints>

/** Five decimals of a degree are a metre. */
const PRECISION = 1e5

/** @param points in the order of their ids, which makes the steps small */
export function packPoints(points: ProviderPoint[]): PackedPoints {
  return {
    idSteps: points.map(({ id }, index) => id - (points[index - 1]?.id ?? 0)),
    latitudes: points.map(({ latitude }) => rounded(latitude)),
    longitudes: points.map(({ longitude }) => rounded(longitude)),
  }
}

export function unpackPoints({ idSteps, latitudes, longitudes }: PackedPoints): ProviderPoint[] {
  let id = 0
  return idSteps.map((step, index) => {
    id += step
    return { id, latitude: latitudes[index] ?? 0, longitude: longitudes[index] ?? 0 }
  })
}

function rounded(degrees: number): number {
  return Math.round(degrees * PRECISION) / PRECISION
}
