import lookUp from '@photostructure/tz-lookup'
import type { CalledPlace } from '../../contract/calling-hours.ts'

/** Returns the IANA time zone of a place, or null if its coordinates are not on Earth. */
export function timeZoneOf({ latitude, longitude }: { latitude: number; longitude: number }): string | null {
  const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
  return isPlace ? lookUp(latitude, longitude) : null
}

type Zip = { zip: string; latitude: number; longitude: number; city: string | null; state: string | null }

/** The states of military mail, whose zips say nothing of where a person is. */
const MILITARY = ['AA', 'AE', 'AP']

/** Returns the place where a visitor is called, by their zip; null if it is not known. */
export function calledPlace(zip: Zip | null): CalledPlace | null {
  const timeZone = zip && !MILITARY.includes(zip.state ?? '') ? timeZoneOf(zip) : null
  return zip && timeZone ? { name: zip.city ?? `zip ${zip.zip}`, state: zip.state, timeZone } : null
}
