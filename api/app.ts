import { fileURLToPath } from 'node:url'
import etag from '@koa/etag'
import Router from '@koa/router'
import Koa from 'koa'
import bodyParser from 'koa-bodyparser'
import compose from 'koa-compose'
import compress from 'koa-compress'
import conditionalGet from 'koa-conditional-get'
import { MINUTE } from '../core/contract/time.ts'
import { AppError } from '../core/errors.ts'
import { createIntake } from '../core/leads/submit-lead.ts'
import { remembered } from '../core/platform/process.ts'
import * as providerRecord from '../core/providers/stores/provider-record.ts'
import { createHandle } from './handle.ts'
import { errors } from './middleware/errors.ts'
import { FORM_CALLS, isPlainForm } from './middleware/plain-form.ts'
import { proxyHeaders } from './middleware/proxy.ts'
import { requestLimit } from './middleware/rate-limit.ts'
import { requestLog, requestMetrics } from './middleware/requests.ts'
import { formOrigins, localHostsOnly, securityHeaders } from './middleware/security.ts'
import { web } from './middleware/web.ts'
import { createPages, type Pages } from './pages.ts'
import { applicationActionRoutes, applicationRoutes } from './routes/applications.ts'
import { clinicRoutes } from './routes/clinic.ts'
import {
  alertRoutes,
  attentionRoutes,
  healthRoutes,
  integrationRoutes,
  networkPauseRoutes,
  setupRoutes,
} from './routes/conditions.ts'
import { bulkRoutes, jobRoutes } from './routes/jobs.ts'
import { crmHookRoutes, deletedLeadRoutes, leadActionRoutes, leadWorkRoutes } from './routes/lead-actions.ts'
import { leadRoutes } from './routes/leads.ts'
import { openApiRoutes, settingsRoutes } from './routes/openapi.ts'
import { eventRoutes, overviewRoutes } from './routes/overview.ts'
import { optOutRoutes, privacyRoutes } from './routes/privacy.ts'
import { providerRecordRoutes, providerRoutes } from './routes/providers.ts'
import { isRequestPage, requestPageRoutes } from './routes/request-page.ts'
import { secondFactorRoutes, sessionRoutes, sessionsRoutes } from './routes/session.ts'
import { singleSignOnRoutes } from './routes/single-sign-on.ts'
import { mapTileRoutes, pictureRoutes, placeRoutes, searchEngineRoutes, zipCodeRoutes } from './routes/site.ts'
import { accessLogRoutes, auditLogRoutes, staffRoutes } from './routes/staff.ts'
import { syncRoutes } from './routes/sync.ts'
import {
  calledPageRoutes,
  isCalledPage,
  isOptOutPage,
  isPhoneNumberPage,
  optOutPageRoutes,
  phoneNumberPageRoutes,
} from './routes/visitor-pages.ts'
import type { Services } from './services.ts'

const BODY_LIMIT = '32kb'
/** The age up to which the figures of the network are reused, because reading them takes all leads of 90 days. */
const FIGURES_MAX_AGE = 5 * MINUTE

/** The folder of the built web app. It is the same whether this file runs as source or from `dist/api`. */
const WEB_ROOT = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../dist/web' : '../web', import.meta.url))

/** Returns the whole site as one Koa application, which does not listen yet. */
export function createApp(services: Services): Koa {
  const { env, log } = services
  const app = new Koa()
  const hops = env.TRUST_PROXY_HOPS ?? 0
  app.proxy = hops > 0
  app.maxIpsCount = hops
  // A client that disconnects early is not an error of the server.
  app.on('error', (error) => log.debug({ reason: error.message }, 'response interrupted'))

  app.use(proxyHeaders(env, log))
  app.use(requestMetrics())
  app.use(requestLog(log))
  app.use(errors(log))
  app.use(securityHeaders(env))
  app.use(localHostsOnly(env))
  app.use(formOrigins(env, FORM_CALLS))
  app.use(requestLimit(env))
  // The answers to other methods are short, and never asked for again.
  app.use(forReads(compose<Koa.Context>([compress({ threshold: 1024 }), conditionalGet(), etag()])))
  app.use(body())

  const pages = createPages(services, WEB_ROOT)
  const router = createRouter(services, pages)
  app.use(router.routes())
  app.use(router.allowedMethods())
  app.use(web({ root: WEB_ROOT, pages, log }))
  return app
}

function forReads(middleware: compose.Middleware<Koa.Context>): Koa.Middleware {
  return (ctx, next) => (ctx.method === 'GET' || ctx.method === 'HEAD' ? middleware(ctx, next) : next())
}

export function createRouter(services: Services, pages: Pages): Router {
  const router = new Router({ sensitive: true, strict: true })
  const handle = createHandle(router, services)
  const intake = createIntake(services)
  const networkFigures = remembered(FIGURES_MAX_AGE, () => providerRecord.readNetwork(services.db))
  leadRoutes(handle, services, pages, intake)
  searchEngineRoutes(router, pages)
  leadActionRoutes(handle, services)
  leadWorkRoutes(handle, services)
  deletedLeadRoutes(handle, services)
  bulkRoutes(handle, services)
  crmHookRoutes(handle, services)
  optOutRoutes(handle, services)
  optOutPageRoutes(router, services, pages)
  requestPageRoutes(router, services, pages)
  calledPageRoutes(router, services, pages)
  phoneNumberPageRoutes(router, services, pages)
  networkPauseRoutes(handle, services)
  clinicRoutes(handle, services, networkFigures)
  jobRoutes(handle, services)
  integrationRoutes(handle, services)
  applicationRoutes(handle, services, pages, intake.counts)
  applicationActionRoutes(handle, services)
  // Before the call of one provider, whose path `/api/providers/figures` matches, too.
  providerRecordRoutes(handle, services, networkFigures)
  providerRoutes(handle, services)
  pictureRoutes(router, services, pages)
  mapTileRoutes(router, services)
  zipCodeRoutes(handle, services)
  placeRoutes(handle, services)
  sessionRoutes(handle, services)
  singleSignOnRoutes(router, services)
  secondFactorRoutes(handle, services)
  sessionsRoutes(handle, services)
  staffRoutes(handle, services)
  attentionRoutes(handle, services)
  auditLogRoutes(handle, services)
  accessLogRoutes(handle, services)
  privacyRoutes(handle, services)
  settingsRoutes(handle, services)
  setupRoutes(handle, services, intake)
  syncRoutes(handle, services)
  eventRoutes(handle, services)
  alertRoutes(handle, services)
  overviewRoutes(handle, services)
  openApiRoutes(router, services)
  healthRoutes(router, services)
  return router
}

/** Parses bodies: JSON objects, or form fields for the calls that take forms. Rejects any other type. */
function body(): Koa.Middleware {
  const options = {
    jsonLimit: BODY_LIMIT,
    formLimit: BODY_LIMIT,
    onerror: (error: Error & { status?: number }) => {
      if (error.status === 413) throw new AppError('too_large', `The request is larger than ${BODY_LIMIT}.`)
      if (error.status === 415) throw new AppError('unsupported_media_type', 'The request must be JSON in UTF-8.')
      throw new AppError('malformed', 'The request is not valid JSON.', { cause: error })
    },
  }
  const readJson = bodyParser({ ...options, enableTypes: ['json'] })
  const readForm = bodyParser({ ...options, enableTypes: ['form'] })
  return async (ctx, next) => {
    // Mail programs post here with any body (RFC 8058); only the address counts.
    if (isOptOutPage(ctx.path) || isCalledPage(ctx.path)) return next()
    const isForm = isPlainForm(ctx) || isRequestPage(ctx.path) || isPhoneNumberPage(ctx.path)
    // `is` returns false for another type, and for the empty body that browsers send with a length of 0.
    if (!isForm && ctx.is('json') === false && ctx.request.length !== 0)
      throw new AppError('unsupported_media_type', 'The request must be JSON.')
    if (!/^(utf-?8)?$/i.test(ctx.request.charset)) {
      throw new AppError('unsupported_media_type', 'The request must be JSON in UTF-8.')
    }
    await (isForm ? readForm : readJson)(ctx, async () => {
      if (Array.isArray(ctx.request.body)) throw new AppError('malformed', 'The request must be a JSON object.')
      await next()
    })
  }
}
