import { checkZip } from '../../core/commands/leads/check-zip.ts'
import * as calls from '../../core/contract/zip-codes.ts'
import { AppError } from '../../core/errors.ts'
import type { Handle } from '../handle.ts'
import { zipLimit } from '../middleware/rate-limit.ts'
import type { Services } from '../services.ts'

export function zipCodeRoutes(handle: Handle, { db, env }: Pick<Services, 'db' | 'env'>): void {
  handle(calls.getZipReach, zipLimit(env), async ({ ctx, params: { zip }, query: { providerId } }) => {
    const reach = await checkZip(db, { zip, chosenId: providerId }, env.MATCH_RADIUS_MILES)
    if (!reach) throw new AppError('not_found', `We do not know the zip code ${zip}.`)

    // Short, so that a clinic that has just paused is not promised for long.
    ctx.set('Cache-Control', 'public, max-age=60')
    return reach
  })
}
