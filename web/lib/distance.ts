import { milesBetween, type Place } from '../../core/contract/places.ts'
import { formatCount } from './numbers.ts'

export { milesBetween, type Place }

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
