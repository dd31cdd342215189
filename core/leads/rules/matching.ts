import type { CapPeriod, Obstacle, SkippedClinic } from '../../providers/contract/provider-rules.ts'
import type { MatchKind } from '../contract/leads.ts'

/** How old, in days, a lead may be to be matched with a new provider by itself. Staff match older ones. */
export const WAITING_DAYS = 30

/**
 * A lead to be matched. `again`: the provider that has an earlier request of the person, and that request. `except`: the
 * providers that get it only if they are chosen. `email`: the sender, where both are not known yet (`withRepeat`).
 */
export type Wanted = {
  zip: string
  chosenId?: number
  email?: string
  again?: { providerId: number; leadId: number } | null
  except?: number[]
}

/** The rules of a provider as they are now, for one zip. `caps` are those that it has, with the leads that count. */
export type RulesNow = {
  isPaused: boolean
  /** ISO 8601; null without an end. */
  pausedUntil: string | null
  caps: { period: CapPeriod; used: number; cap: number }[]
  radiusMiles: number | null
  hasExtraZip: boolean
  isZipExcluded: boolean
  backupId: number | null
  priority: number
}

/**
 * A provider that could get the lead. `miles` is null when the zip or the provider cannot be placed on the map.
 * `leadCount` is set only where several providers are equally near, `name` and `rules` only where there are rules, `hourCount`
 * only for new leads.
 */
export type Candidate = {
  id: number
  miles: number | null
  leadCount?: number
  hourCount?: number
  name?: string
  rules?: RulesNow | null
}

/**
 * The providers that could get a lead: the active provider that the visitor chose, the one that has an earlier request of
 * the person (`leadId`), all that had one (`known`), the nearest ones, and the backups of all of these.
 */
export type Candidates = {
  chosen: Candidate | null
  again?: (Candidate & { leadId: number }) | null
  known?: Candidate[]
  nearest: Candidate[]
  backups?: Candidate[]
}

/**
 * `again`: the earlier request, if that decided, and the provider that the lead would have got without it. `isCapped`: the
 * provider has a cap, so the choice only holds under the lock of the caps. `usualId`: the provider that the lead would have got
 * if none had declined an earlier request; absent where none has. `hourCount`: the leads that it got within the hour.
 */
export type Match = {
  providerId: number
  kind: MatchKind
  miles: number | null
  again?: { leadId: number; usualId: number | null }
  skipped?: SkippedClinic[]
  isCapped?: true
  usualId?: number | null
  hourCount?: number
}
/** `nearestMiles` is null when no provider has a distance. */
export type NoMatch = {
  providerId: null
  nearestMiles: number | null
  skipped?: SkippedClinic[]
  usualId?: number | null
}

/** The most skipped clinics that a match names. */
const MAX_SKIPPED = 3

type Limits = {
  radiusMiles: number
  /** The leads that each provider got in the same batch, on top of those that `used` counts. */
  taken?: ReadonlyMap<number, number>
}

/**
 * Chooses the provider of a lead: the active provider that the visitor chose, or else the one that has an earlier request
 * of the person, both at any distance, otherwise the nearest active one within the radius. Of equally near ones it takes
 * the one with fewer leads, then the lower id.
 *
 * Providers with rules differ: one of priority 1 comes before nearer ones, one of priority -1 after all others. One that
 * is paused or full, excludes the zip, or is beyond its own radius is skipped; its backup comes next if it was paused or
 * full. A zip that a provider lists as extra is within its reach. A full one still gets another request of a person that it
 * has: two clinics would call that person otherwise.
 */
export function chooseProvider({
  chosen = null,
  again = null,
  nearest = [],
  backups = [],
  ...limits
}: Partial<Candidates> & Limits): Match | NoMatch {
  const skipped: SkippedClinic[] = []
  const explained = () => (skipped.length > 0 ? { skipped: skipped.slice(0, MAX_SKIPPED) } : {})
  const give = ({ id, miles, rules, hourCount }: Candidate, kind: MatchKind): Match => ({
    ...{ providerId: id, kind, miles, ...(hourCount !== undefined && { hourCount }) },
    ...(kind === 'again' &&
      again && { again: { leadId: again.leadId, usualId: usualOf({ nearest, backups, ...limits }) } }),
    ...explained(),
    ...(kind !== 'again' && rules && rules.caps.length > 0 && { isCapped: true }),
  })

  for (const [candidate, kind] of inOrder({ chosen, again, nearest })) {
    const obstacle = obstacleOf(candidate, limits, kind)
    if (!obstacle) return give(candidate, kind)
    const isBeyondNetwork = obstacle.reason === 'too_far' && obstacle.radiusMiles >= limits.radiusMiles
    if (isBeyondNetwork) continue
    const { id, name = '', miles, rules } = candidate
    skipped.push({ id, name, miles, isChosen: kind === 'chosen', ...(kind === 'again' && { isAgain: true }), obstacle })
    const backup = isNoRoom(obstacle) ? backups.find((other) => other.id === rules?.backupId) : undefined
    if (backup && !obstacleOf(backup, limits)) return give(backup, 'nearest')
  }

  const miles = nearest.flatMap((candidate) => candidate.miles ?? [])
  // Those whose obstacle passes come first, because the lead may wait for them.
  skipped.sort((a, b) => Number(isNoRoom(b.obstacle)) - Number(isNoRoom(a.obstacle)))
  return { providerId: null, nearestMiles: miles.length > 0 ? Math.min(...miles) : null, ...explained() }
}

/** Returns the candidates of a sender with regard to their earlier requests. */
export function withRepeat(
  { known = [], ...found }: Candidates,
  { again, except = [] }: Pick<Wanted, 'again' | 'except'>,
): Candidates {
  const isLeft = ({ id }: Candidate) => !except.includes(id)
  const same = known.find(({ id }) => id === again?.providerId)
  return {
    chosen: found.chosen,
    again: same && again ? { ...same, leadId: again.leadId } : null,
    nearest: found.nearest.filter(isLeft),
    backups: found.backups?.filter(isLeft),
  }
}

const usualOf = (without: Partial<Candidates> & Limits) => chooseProvider(without).providerId

/** Returns the candidates in the order in which they are asked, each once. */
function inOrder({ chosen, again, nearest }: Candidates): [Candidate, MatchKind][] {
  const order: [Candidate | null | undefined, MatchKind][] = [
    [chosen, 'chosen'],
    [again, 'again'],
    ...nearest.toSorted(byPreference).map((candidate): [Candidate, MatchKind] => [candidate, 'nearest']),
  ]
  const asked = new Set<number>()
  return order.filter((entry): entry is [Candidate, MatchKind] => {
    const id = entry[0]?.id
    return id !== undefined && !asked.has(id) && asked.add(id) !== null
  })
}

/** Chooses the providers of several leads, in order. A place that one of them takes is gone for the next. */
export function chooseProviders(found: Candidates[], { radiusMiles }: { radiusMiles: number }): (Match | NoMatch)[] {
  const taken = new Map<number, number>()
  return found.map((candidates) => {
    const match = chooseProvider({ ...candidates, radiusMiles, taken })
    if (match.providerId !== null) taken.set(match.providerId, 1 + (taken.get(match.providerId) ?? 0))
    return match
  })
}

/**
 * Returns why a provider cannot take a lead, or null if it can. The distance counts for the nearest only. Caps do not count
 * for one that has an earlier request of the person.
 */
export function obstacleOf(
  { id, miles, rules }: Candidate,
  { radiusMiles, taken }: Limits,
  kind: MatchKind = 'nearest',
): Obstacle | null {
  if (rules?.isZipExcluded) return { reason: 'excluded' }
  const own = Math.min(radiusMiles, rules?.radiusMiles ?? Number.POSITIVE_INFINITY)
  const isFar = miles === null || miles > own
  if (isFar && kind === 'nearest' && !rules?.hasExtraZip) return { reason: 'too_far', radiusMiles: own }
  if (rules?.isPaused) return { reason: 'paused', until: rules.pausedUntil }
  if (kind === 'again') return null
  const full = rules?.caps.find(({ used, cap }) => used + (taken?.get(id) ?? 0) >= cap)
  return full ? { reason: 'full', ...full, used: full.used + (taken?.get(id) ?? 0) } : null
}

/** Returns whether the obstacle is one that passes: a pause or a full period. */
export function isNoRoom({ reason }: Obstacle): boolean {
  return reason === 'paused' || reason === 'full'
}

function byPreference(a: Candidate, b: Candidate): number {
  const far = Number.POSITIVE_INFINITY
  return (
    (b.rules?.priority ?? 0) - (a.rules?.priority ?? 0) ||
    // Not a number, thus no difference, where neither has a distance.
    (a.miles ?? far) - (b.miles ?? far) ||
    (a.leadCount ?? 0) - (b.leadCount ?? 0) ||
    a.id - b.id
  )
}
