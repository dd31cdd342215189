import type Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import type { ActionAnswer, Call, OutputOf, ParsedInputOf } from '../core/contract/call.ts'
import { IdempotencyKey } from '../core/contract/forms.ts'
import type { SignedInClinic } from '../core/providers/stores/clinic-links.ts'
import { clinicOf, clinicOnly } from './middleware/clinic-session.ts'
import { formLimit } from './middleware/rate-limit.ts'
import { sameOrigin } from './middleware/security.ts'
import { type Actor, actorOf, type Staff, signedIn, staffOnly } from './middleware/session.ts'
import { parse } from './parse.ts'
import type { Services } from './services.ts'

type Request<C extends Call> = ParsedInputOf<C> & { ctx: Context } & (C extends { access: 'public' }
    ? unknown
    : C extends { access: 'clinic' }
      ? { clinic: SignedInClinic }
      : { staff: Staff; actor: Actor }) &
  (C extends { isPublicForm: true } ? { idempotencyKey?: string } : unknown)

/** Returns the answer of a call, or nothing where success says it all. A call with a `type` writes its answer to `ctx` instead. */
type Handler<C extends Call> = (request: Request<C>) => Result<C> | Promise<Result<C>>
// biome-ignore lint/suspicious/noConfusingVoidType: a handler may return nothing
type Nothing = void
type Result<C extends Call> = C extends { type: string } | { output: typeof ActionAnswer }
  ? Nothing | OutputOf<C>
  : OutputOf<C>

export type Handle = ReturnType<typeof createHandle>

/** Returns a function that registers the handler of a call. Requests are checked as the call says, then parsed. */
export function createHandle(router: Router, services: Services) {
  const fromSite = sameOrigin(services.env)

  function handle<C extends Call>(call: C, handler: Handler<C>): void
  /** @param around middleware that runs after the check of the origin, and around the other steps */
  function handle<C extends Call>(call: C, around: Middleware, handler: Handler<C>): void
  function handle<C extends Call>(call: C, ...steps: [Handler<C>] | [Middleware, Handler<C>]): void {
    const { access } = call
    const [around, handler] = steps.length === 1 ? [[], steps[0]] : [[steps[0]], steps[1]]
    const checks: Middleware[] = [
      caching(call),
      ...(call.isPublicForm ? [...around, formLimit(services.env)] : [fromSite, ...around]),
      ...(access === 'clinic' ? [clinicOnly(services)] : []),
      ...(access === 'public' || access === 'clinic' ? [] : [staffOnly(services, { ...call, access })]),
    ]
    router.register(
      call.path,
      [call.method],
      [
        ...checks,
        async (ctx: Context) => {
          const answer = await handler(readRequest(call, ctx) as Request<C>)
          if (call.status) ctx.status = call.status
          if (!call.type) ctx.body = answer ?? { success: true }
        },
      ],
    )
  }
  return handle
}

/** Sets the headers for caches, for answers and errors alike. */
function caching({ noStore, variesByStaff }: Call): Middleware {
  return (ctx, next) => {
    if (noStore) ctx.set('Cache-Control', 'no-store')
    if (variesByStaff) ctx.vary('Cookie')
    return next()
  }
}

/** Parses the input of a request. @throws AppError `invalid` if it does not match the schemas of the call */
function readRequest({ access, isPublicForm, input = {} }: Call, ctx: Context) {
  return {
    ctx,
    ...(access === 'clinic' && { clinic: clinicOf(ctx) }),
    ...(access !== 'public' && access !== 'clinic' && { staff: signedIn(ctx), actor: actorOf(ctx) }),
    ...(input.params && { params: parse(input.params, ctx.params) }),
    ...(input.query && { query: parse(input.query, ctx.query) }),
    ...(isPublicForm && { idempotencyKey: parse(IdempotencyKey, ctx.get('idempotency-key') || undefined) }),
    ...(input.body && { body: parse(input.body, ctx.request.body) }),
  }
}
