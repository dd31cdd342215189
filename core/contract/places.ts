import { z } from 'zod'
import { defineCall } from './call.ts'
import { NewLeadQuery, UNUSABLE, ZipCode } from './forms.ts'

/** The states, the District and Puerto Rico, as the postal service abbreviates them (USPS Publication 28, appendix B). */
export const STATE_NAMES: Record<string, string> = Object.fromEntries(
  `AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut, DE Delaware,
DC District of Columbia, FL Florida, GA Georgia, HI Hawaii, ID Idaho, IL Illinois, IN Indiana, IA Iowa, KS Kansas,
KY Kentucky, LA Louisiana, ME Maine, MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota, MS Mississippi,
MO Missouri, MT Montana, NE Nebraska, NV Nevada, NH New Hampshire, NJ New Jersey, NM New Mexico, NY New York,
NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma, OR Oregon, PA Pennsylvania, PR Puerto Rico,
RI Rhode Island, SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah, VT Vermont, VA Virginia,
WA Washington, WV West Virginia, WI Wisconsin, WY Wyoming`
    .split(/,\s/)
    .map((state) => [state.slice(0, 2), state.slice(3)]),
)

export const MAX_PLACES = 8

export const MAX_PLACE_TEXT = 80

/**
 * A place in degrees (WGS 84): the center of a zip code, the middle of a city or of a state, or a clinic. `name` is written
 * as visitors read it: `Austin, TX 78704`.
 */
export const FoundPlace = z.object({
  kind: z.enum(['zip', 'city', 'state', 'clinic']),
  name: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  /** A zip code there; null for a state. */
  zip: z.string().nullable(),
  providerId: z.number().int().nullable(),
  /** West, south, east and north of a state. */
  bounds: z.tuple([z.number(), z.number(), z.number(), z.number()]).nullable(),
})
export type FoundPlace = z.infer<typeof FoundPlace>

/** Returns the code of a state that was found; null for a place within one. */
export function stateOf({ kind, name }: Pick<FoundPlace, 'kind' | 'name'>): string | null {
  const found = kind === 'state' && Object.entries(STATE_NAMES).find(([, state]) => state === name)
  return found ? found[0] : null
}

export const PlaceQuery = z.object({
  q: z
    .string()
    .trim()
    .min(1)
    .max(MAX_PLACE_TEXT)
    .refine((text) => !UNUSABLE.test(text), 'A search contains characters that cannot be used'),
})

export const searchPlaces = defineCall({
  method: 'GET',
  path: '/api/places',
  summary: 'Find zip codes, cities, states and clinics by the beginning of their names, the best match first.',
  access: 'public',
  input: { query: PlaceQuery },
  output: z.array(FoundPlace),
})

const ZipCodeParams = z.object({ zip: ZipCode })

/** What a visitor learns about a zip code before sending a form. It names no clinic. */
export const ZipReach = z.object({
  zip: z.string(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  /** Whether a clinic would get the request now; if the visitor chose a clinic, whether that one would. */
  inReach: z.boolean(),
  /** The distance to that clinic in whole miles, 0 below one mile. Null without it, or if it cannot be placed on the map. */
  miles: z.int().nonnegative().nullable(),
  /** The place of that clinic, as exact as its zip code: a clinic that is some miles away may be in another city. */
  clinicPlace: z
    .object({ city: z.string().nullable(), state: z.string().nullable(), latitude: z.number(), longitude: z.number() })
    .nullable(),
  /** The radius of the network, if it holds no clinic at all. */
  noneWithinMiles: z.number().nullable(),
})
export type ZipReach = z.infer<typeof ZipReach>

export const getZipReach = defineCall({
  method: 'GET',
  path: '/api/zip-codes/:zip/reach',
  summary:
    'Get the place of a zip code, and whether a clinic takes requests from there. With providerId, whether that one does.',
  access: 'public',
  input: { params: ZipCodeParams, query: NewLeadQuery },
  output: ZipReach,
})

/** A place on earth, in degrees (WGS 84). */
export type Place = { latitude: number; longitude: number }

/**
 * A provider on a map, and what it offers. An inactive one takes no new patients. One that has no coordinates stands at the
 * center of its zip code (`isOfZip`), and has no pin.
 */
export type ProviderPoint = Place & {
  id: number
  state?: string | null
  isOfZip?: boolean
  isInactive?: boolean
  isFree?: boolean
  hasFinancing?: boolean
}

/** A mark on a map: one provider, or a cluster of providers that are too close to tell apart. */
export type Mark = Place &
  ({ kind: 'provider'; id: number; isInactive?: boolean } | { kind: 'cluster'; id: number; count: number })

/**
 * The places of many providers in few bytes, as columns. `idSteps` holds the difference of each id to the one before it;
 * the first is the id itself. `offers` has a digit for each: 1 for a free consultation, plus 2 for financing, plus 4 for a place that is
 * that of the zip code. `states` has two letters for each, or two spaces.
 */
export const PackedPoints = z.object({
  idSteps: z.array(z.number().int()),
  latitudes: z.array(z.number()),
  longitudes: z.array(z.number()),
  offers: z.string().regex(/^[0-7]*$/),
  states: z.string(),
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
    offers: points
      .map(
        ({ isFree, hasFinancing, isOfZip }) =>
          Number(isFree ?? 0) + 2 * Number(hasFinancing ?? 0) + 4 * Number(isOfZip ?? 0),
      )
      .join(''),
    states: points.map(({ state }) => state ?? '  ').join(''),
  }
}

export function unpackPoints({ idSteps, latitudes, longitudes, offers, states }: PackedPoints): ProviderPoint[] {
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
      isOfZip: (offer & 4) > 0,
      state: states.slice(2 * index, 2 * index + 2).trim() || null,
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
