import type Router from '@koa/router'
import type { StaffSettings } from '../../core/contract/settings.ts'
import { isProxyIgnored } from '../middleware/proxy.ts'
import { staffOnly } from '../middleware/session.ts'
import type { Services } from '../services.ts'

export function settingsRoutes(router: Router, services: Services): void {
  const { WORDPRESS_URL, MATCH_RADIUS_MILES, MAP_TILE_URL, MAP_TILE_ATTRIBUTION } = services.env

  router.get('/api/settings', staffOnly(services), async (ctx) => {
    ctx.body = {
      wordpress_url: WORDPRESS_URL ?? null,
      match_radius_miles: MATCH_RADIUS_MILES,
      map_tiles: { url: MAP_TILE_URL, attribution: MAP_TILE_ATTRIBUTION },
      proxy_ignored: isProxyIgnored(ctx, services.env),
    } satisfies StaffSettings
  })
}
