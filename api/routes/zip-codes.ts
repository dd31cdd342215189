import type Router from '@koa/router'
import { ZipCodeParams } from '../../core/contract/zip-codes.ts'
import { AppError } from '../../core/errors.ts'
import * as zipCodes from '../../core/stores/zip-codes.ts'
import { parse } from '../parse.ts'
import type { Services } from '../services.ts'

export function zipCodeRoutes(router: Router, { db }: Pick<Services, 'db'>): void {
  router.get('/api/zip-codes/:zip', async (ctx) => {
    const { zip } = parse(ZipCodeParams, ctx.params)
    const place = await zipCodes.find(db, zip)
    if (!place) throw new AppError('not_found', `We do not know the zip code ${zip}.`)

    ctx.set('Cache-Control', 'public, max-age=86400')
    ctx.body = place
  })
}
