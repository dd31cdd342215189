import lookUp from '@photostructure/tz-lookup'

/** Returns the IANA time zone of a place, or null if its coordinates are not on Earth. */
export function timeZoneOf({ latitude, longitude }: { latitude: number; longitude: number }): string | null {
  const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
  return isPlace ? lookUp(latitude, longitude) : null
}
