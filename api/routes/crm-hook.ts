import type { Context, Middleware } from 'koa'
import compose from 'koa-compose'
import { Webhook } from 'standardwebhooks'
import { line } from '../../core/contract/forms.ts'
import { AppError } from '../../core/errors.ts'
import { receiveCrmMessage } from '../../core/leads/contract/outcomes.ts'
import { takeCrmOutcome } from '../../core/leads/take-crm-outcome.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import type { Handle } from '../handle.ts'
import { rateLimit } from '../middleware/rate-limit.ts'
import { parse } from '../parse.ts'
import type { Services } from '../services.ts'

/** The most messages of one address in a minute. */
const MAX_PER_MINUTE = 600
const TOO_MANY = 'Too many messages came from your network. Please try again in a minute.'

/** The id of a message, which may come more than once. */
const MessageId = line('The header webhook-id', 200)

/** Registers the webhook by which the CRM tells what became of leads. */
export function crmHookRoutes(handle: Handle, { db, env }: Services): void {
  const context = { key: deriveKey(env.DATA_KEY, 'person-hash'), timeZone: env.NETWORK_TIME_ZONE }
  const signed = compose([rateLimit(MAX_PER_MINUTE, TOO_MANY), signedBy(env.CRM_INBOUND_SECRET)])

  handle(receiveCrmMessage, signed, async ({ ctx, body }) => {
    await takeCrmOutcome(db, body, parse(MessageId, ctx.get('webhook-id')), context)
    return { success: true }
  })
}

/** Admits messages that are signed with the secret (Standard Webhooks 1.0.0) within five minutes. Without one, the address does not exist. */
function signedBy(secret: string | undefined): Middleware {
  if (secret === undefined) {
    return () => {
      throw new AppError('not_found', 'There is nothing at this address.')
    }
  }
  const webhook = new Webhook(secret)
  return (ctx, next) => {
    verify(ctx)
    return next()
  }

  function verify(ctx: Context): void {
    try {
      // A repeated header is joined with a comma, and matches no signature.
      webhook.verify(String(ctx.request.rawBody), ctx.headers as Record<string, string>, { jsonParse: false })
    } catch (cause) {
      throw new AppError('unauthorized', 'The signature of this message is missing, wrong, or too old.', { cause })
    }
  }
}
