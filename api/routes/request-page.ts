import type Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { REQUEST_PATH } from '../../core/contract/page.ts'
import { AppError } from '../../core/errors.ts'
import { answerRequest, openRequest } from '../../core/leads/answers.ts'
import type { Lead } from '../../core/leads/contract/leads.ts'
import { AnswerForm, type RequestPage, type TypedAnswer } from '../../core/leads/contract/outcomes.ts'
import { type RequestLink, verifyRequestLink } from '../../core/leads/rules/request-links.ts'
import * as answerClocks from '../../core/leads/stores/answer-clocks.ts'
import * as requests from '../../core/leads/stores/requests.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { stopContactByClinic } from '../../core/privacy/stop-contact.ts'
import { refuse } from '../middleware/errors.ts'
import { answerRetryPage } from '../middleware/plain-form.ts'
import { rateLimit } from '../middleware/rate-limit.ts'
import { answerPage } from '../middleware/web.ts'
import type { Pages } from '../pages.ts'
import { parse } from '../parse.ts'
import type { Services } from '../services.ts'

const MAX_PER_MINUTE = 60
const TOO_MANY = 'Too many requests came from your network.'

export const isRequestPage = (path: string) => /^\/r\/[^/]+$/.test(path)

type Shown = { status?: number; providerId?: number }

/** A valid link and its lead. */
type Request = { link: RequestLink; lead: Lead }

/**
 * Registers the page of a clinic for a request. The signed token of the address authorizes it, without a session, and is
 * in no log line, because routes are logged by their pattern. A GET records that the page was opened and nothing else,
 * because mail scanners follow links. An answer is a POST.
 */
export function requestPageRoutes(router: Router, services: Services, pages: Pages): void {
  const { db, env, log, readings } = services
  const linkKey = deriveKey(env.DATA_KEY, 'request-link')
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')
  const before = [privately, orRetry, rateLimit(MAX_PER_MINUTE, TOO_MANY)]

  router.get(REQUEST_PATH, ...before, async (ctx: Context) => {
    const found = await find(ctx)
    if ('because' in found) return show(ctx, found)
    if (ctx.method === 'GET') {
      await readings.noteClinic(ctx, found.link.providerId, [found.lead.id])
      if (found.lead.outcome === null) await openRequest(db, found.link)
    }
    const typed = { answer: new URLSearchParams(ctx.querystring).get('answer') ?? '' }
    return show(ctx, await requestPage(found, typed), { providerId: found.link.providerId })
  })

  router.post(REQUEST_PATH, ...before, async (ctx: Context) => {
    const found = await find(ctx)
    if ('because' in found) return show(ctx, found)
    return takeAnswer(ctx, found, textsOf(ctx))
  })

  /** Follows the link of a request. Every invalid token gets the same answer for the same work. */
  async function find(ctx: Context): Promise<Request | Extract<RequestPage, { state: 'ended' }>> {
    const link = verifyRequestLink(linkKey, ctx.params.token)
    if (link?.of !== 'clinic') return { state: 'ended', because: 'invalid' }
    const lead = await requests.follow(db, link, { personKey, linkKey })
    return typeof lead === 'string' ? { state: 'ended', because: lead, leadId: link.leadId } : { link, lead }
  }

  async function takeAnswer(ctx: Context, found: Request, typed: Record<string, string>): Promise<void> {
    const { link, lead } = found
    const form = readForm(typed)
    if (form instanceof AppError)
      return show(ctx, await requestPage(found, typed, form.fields), {
        status: form.status,
        providerId: link.providerId,
      })
    if (isStop(form) && !form.confirmed) {
      const name = `${lead.first_name} ${lead.last_name}`
      return show(ctx, { state: 'stop', answer: form.answer, leadId: lead.id, name, note: form.note ?? '' })
    }
    if (isStop(form)) {
      const reason = form.answer === 'stop' ? 'asked_to_stop' : 'wrong_person'
      const context = { key: personKey, timeZone: env.NETWORK_TIME_ZONE }
      await stopContactByClinic(db, lead.id, { providerId: link.providerId, reason, note: form.note }, context)
    } else {
      const { answer: kind, ...said } = form
      await answerRequest(db, link, { kind, ...said })
    }
    // Without the query, which preselects an answer.
    seeOther(ctx, ctx.path)
  }

  async function requestPage({ link, lead }: Request, typed: TypedAnswer, errors = {}): Promise<RequestPage> {
    const request = await requests.read(db, lead, link.providerId)
    return { state: 'open', request, now: new Date().toISOString(), typed, errors }
  }

  /** @param providerId the clinic whose time zone the page is in; none for a page without times */
  async function show(ctx: Context, request: RequestPage, { status = 200, providerId }: Shown = {}): Promise<void> {
    const address = { path: REQUEST_PATH, querystring: '' }
    const timeZone =
      providerId === undefined ? undefined : await answerClocks.findTimeZone(db, providerId, env.NETWORK_TIME_ZONE)
    const extra = { request, ...(timeZone && { timeZone }) }
    const page = await pages.render({ origin: env.PUBLIC_URL, provider: null }, address, extra)
    ctx.status = request.state === 'ended' ? END_STATUS[request.because] : status
    await answerPage(ctx, pages, page)
  }

  /** Answers an error with a page that keeps what was typed. After the request has ended, its page says so. */
  async function orRetry(ctx: Context, next: () => Promise<void>): Promise<void> {
    try {
      await next()
    } catch (error) {
      const isOver = error instanceof AppError && (error.code === 'conflict' || error.code === 'not_found')
      if (isOver && ctx.method === 'POST') return seeOther(ctx, ctx.path)
      const values = ctx.method === 'POST' ? textsOf(ctx) : Object.fromEntries(new URLSearchParams(ctx.querystring))
      answerRetryPage(ctx, values, refuse(ctx, error, log))
    }
  }
}

type Stop = Extract<AnswerForm, { answer: 'wrong_person' | 'stop' }>
const isStop = (form: AnswerForm): form is Stop => form.answer === 'stop' || form.answer === 'wrong_person'

/** The status of a link that shows no request. */
const END_STATUS = {
  ...{ invalid: 404, held: 404 },
  ...{ expired: 410, deleted: 410, opted_out: 410, passed_on: 410, taken_back: 410, replaced: 410 },
  ...{ other_address: 410, left: 410, number_stopped: 410 },
} as const

/** Keeps the address of the page, which authorizes, from other sites, caches and search engines. */
const privately: Middleware = async (ctx, next) => {
  ctx.set('Cache-Control', 'no-store')
  ctx.set('Referrer-Policy', 'no-referrer')
  ctx.set('X-Robots-Tag', 'noindex')
  await next()
}

/** Reads an answer, or the error of its fields. */
function readForm(typed: Record<string, string>): AnswerForm | AppError {
  try {
    return parse(AnswerForm, typed)
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid') return error
    throw error
  }
}

function textsOf(ctx: Context): Record<string, string> {
  const fields = Object.entries(ctx.request.body ?? {})
  return Object.fromEntries(fields.filter((field): field is [string, string] => typeof field[1] === 'string'))
}

/** Leads the browser to a page by GET, so that a reload sends nothing again. */
function seeOther(ctx: Context, address: string): void {
  ctx.status = 303
  ctx.redirect(address)
}
