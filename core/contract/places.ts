import { z } from 'zod'
import { defineCall } from './call.ts'
import { UNUSABLE, ZipCode } from './forms.ts'
import { NewLeadQuery } from './lead-form.ts'

/** The most places that one search returns. */
export const MAX_PLACES = 8

/** The longest text of a search for a place. */
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
  /** The provider, if it is a clinic. */
  providerId: z.number().int().nullable(),
  /** West, south, east and north of a state. */
  bounds: z.tuple([z.number(), z.number(), z.number(), z.number()]).nullable(),
})
export type FoundPlace = z.infer<typeof FoundPlace>

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

export const ZipCodeParams = z.object({ zip: ZipCode })

/** What a visitor learns about a zip code before sending a form. It names no clinic. */
export const ZipReach = z.object({
  zip: z.string(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  /** Whether a clinic would get the request now; if the visitor chose a clinic, whether that one would. */
  inReach: z.boolean(),
  /** The distance to that clinic in whole miles, 0 below one mile. Null without it, or if it cannot be placed on the map. */
  miles: z.int().nonnegative().nullable(),
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
