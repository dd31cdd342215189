import { formatCount } from './numbers.ts'

/** A place on earth, in degrees (WGS 84). */
export type Place = { latitude: number; longitude: number }

/** Mean radius of the earth, as the International Union of Geodesy and Geophysics defines it (6,371.0088 km). */
const EARTH_RADIUS_MILES = 3958.7613

/** The great-circle distance in miles, by the haversine formula. */
export function milesBetween(a: Place, b: Place): number {
  const latitudes = radians(b.latitude - a.latitude)
  const longitudes = radians(b.longitude - a.longitude)
  const chord =
    Math.sin(latitudes / 2) ** 2 +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * Math.sin(longitudes / 2) ** 2
  return 2 * EARTH_RADIUS_MILES * Math.asin(Math.min(1, Math.sqrt(chord)))
}

/** The nearest of many, nearest first, at most `count`. */
export function nearestTo<Item extends Place>(
  place: Place,
  items: Item[],
  count: number,
): (Item & { miles: number })[] {
  return items
    .map((item) => ({ ...item, miles: milesBetween(place, item) }))
    .sort((a, b) => a.miles - b.miles)
    .slice(0, count)
}

/** A distance in words, as exact as zip codes are: `less than a mile`, `1 mile`, `1,205 miles`. */
export function milesInWords(miles: number): string {
  if (miles < 1) return 'less than a mile'
  const whole = Math.round(miles)
  return `${formatCount(whole)} ${whole === 1 ? 'mile' : 'miles'}`
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
