import { checkZip } from '../../core/commands/leads/choose-providers.ts'
import * as calls from '../../core/contract/places.ts'
import * as zipCodesCalls from '../../core/contract/zip-codes.ts'
import { AppError } from '../../core/errors.ts'
import * as places from '../../core/stores/places.ts'
import type { Handle } from '../handle.ts'
import { zipLimit } from '../middleware/rate-limit.ts'
import type { Services } from '../services.ts'

export function placeRoutes(handle: Handle, { db }: Pick<Services, 'db'>): void {
  handle(calls.searchPlaces, ({ ctx, query: { q } }) => {
    // Zip codes hardly ever change; clinics may.
    ctx.set('Cache-Control', 'public, max-age=600')
    return places.search(db, q)
  })
}

export function zipCodeRoutes(handle: Handle, { db, env }: Pick<Services, 'db' | 'env'>): void {
  handle(zipCodesCalls.getZipReach, zipLimit(env), async ({ ctx, params: { zip }, query: { providerId } }) => {
    const reach = await checkZip(db, { zip, chosenId: providerId }, env.MATCH_RADIUS_MILES)
    if (!reach) throw new AppError('not_found', `We do not know the zip code ${zip}.`)

    // Short, so that a clinic that has just paused is not promised for long.
    ctx.set('Cache-Control', 'public, max-age=60')
    return reach
  })
}
