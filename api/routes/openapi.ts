import type Router from '@koa/router'
import * as setup from '../../core/conditions/stores/setup.ts'
import { MAP_TILES_URL } from '../../core/contract/map-tiles.ts'
import * as calls from '../../core/contract/settings.ts'
import type { Handle } from '../handle.ts'
import { answerKept, keepBody } from '../kept-body.ts'
import { isProxyIgnored } from '../middleware/proxy.ts'
import { openApiDocument } from '../openapi.ts'
import type { Services } from '../services.ts'

export function openApiRoutes(router: Router, { env }: Services): void {
  const document = keepBody(JSON.stringify(openApiDocument(env.PUBLIC_URL)))

  router.get('/api/openapi.json', async (ctx) => {
    ctx.type = 'json'
    await answerKept(ctx, document)
  })
}

export function settingsRoutes(handle: Handle, { env, db }: Services): void {
  handle(calls.getSettings, async ({ ctx }) => ({
    wordpress_url: env.WORDPRESS_URL ?? null,
    match_radius_miles: env.MATCH_RADIUS_MILES,
    no_room: env.NO_ROOM,
    map_tiles: { url: MAP_TILES_URL, attribution: env.MAP_TILE_URL.attribution },
    has_leads: await setup.hasLeads(db),
    proxy_ignored: isProxyIgnored(ctx, env),
  }))
}
