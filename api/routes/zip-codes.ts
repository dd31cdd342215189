import { checkZip } from '../../core/commands/leads/check-zip.ts'
import * as calls from '../../core/contract/zip-codes.ts'
import { AppError } from '../../core/errors.ts'
import * as zipCodes from '../../core/stores/zip-codes.ts'
import type { Handle } from '../handle.ts'
import { zipLimit } from '../middleware/rate-limit.ts'
import type { Services } from '../services.ts'

export function zipCodeRoutes(handle: Handle, { db, env }: Pick<Services, 'db' | 'env'>): void {
  handle(calls.getZipCode, async ({ ctx, params: { zip } }) => {
    const place = await zipCodes.find(db, zip)
    if (!place) throw unknownZip(zip)

    ctx.set('Cache-Control', 'public, max-age=86400')
    return place
  })

  handle(calls.getZipReach, zipLimit(env), async ({ ctx, params: { zip }, query: { providerId } }) => {
    const reach = await checkZip(db, { zip, chosenId: providerId }, env.MATCH_RADIUS_MILES)
    if (!reach) throw unknownZip(zip)

    // Short, so that a clinic that has just paused is not promised for long.
    ctx.set('Cache-Control', 'public, max-age=60')
    return reach
  })
}

function unknownZip(zip: string): AppError {
  return new AppError('not_found', `We do not know the zip code ${zip}.`)
}
