import type Router from '@koa/router'
import { AppError } from '../../core/errors.ts'
import { sameOrigin } from '../middleware/security.ts'
import { staffOnly } from '../middleware/session.ts'
import type { Services } from '../services.ts'

/** Until a WordPress site can be connected, the honest answer is that none is. */
export function syncRoutes(router: Router, services: Services): void {
  router.post('/api/sync', sameOrigin(services.env), staffOnly(services), async () => {
    throw new AppError('conflict', 'WordPress is not configured.')
  })
}
