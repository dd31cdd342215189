import { z } from 'zod'
import { defineCall } from './call.ts'
import { ZipCode } from './forms.ts'
import { NewLeadQuery } from './lead-form.ts'

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
