import etag from '@koa/etag'
import Router from '@koa/router'
import Koa from 'koa'
import bodyParser from 'koa-bodyparser'
import compress from 'koa-compress'
import conditionalGet from 'koa-conditional-get'
import { AppError } from '../core/errors.ts'
import { errors } from './middleware/errors.ts'
import { queueBoard } from './middleware/queue-board.ts'
import { requestLog } from './middleware/request-log.ts'
import { localHostsOnly, securityHeaders } from './middleware/security.ts'
import { web } from './middleware/web.ts'
import { healthRoutes } from './routes/health.ts'
import { leadActionRoutes } from './routes/lead-actions.ts'
import { leadRoutes } from './routes/leads.ts'
import { openApiRoutes } from './routes/openapi.ts'
import { providerRoutes } from './routes/providers.ts'
import { sessionRoutes } from './routes/session.ts'
import { syncRoutes } from './routes/sync.ts'
import type { Services } from './services.ts'

const BODY_LIMIT = '32kb'

/** The whole site as one Koa application; nothing listens yet. */
export function createApp(services: Services): Koa {
  const { env, log } = services
  const app = new Koa()
  app.proxy = env.TRUST_PROXY_HOPS > 0
  app.maxIpsCount = env.TRUST_PROXY_HOPS
  // A browser that hangs up in the middle is no fault of ours.
  app.on('error', (error) => log.debug({ reason: error.message }, 'response interrupted'))

  app.use(requestLog(log))
  app.use(errors(log))
  app.use(securityHeaders(env))
  app.use(localHostsOnly(env))
  app.use(compress({ threshold: 1024, br: { params: {} } }))
  app.use(conditionalGet())
  app.use(etag())
  app.use(queueBoard(services))
  app.use(jsonBody())

  const router = createRouter(services)
  app.use(router.routes())
  app.use(
    router.allowedMethods({
      throw: true,
      methodNotAllowed: () => new AppError('method_not_allowed', 'This address does not take that kind of call.'),
      notImplemented: () => new AppError('method_not_allowed', 'This address does not take that kind of call.'),
    }),
  )
  app.use(web())
  return app
}

/** Every route of the API. `core/contract/calls.ts` describes each. */
export function createRouter(services: Services): Router {
  const router = new Router()
  leadRoutes(router, services)
  leadActionRoutes(router, services)
  providerRoutes(router, services)
  sessionRoutes(router, services)
  syncRoutes(router, services)
  openApiRoutes(router, services)
  healthRoutes(router, services)
  return router
}

/** Bodies are JSON objects; anything else is refused with the reason. */
function jsonBody(): Koa.Middleware {
  const read = bodyParser({
    enableTypes: ['json'],
    jsonLimit: BODY_LIMIT,
    onerror: (error: Error & { status?: number }) => {
      if (error.status === 413) throw new AppError('too_large', `The request is larger than ${BODY_LIMIT}.`)
      if (error.status === 415) throw new AppError('unsupported_media_type', 'The request must be JSON in UTF-8.')
      throw new AppError('malformed', 'The request is not valid JSON.', { cause: error })
    },
  })
  return async (ctx, next) => {
    // `is` answers false for a body of another type, and for the empty body that browsers announce with a length of 0.
    if (ctx.is('json') === false && ctx.request.length !== 0)
      throw new AppError('unsupported_media_type', 'The request must be JSON.')
    if (!/^(utf-?8)?$/i.test(ctx.request.charset)) {
      throw new AppError('unsupported_media_type', 'The request must be JSON in UTF-8.')
    }
    await read(ctx, async () => {
      if (Array.isArray(ctx.request.body)) throw new AppError('malformed', 'The request must be a JSON object.')
      await next()
    })
  }
}
