import { MAX_LISTED, type MapCounts, MIDDLE_OF_US, NEAR_MILES, type StateCount } from '../../../core/contract/page.ts'
import {
  type FoundPlace,
  milesBetween,
  type Place,
  type ProviderPoint,
  stateOf,
} from '../../../core/contract/places.ts'
import { aboutMiles } from '../../../core/contract/texts.ts'
import { formatCount } from '../../lib/numbers.ts'
import { isIn, middleOf, type View } from '../../shared/map/points.ts'

/** With fewer clinics nearby, the list has those within reach up to this number. */
const AT_LEAST = 5

export type Wishes = { isFree: boolean; hasFinancing: boolean }

/** The filters: their names in the address, the wish of each, and its words. */
export const FILTERS = [
  { name: 'free', wish: 'isFree', label: 'Free consultation', text: 'offers a free consultation' },
  { name: 'financing', wish: 'hasFinancing', label: 'Financing', text: 'has financing' },
] as const

/** The origin of distances: a place that the visitor searched for, or the visitor's own. */
export type Origin = Place & { name: string; zip: string | null }

/** The part of the map that the list is about. */
export type Scope =
  | { origin: Origin }
  /** A part of the map; the distances are from the origin, if there is one. */
  | { view: View['bounds']; from?: Origin }
  /** A state by its code. */
  | { state: string; middle: Place }
  /** Everything, beginning at a provider. */
  | { middle: Place }
  | { all: true }

export type Near = ProviderPoint & { miles: number }

type Results = {
  /** Nearest first, those that take no new patients last. */
  listed: Near[]
  /** The number of active clinics in the scope, and of those among them with each offer. */
  counts: MapCounts
  /** The distance of the nearest active clinic, in miles. */
  nearestMiles?: number
  /** Instead of the list, where nothing is asked for and it would be too long. */
  states: StateCount[]
}

export function fulfills(point: Pick<ProviderPoint, 'isFree' | 'hasFinancing'>, wishes: Wishes): boolean {
  return (!wishes.isFree || point.isFree === true) && (!wishes.hasFinancing || point.hasFinancing === true)
}

/** Lists the providers of a scope that fulfill the wishes. @param reach no match is further away than this, in miles */
export function resultsOf(points: ProviderPoint[], scope: Scope, wishes: Wishes, reach: number): Results {
  const suitable = points.filter((point) => fulfills(point, wishes))
  const center = centerOf(scope)
  const nearest = suitable
    .map((point) => ({ ...point, miles: milesBetween(center, point) }))
    .sort((a, b) => a.miles - b.miles)
  const active = nearest.filter(({ isInactive }) => !isInactive)
  const isInScope = (point: Near) => {
    if ('all' in scope) return true
    if ('origin' in scope) return point.miles <= NEAR_MILES
    if ('state' in scope) return point.state === scope.state
    return !('view' in scope) || isIn(scope.view, point)
  }
  const isByState = 'all' in scope && suitable.length > MAX_LISTED
  const listed = 'origin' in scope ? nearbyOf(nearest, reach) : nearest.filter(isInScope).slice(0, MAX_LISTED)
  const inScope = active.filter(isInScope)
  return {
    listed: isByState ? [] : listed.toSorted((a, b) => Number(a.isInactive ?? false) - Number(b.isInactive ?? false)),
    counts: {
      total: inScope.length,
      free: inScope.filter(({ isFree }) => isFree).length,
      financing: inScope.filter(({ hasFinancing }) => hasFinancing).length,
    },
    nearestMiles: active[0]?.miles,
    states: isByState ? countByState(active) : [],
  }
}

/** Returns those near a place, and at least a few that are within reach, or the nearest one. @param nearest sorted */
export function nearbyOf(nearest: Near[], reach: number): Near[] {
  return nearest
    .filter(({ miles }, index) => miles <= NEAR_MILES || (index < AT_LEAST && miles <= reach) || index === 0)
    .slice(0, MAX_LISTED)
}

function countByState(points: ProviderPoint[]): StateCount[] {
  const counts = new Map<string, number>()
  for (const { state } of points) if (state) counts.set(state, (counts.get(state) ?? 0) + 1)
  return [...counts].map(([state, clinics]) => ({ state, clinics }))
}

function centerOf(scope: Scope): Place {
  if ('all' in scope) return MIDDLE_OF_US
  if ('origin' in scope) return scope.origin
  return 'view' in scope ? (scope.from ?? middleOf(scope.view)) : scope.middle
}

/** Returns the scope of a search without a map. @param first where the list begins without a search */
export function scopeOf(place: FoundPlace | null | undefined, first?: Place): Scope {
  if (!place) return first ? { middle: first } : { all: true }
  const state = stateOf(place)
  return state ? { state, middle: place } : { origin: place }
}

export function milesText(miles: number): string {
  return miles < 10 ? `${miles.toFixed(1)} miles` : `${formatCount(Math.round(miles))} miles`
}

/** As exact as the place is: `3.4 miles`, or of a clinic that stands at its zip code `About 3 miles`. */
export function distanceText({ miles, isOfZip }: Near): string {
  if (!isOfZip) return milesText(miles)
  const words = aboutMiles(miles)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function cityText(name: string): string {
  return name.replace(/ \d{5}$/, '')
}
