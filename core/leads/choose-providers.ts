import type { ZipReach } from '../contract/zip-codes.ts'
import type { Db, Transaction } from '../platform/db.ts'
import * as providerRules from '../providers/stores/provider-rules.ts'
import { decideRepeat, type Repeat } from './rules/earlier-requests.ts'
import { chooseProvider, type Match, type NoMatch, type Wanted } from './rules/matching.ts'
import { findCandidates } from './stores/candidates.ts'
import { type Asking, findEarlier } from './stores/earlier-requests.ts'
import * as zipCodes from './stores/zip-codes.ts'

/** Returns what leads want of the matching: a clinic near their zip, with regard to the earlier requests of their people. */
export async function wantedBy(db: Db, leads: (Asking & { zip_code: string })[]): Promise<(Wanted & Repeat)[]> {
  const earlier = await findEarlier(db, leads)
  return leads.map(({ zip_code: zip }, position) => ({ zip, ...decideRepeat(earlier[position] ?? []) }))
}

/**
 * Chooses the provider of a lead so that caps hold: where it chooses a provider with caps, it chooses again under their
 * lock. The transaction stores the choice. Take the lock of the lead first.
 * @param radiusMiles the largest distance of an automatic match
 */
export async function chooseWithinCaps(
  trx: Transaction,
  wanted: Wanted,
  radiusMiles: number,
): Promise<Match | NoMatch> {
  const match = await choose(trx, wanted, radiusMiles)
  return needsLock(match) ? chooseUnderLock(trx, wanted, radiusMiles) : match
}

/** Chooses the provider of a lead under the lock of the caps, which is held until the transaction ends. */
export async function chooseUnderLock(trx: Transaction, wanted: Wanted, radiusMiles: number): Promise<Match | NoMatch> {
  await providerRules.lockCaps(trx)
  return choose(trx, wanted, radiusMiles)
}

/** Chooses the provider of a lead without a lock: a cap may be exceeded if the choice is stored as it is. */
export async function choose(db: Db, wanted: Wanted, radiusMiles: number): Promise<Match | NoMatch> {
  const { zip, chosenId, except = [] } = wanted
  const wasDeclined = except.length > 0
  const [candidates, usual] = await findCandidates(db, wasDeclined ? [wanted, { zip, chosenId }] : [wanted], {
    radiusMiles,
  })
  const match = chooseProvider({ ...candidates, radiusMiles })
  return wasDeclined ? { ...match, usualId: chooseProvider({ ...usual, radiusMiles }).providerId } : match
}

/** Returns whether a match only holds under the lock of the caps. */
export function needsLock(match: Match | NoMatch): boolean {
  return match.providerId !== null && match.isCapped === true
}

type Asked = { zip: string; chosenId?: number }

/**
 * Tells what a request from a zip code would come to now, by the rule that matches it: pauses, caps and excluded zips
 * count. If the visitor chose a clinic, tells of that one only. Returns null for an unknown zip code.
 */
export async function checkZip(db: Db, { zip, chosenId }: Asked, radiusMiles: number): Promise<ZipReach | null> {
  const [place, match] = await Promise.all([zipCodes.find(db, zip), choose(db, { zip, chosenId }, radiusMiles)])
  if (!place) return null
  const { city, state } = place
  const answer = { zip, city, state, inReach: false, miles: null, noneWithinMiles: null }
  if (match.providerId === null) {
    const isEmpty = match.nearestMiles === null || match.nearestMiles > radiusMiles
    return { ...answer, noneWithinMiles: isEmpty && chosenId === undefined ? radiusMiles : null }
  }
  if (chosenId !== undefined && match.kind !== 'chosen') return answer
  return { ...answer, inReach: true, miles: match.miles === null ? null : wholeMiles(match.miles) }
}

/** Rounds as distances are said, so that the answer does not tell more than the words. */
function wholeMiles(miles: number): number {
  return miles < 1 ? 0 : Math.round(miles)
}
