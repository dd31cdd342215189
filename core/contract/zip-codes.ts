import { z } from 'zod'
import { defineCall } from './call.ts'
import { ZipCode } from './forms.ts'

export const ZipCodeParams = z.object({ zip: ZipCode })

/** The center of a zip code in degrees (WGS 84), and its place if known. */
export const ZipCodePlace = z.object({
  zip: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  city: z.string().nullable(),
  state: z.string().nullable(),
})
export type ZipCodePlace = z.infer<typeof ZipCodePlace>

export const getZipCode = defineCall({
  method: 'GET',
  path: '/api/zip-codes/:zip',
  summary: 'Get the place of a zip code.',
  access: 'public',
  input: { params: ZipCodeParams },
  output: ZipCodePlace,
})
