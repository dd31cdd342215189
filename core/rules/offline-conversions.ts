import type { AdNetwork } from '../contract/ad-measurement.ts'
import type { OutcomeKind } from '../contract/outcomes.ts'
import { csvLine } from './csv.ts'

/** The current outcomes that count as a conversion. A visitor who did not come is none, although a visit was booked. */
export const CONVERTED: readonly OutcomeKind[] = ['booked', 'attended', 'treated']

/** A booking for an advertising partner. `bookedAt` is later than the click, `valueCents` in cents of a US dollar. */
export type Conversion = { clickId: string; bookedAt: Date; valueCents: number | null }

type Format = {
  /** The parameter of the landing page that has the click id, and the form of the id. */
  clickId: { parameter: 'gclid' | 'msclkid'; form: RegExp }
  columns: readonly string[]
  /** The cells after those that both partners have. */
  rest: readonly string[]
}

/**
 * The files that the partners import.
 *
 * Google: "Import conversions from ad clicks into Google Ads using files"
 * (https://support.google.com/google-ads/answer/7014069) and its template with consent. The visitor allowed measurement, and was
 * not asked about personalization. An id is URL-safe base64.
 *
 * Microsoft: "Offline conversions" (https://help.ads.microsoft.com/#apex/ads/en/56852/2) and its template, which allows no other
 * columns; names and values as in https://learn.microsoft.com/en-us/advertising/bulk-service/offline-conversion. An id has 32
 * hexadecimal digits.
 */
export const FORMATS: Record<AdNetwork, Format> = {
  google: {
    clickId: { parameter: 'gclid', form: /^[A-Za-z0-9][\w-]{9,199}$/ },
    columns: [
      'Google Click ID',
      'Conversion Name',
      'Conversion Time',
      'Conversion Value',
      'Conversion Currency',
      'Ad User Data',
      'Ad Personalization',
    ],
    rest: ['Granted', 'Denied'],
  },
  microsoft: {
    clickId: { parameter: 'msclkid', form: /^[0-9a-f]{32}$/i },
    columns: ['Microsoft Click ID', 'Conversion Name', 'Conversion Time', 'Conversion Value', 'Conversion Currency'],
    rest: [],
  },
}

/**
 * Yields the lines of the file that a partner imports. Times are in UTC, because a file has one offset and a network has
 * two, in summer and in winter. There is no byte order mark: the file begins with its parameters. A booking without a value has no
 * currency, and gets the value of the conversion action.
 */
export async function* conversionFile(
  network: AdNetwork,
  name: string,
  conversions: AsyncIterable<Conversion>,
): AsyncGenerator<string> {
  const { columns, rest } = FORMATS[network]
  yield csvLine(['Parameters:TimeZone=+0000', ...columns.slice(1).map(() => '')])
  yield csvLine([...columns])
  for await (const { clickId, bookedAt, valueCents } of conversions) {
    const value = valueCents === null ? ['', ''] : [(valueCents / 100).toFixed(2), 'USD']
    yield csvLine([clickId, name, utc(bookedAt), ...value, ...rest])
  }
}

/** Formats a time as `2026-11-24 14:30:00`, which both partners read. */
const utc = (time: Date) => time.toISOString().slice(0, 19).replace('T', ' ')
