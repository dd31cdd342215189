import { z } from 'zod'
import { AD_NETWORKS } from './ad-measurement.ts'
import { defineCall } from './call.ts'
import { OverviewQuery } from './overview.ts'

/** The name of the conversion where the dialog is not told another one. */
export const USUAL_CONVERSION_NAME = 'Appointment booked'

const ProviderId = z.coerce.number<number>().int().positive().max(2_147_483_647)

/**
 * Bookings for an advertising partner: those that were recorded in a period of up to 92 days, the last 30 unless told otherwise,
 * of one clinic or of all.
 */
export const ConversionQuery = OverviewQuery.extend({
  network: z.enum(AD_NETWORKS),
  provider_id: ProviderId.optional(),
})
export type ConversionQuery = z.output<typeof ConversionQuery>

/**
 * The query of `exportConversions`. A file is of one clinic, because each has its own ad account, which must not get the clicks of
 * another. The name is that of the conversion action or goal in the advertiser's account. It begins with a letter or a digit, so
 * that no spreadsheet runs it and the file has it unchanged.
 */
export const ConversionExportQuery = ConversionQuery.extend({
  provider_id: ProviderId,
  name: z
    .string()
    .trim()
    .min(1, 'Enter the name of the conversion')
    .max(100, 'A name must be 100 characters or fewer')
    .regex(/^[\p{L}\p{N}][^\p{Cc}\p{Cs}]*$/u, 'A name must begin with a letter or a digit')
    .default(USUAL_CONVERSION_NAME),
})

export const countConversions = defineCall({
  method: 'GET',
  path: '/api/offline-conversions',
  summary: 'Count the bookings, by clinic, that an advertising partner may learn of.',
  access: 'manager',
  input: { query: ConversionQuery },
  /** The clinics that have any, by name. */
  output: z.object({
    clinics: z.array(z.object({ id: z.number().int(), name: z.string(), bookings: z.number().int() })),
  }),
})

export const exportConversions = defineCall({
  method: 'GET',
  path: '/api/offline-conversions.csv',
  summary: 'Export these bookings of a clinic as a file that Google Ads or Microsoft Advertising imports.',
  access: 'manager',
  needsConfirmation: true,
  input: { query: ConversionExportQuery },
  output: z.string(),
  type: 'text/csv',
})
