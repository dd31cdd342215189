import type { MatchKind } from '../contract/leads.ts'

/** A provider that could get the lead. `miles` is null when the zip or the provider cannot be placed on the map. */
export type Candidate = { id: number; miles: number | null }
/** `leadCount` is set only where several providers are equally near. */
export type NearestCandidate = { id: number; miles: number; leadCount: number }
/** The providers that could get a lead: the active provider that the visitor chose, otherwise the nearest ones. */
export type Candidates = { chosen: Candidate | null; nearest: NearestCandidate[] }

export type Match = { providerId: number; kind: MatchKind; miles: number | null }
/** `nearestMiles` is null when no provider has a distance. */
export type NoMatch = { providerId: null; nearestMiles: number | null }

/**
 * Chooses the provider of a lead: the active provider that the visitor chose, at any distance, otherwise the nearest
 * active one within the radius. Of equally near ones it takes the one with fewer leads, then the lower id.
 */
export function chooseProvider({
  chosen = null,
  nearest = [],
  radiusMiles,
}: Partial<Candidates> & { radiusMiles: number }): Match | NoMatch {
  if (chosen) return { providerId: chosen.id, kind: 'chosen', miles: chosen.miles }

  const [best] = nearest.toSorted((a, b) => a.miles - b.miles || a.leadCount - b.leadCount || a.id - b.id)
  if (!best || best.miles > radiusMiles) return { providerId: null, nearestMiles: best?.miles ?? null }
  return { providerId: best.id, kind: 'nearest', miles: best.miles }
}
