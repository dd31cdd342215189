import type Router from '@koa/router'
import * as pictures from '../../core/stores/pictures.ts'
import { DAY } from '../../core/time.ts'
import type { Services } from '../services.ts'

/** Serves the pictures of providers. Their names are hashes of their bytes, so browsers may cache them permanently. */
export function pictureRoutes(router: Router, { db }: Services): void {
  router.get('/pictures/:fileName', async (ctx) => {
    const { fileName = '' } = ctx.params
    const body = /^[0-9a-f]{32}\.webp$/.test(fileName) ? await pictures.find(db, fileName) : null
    if (!body) return

    ctx.type = 'image/webp'
    ctx.set('Cache-Control', `public, max-age=${(365 * DAY) / 1000}, immutable`)
    ctx.body = body
  })
}
