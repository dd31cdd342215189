import type { ZipReach } from '../../contract/zip-codes.ts'
import type { Db } from '../../platform/db.ts'
import * as zipCodes from '../../stores/zip-codes.ts'
import { choose } from './choose-providers.ts'

type Asked = { zip: string; chosenId?: number }

/**
 * Tells what a request from a zip code would come to now, by the rule that matches it: pauses, caps and excluded zips
 * count. If the visitor chose a clinic, tells of that one only. Returns null for an unknown zip code.
 */
export async function checkZip(db: Db, { zip, chosenId }: Asked, radiusMiles: number): Promise<ZipReach | null> {
  const [place, [match]] = await Promise.all([zipCodes.find(db, zip), choose(db, [{ zip, chosenId }], radiusMiles)])
  if (!place || !match) return null
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
