import { z } from 'zod'

/** A place on earth, in degrees (WGS 84). */
export type Place = { latitude: number; longitude: number }

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

/** Mean radius of the earth, as the International Union of Geodesy and Geophysics defines it (6,371.0088 km). */
const EARTH_RADIUS_MILES = 3958.7613

/** Returns the great-circle distance in miles, by the haversine formula. */
export function milesBetween(a: Place, b: Place): number {
  const latitudes = radians(b.latitude - a.latitude)
  const longitudes = radians(b.longitude - a.longitude)
  const chord =
    Math.sin(latitudes / 2) ** 2 +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * Math.sin(longitudes / 2) ** 2
  return 2 * EARTH_RADIUS_MILES * Math.asin(Math.min(1, Math.sqrt(chord)))
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
