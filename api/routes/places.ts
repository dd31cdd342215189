import * as calls from '../../core/contract/places.ts'
import * as places from '../../core/stores/places.ts'
import type { Handle } from '../handle.ts'
import type { Services } from '../services.ts'

export function placeRoutes(handle: Handle, { db }: Pick<Services, 'db'>): void {
  handle(calls.searchPlaces, ({ ctx, query: { q } }) => {
    // Zip codes hardly ever change; clinics may.
    ctx.set('Cache-Control', 'public, max-age=600')
    return places.search(db, q)
  })
}
