import { MAX_LISTED, type MapList, MIDDLE_OF_US, NEAR_MILES, searchOfMap } from '../core/contract/page.ts'
import { PlaceQuery } from '../core/contract/places.ts'
import * as places from '../core/leads/stores/places.ts'
import type { Db } from '../core/platform/db.ts'
import { isPublic, ProviderParams, PublicProvider, publicView } from '../core/providers/contract/providers.ts'
import * as providers from '../core/providers/stores/providers.ts'

/** Returns the list of the map page for the query of its address. */
export async function listNearest(db: Db, query: URLSearchParams): Promise<MapList> {
  const text = searchOfMap(query)
  const asked = PlaceQuery.safeParse({ q: text })
  const place = asked.success ? ((await places.search(db, asked.data.q))[0] ?? null) : null
  const named = ProviderParams.safeParse({ providerId: query.get('provider') })
  const provider = named.success && !place ? await providers.find(db, named.data.providerId) : null
  const { latitude, longitude } = place ?? provider ?? MIDDLE_OF_US
  const point = latitude === null || longitude === null ? MIDDLE_OF_US : { latitude, longitude }
  const wishes = { isFree: query.get('free') === '1', hasFinancing: query.get('financing') === '1' }
  const area = place ? (place.bounds ?? { ...point, miles: NEAR_MILES }) : undefined
  const [ids, counts] = await Promise.all([
    places.listNearest(db, point, wishes, MAX_LISTED),
    places.countOnMap(db, wishes, area),
  ])
  const listed = await providers.findMany(db, ids)
  return {
    ...(text && { search: { text, place } }),
    listed: listed.filter(isPublic).map((each) => publicView(PublicProvider, each)),
    counts,
  }
}
