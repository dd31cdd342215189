import { z } from 'zod'

/** A place in degrees (WGS 84). */
type Place = { latitude: number; longitude: number }

/** A provider on a map, and what it offers. An inactive one takes no new patients. */
export type ProviderPoint = Place & { id: number; isInactive?: boolean; isFree?: boolean; hasFinancing?: boolean }

/** A mark on a map: one provider, or a cluster of providers that are too close to tell apart. */
export type Mark = Place &
  ({ kind: 'provider'; id: number; isInactive?: boolean } | { kind: 'cluster'; id: number; count: number })

/**
 * The places of many providers in few bytes, as columns. `idSteps` holds the difference of each id to the one before it;
 * the first is the id itself. `offers` has a digit for each: 1 for a free consultation, plus 2 for financing.
 */
export const PackedPoints = z.object({
  idSteps: z.array(z.number().int()),
  latitudes: z.array(z.number()),
  longitudes: z.array(z.number()),
  offers: z.string().regex(/^[0-3]*$/),
})
export type PackedPoints = z.infer<typeof PackedPoints>

/** Five decimals of a degree are about a meter. */
const PRECISION = 1e5

/** Packs points. @param points sorted by id, which makes the steps small */
export function packPoints(points: ProviderPoint[]): PackedPoints {
  return {
    idSteps: points.map(({ id }, index) => id - (points[index - 1]?.id ?? 0)),
    latitudes: points.map(({ latitude }) => rounded(latitude)),
    longitudes: points.map(({ longitude }) => rounded(longitude)),
    offers: points.map(({ isFree, hasFinancing }) => Number(isFree ?? 0) + 2 * Number(hasFinancing ?? 0)).join(''),
  }
}

export function unpackPoints({ idSteps, latitudes, longitudes, offers }: PackedPoints): ProviderPoint[] {
  let id = 0
  return idSteps.map((step, index) => {
    id += step
    const offer = Number(offers[index] ?? 0)
    return {
      id,
      latitude: latitudes[index] ?? 0,
      longitude: longitudes[index] ?? 0,
      isFree: (offer & 1) > 0,
      hasFinancing: (offer & 2) > 0,
    }
  })
}

function rounded(degrees: number): number {
  return Math.round(degrees * PRECISION) / PRECISION
}
