import * as calls from '../../core/contract/zip-codes.ts'
import { AppError } from '../../core/errors.ts'
import * as zipCodes from '../../core/stores/zip-codes.ts'
import type { Handle } from '../handle.ts'
import type { Services } from '../services.ts'

export function zipCodeRoutes(handle: Handle, { db }: Pick<Services, 'db'>): void {
  handle(calls.getZipCode, async ({ ctx, params: { zip } }) => {
    const place = await zipCodes.find(db, zip)
    if (!place) throw new AppError('not_found', `We do not know the zip code ${zip}.`)

    ctx.set('Cache-Control', 'public, max-age=86400')
    return place
  })
}
